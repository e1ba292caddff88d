#include "tacit/actions/neighbours.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacit/actions/position.hpp"
#include "tacit/actions/single.hpp"
#include "tacit/core/check.hpp"

namespace tacit::actions {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

std::vector<Arm> sorted(std::span<const Arm> arms) {
  std::vector<Arm> copy(arms.begin(), arms.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

}  // namespace

class Neighbours::LargestScore final : public Oracle {
 public:
  explicit LargestScore(std::shared_ptr<const Rows> shown)
      : Oracle(static_cast<int>(shown->size())), shown_(std::move(shown)), worth_(shown_->size()) {}

  ChosenSet choose(Round t, const random::Dice& dice) override {
    weigh(scores_);
    last_ = at(largest(worth_, t, dice).arm);
    chosen_ = true;
    return {(*shown_)[last_], !best_by_a_margin()};
  }

  Skipping skipping() const noexcept override { return Skipping::kByValue; }

  bool still_best(std::span<const double> scores) override {
    if (!chosen_) return false;
    weigh(scores);
    return best_by_a_margin();
  }

 private:
  void weigh(std::span<const double> scores) {
    for (std::size_t i = 0; i < worth_.size(); ++i) {
      const std::vector<Arm>& row = (*shown_)[i];
      const bool barred =
          std::any_of(row.begin(), row.end(), [&](Arm arm) { return scores[at(arm)] == kNever; });
      worth_[i] = scores[i];
      if (barred) worth_[i] = kNever;
    }
  }
  bool best_by_a_margin() const {
    constexpr double kMargin = 1e-9;
    for (std::size_t i = 0; i < worth_.size(); ++i) {
      if (i != last_ && !(worth_[i] < worth_[last_] - kMargin)) return false;
    }
    return true;
  }

  std::shared_ptr<const Rows> shown_;
  std::vector<double> worth_;  // of an arm
  std::size_t last_ = 0;
  bool chosen_ = false;
};

Neighbours::Neighbours(std::vector<std::vector<Arm>> shown) {
  constexpr auto kHere = "Neighbours";
  const auto arms = static_cast<Arm>(std::ssize(shown));
  check::at_least(kHere, "rows", arms, 1);
  std::string content;
  for (Arm arm = 0; arm < arms; ++arm) {
    const std::vector<Arm>& row = shown[at(arm)];
    const auto refuse = [&](const std::string& requirement) {
      throw InvalidParameter(kHere, fmt::format("row of arm {}", arm),
                             fmt::format("[{}]", fmt::join(row, ",")), requirement);
    };
    const std::vector<Arm> order = sorted(row);
    if (!std::binary_search(order.begin(), order.end(), arm)) refuse("must show the arm itself");
    if (order.front() < 0 || order.back() >= arms)
      refuse(fmt::format("arms are 0 to {}", arms - 1));
    if (std::adjacent_find(order.begin(), order.end()) != order.end()) {
      refuse("must show an arm once");
    }
    const auto [found, is_new] = played_.try_emplace(order, arm);
    if (!is_new) {
      refuse(fmt::format("is the row of arm {} too: what is shown must tell which arm is played",
                         found->second));
    }
    size_ = std::max(size_, static_cast<int>(row.size()));
    content += fmt::format("{};", fmt::join(row, ","));
  }
  name_ = fmt::format("neighbours({},{:016x})", arms, random::fingerprint(content));
  shown_ = std::make_shared<const Rows>(std::move(shown));
}

std::unique_ptr<Oracle> Neighbours::oracle() const {
  return std::make_unique<LargestScore>(shown_);
}

Arm Neighbours::played(std::span<const Arm> action) const { return played_.at(sorted(action)); }

std::int64_t Neighbours::value(std::span<const Arm> action, std::span<const double> means) const {
  return units(means[at(played(action))]);
}

std::vector<std::vector<Arm>> Neighbours::all(std::size_t most) const {
  return shown_->size() > most ? Rows{} : *shown_;
}

}  // namespace tacit::actions
