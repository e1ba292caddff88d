#include "tacit/actions/approximate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "tacit/actions/position.hpp"
#include "tacit/core/check.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::actions {

class Approximate::Worst final : public Oracle {
 public:
  Worst(std::shared_ptr<const ActionSet> exact,
        std::shared_ptr<const std::vector<std::vector<Arm>>> actions, Approximation oracle)
      : Oracle(exact->arms()),
        exact_(std::move(exact)),
        actions_(std::move(actions)),
        oracle_(oracle),
        rounding_(std::llrint(exact_->smoothness().b_infinity) + 1),
        means_(at(scores_.arms())),
        values_(actions_->size()) {}

  ChosenSet choose(Round t, const random::Dice& dice) override {
    look_at_all();
    constexpr std::uint64_t kCoin = 3;  // below are ties: of sets, who is recorded, challengers
    auto coin = dice.ties(t, kCoin);
    const bool good = random::bernoulli(coin, oracle_.beta);
    const std::int64_t best = *std::max_element(values_.begin(), values_.end());
    // What is alpha times the best but for the rounding of values is meant, too.
    const std::int64_t share = ActionSet::units(oracle_.alpha * ActionSet::from_units(best));
    const std::int64_t enough = good ? std::max<std::int64_t>(0, share - rounding_) : 0;
    std::int64_t worst = best;
    for (const std::int64_t value : values_) {
      if (value >= enough) worst = std::min(worst, value);
    }
    auto draw = dice.ties(t);
    const auto rivals = static_cast<int>(std::count(values_.begin(), values_.end(), worst));
    int skip = rivals > 1 ? random::uniform_index(draw, rivals) : 0;
    std::size_t i = 0;
    while (values_[i] != worst || skip-- > 0) ++i;
    return {(*actions_)[i], true};
  }

 private:
  static constexpr std::int64_t kLeftOut = -1;  // below any value

  void look_at_all() {
    std::transform(scores_.begin(), scores_.end(), means_.begin(),
                   [](double score) { return std::clamp(score, 0.0, 1.0); });
    bool any = false;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const bool allowed = std::none_of((*actions_)[i].begin(), (*actions_)[i].end(), [&](Arm arm) {
        return scores_[arm] == -std::numeric_limits<double>::infinity();
      });
      values_[i] = allowed ? exact_->value((*actions_)[i], means_) : kLeftOut;
      any = any || allowed;
    }
    if (!any) std::fill(values_.begin(), values_.end(), 0);
  }

  std::shared_ptr<const ActionSet> exact_;
  std::shared_ptr<const std::vector<std::vector<Arm>>> actions_;
  Approximation oracle_;
  std::int64_t rounding_;  // of a value, in units: every mean is rounded
  std::vector<double> means_;
  std::vector<std::int64_t> values_;
};

Approximate::Approximate(std::shared_ptr<const ActionSet> exact, double alpha, double beta)
    : exact_(std::move(exact)), oracle_{alpha, beta} {
  constexpr auto kHere = "Approximate";
  for (const auto& [name, share] : {std::pair("alpha", alpha), std::pair("beta", beta)}) {
    check::positive_up_to(kHere, name, share, 1);
  }
  const auto refuse = [&](const char* requirement) {
    throw InvalidParameter(kHere, "actions", exact_->name(), requirement);
  };
  if (!exact_->values_are_exact()) refuse("has rewards that are estimated; they must be computed");
  actions_ = std::make_shared<const std::vector<std::vector<Arm>>>(exact_->all(kMostActions));
  if (actions_->empty()) refuse("has more than 1000 actions, too many to look at for every choice");
  const std::vector<double> nothing(at(arms()), 0.0);
  for (const auto& action : *actions_) {
    // Rewards are monotone in the means.
    if (exact_->value(action, nothing) < 0)
      refuse("has rewards below 0, of which a share says nothing");
  }
  name_ = fmt::format("approximate({},{},{})", alpha, beta, exact_->name());
}

std::unique_ptr<Oracle> Approximate::oracle() const {
  return std::make_unique<Worst>(exact_, actions_, oracle_);
}

std::vector<std::vector<Arm>> Approximate::all(std::size_t most) const {
  if (actions_->size() > most) return {};
  return *actions_;
}

std::optional<std::int64_t> Approximate::best_value(std::span<const double> means) const {
  return best_of_all(means, kMostActions);
}

}  // namespace tacit::actions
