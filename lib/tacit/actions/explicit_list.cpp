#include "tacit/actions/explicit_list.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacit/actions/position.hpp"
#include "tacit/actions/weight.hpp"
#include "tacit/core/check.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::actions {
namespace {

using Actions = std::vector<std::vector<Arm>>;

class ListOracle final : public Oracle {
 public:
  ListOracle(int arms, std::shared_ptr<const Actions> actions)
      : Oracle(arms), actions_(std::move(actions)), totals_(actions_->size()) {}

  ChosenSet choose(Round t, const random::Dice& dice) override {
    add_up(scores_);
    const Weight best = *std::max_element(totals_.begin(), totals_.end());
    const auto tied = static_cast<int>(std::count(totals_.begin(), totals_.end(), best));
    auto draw = dice.ties(t);
    int skip = tied > 1 ? random::uniform_index(draw, tied) : 0;
    last_ = 0;
    while (totals_[last_] != best || skip-- > 0) ++last_;
    chosen_ = true;
    return {(*actions_)[last_], !best_by_a_margin()};
  }

  Skipping skipping() const noexcept override { return Skipping::kByValue; }

  bool still_best(std::span<const double> scores) override {
    if (!chosen_) return false;
    add_up(scores);
    return best_by_a_margin();
  }

 private:
  void add_up(std::span<const double> scores) {
    for (std::size_t i = 0; i < totals_.size(); ++i) {
      totals_[i] = 0;
      for (const Arm arm : (*actions_)[i]) {
        totals_[i] += weight(scores[at(arm)]);
      }
    }
  }

  bool best_by_a_margin() const {
    for (std::size_t i = 0; i < totals_.size(); ++i) {
      if (i != last_ && totals_[i] > totals_[last_] - kMargin) return false;
    }
    return true;
  }

  std::shared_ptr<const Actions> actions_;
  std::vector<Weight> totals_;
  std::size_t last_ = 0;
  bool chosen_ = false;
};

}  // namespace

ExplicitList::ExplicitList(int arms, std::vector<std::vector<Arm>> actions)
    : arms_(static_cast<int>(check::at_least("ExplicitList", "arms", arms, 1))) {
  constexpr auto kHere = "ExplicitList";
  check::at_least(kHere, "number of actions", static_cast<std::int64_t>(actions.size()), 1);
  const auto refuse = [&](const std::vector<Arm>& action, const char* requirement) {
    throw InvalidParameter(kHere, "action", fmt::format("[{}]", fmt::join(action, ",")),
                           requirement);
  };
  std::set<std::vector<Arm>> seen;
  std::string content;
  for (const auto& action : actions) {
    if (action.empty()) refuse(action, "must contain an arm");
    if (action.size() > kMostArms) refuse(action, "must contain at most 32768 arms");
    auto sorted = action;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.front() < 0 || sorted.back() >= arms) refuse(action, "must contain arms of the set");
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      refuse(action, "must contain an arm once at most");
    }
    if (!seen.insert(std::move(sorted)).second) refuse(action, "must be listed once");
    size_ = std::max(size_, static_cast<int>(action.size()));
    content += fmt::format("{};", fmt::join(action, ","));
  }
  name_ = fmt::format("list({}x{},{:016x})", arms, actions.size(), random::fingerprint(content));
  actions_ = std::make_shared<const Actions>(std::move(actions));
}

std::unique_ptr<Oracle> ExplicitList::oracle() const {
  return std::make_unique<ListOracle>(arms_, actions_);
}

}  // namespace tacit::actions
