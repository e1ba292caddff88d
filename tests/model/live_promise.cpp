#include "model/live_promise.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tacit::model {

double LivePromise::outcome(Round number, int entry) const {
  const auto& quarters = choices_[static_cast<std::size_t>(number - 1)].quarters;
  return quarters ? 0.25 * quarters_of(*quarters, entry) : story_.missing;
}

void LivePromise::due(const Shown& shown) {
  const Round next = choices() + 1;
  std::vector<Arm> arms;
  for (const auto& [slot, open] : open_) {
    if (arms.empty() || arms.back() != slot.arm) arms.push_back(slot.arm);
  }
  for (const Arm arm : arms) {
    const Arm shown_as = arm == kAllArms ? 0 : arm;
    come_out(arm, shown.n.at(static_cast<std::size_t>(shown_as)) - out_[shown_as].first);
  }
  called_ = next;
  shows(shown);
}

void LivePromise::come_out(Arm arm, double n) {
  const Round next = choices() + 1;
  while (n > 0) {
    const auto first = open_.lower_bound({arm, 0});
    need(first != open_.end() && first->first.arm == arm,
         fmt::format("{} choices of arm {} are released that were never made", n, arm));
    const auto& choices = first->second.choices;
    const Round last = choices.back().first;
    need(last + story_.wait < next && last + story_.wait >= called_,
         fmt::format("phase {} of arm {} is released before choice {}, {} than it may be",
                     first->first.phase, arm, next,
                     last + story_.wait < next ? "later" : "earlier"));
    for (const auto& [number, entry] : choices) {
      const int arms = arm == kAllArms ? story_.arms : 1;
      for (int i = 0; i < arms; ++i) {
        auto& [count, sum] = out_[arm == kAllArms ? i : arm];
        ++count;
        sum += outcome(number, entry + i);
      }
    }
    n -= static_cast<double>(choices.size());
    need(n >= 0, fmt::format("phase {} of arm {} is released in part", first->first.phase, arm));
    released_[arm] = first->first.phase;
    ++releases_;
    open_.erase(first);
  }
  // What the next phase of its arm comes after is full.
  const auto first = open_.lower_bound({arm, 0});
  if (first == open_.end() || first->first.arm != arm) return;
  const auto second = std::next(first);
  const bool full = second != open_.end() && second->first.arm == arm;
  need(!full || first->second.choices.back().first + story_.wait >= next,
       fmt::format("phase {} of arm {} is not released when it is due", first->first.phase, arm));
}

void LivePromise::chose(Round number, int ever, const std::vector<Slot>& slots,
                        const std::vector<Arm>& arms) {
  need(number == choices() + 1, fmt::format("choice {} has number {}", choices() + 1, number));
  choices_.push_back({.ever = ever, .arms = arms});
  if (!by_slot()) return;
  int entry = 0;
  for (const Slot& slot : slots) {
    auto open = open_.find(slot);
    if (open == open_.end()) {
      const auto released = released_.find(slot.arm);
      Round next = released == released_.end() ? -1 : released->second + 1;
      for (const auto& [other, before] : open_) {
        if (other.arm == slot.arm) next = other.phase + 1;
      }
      need(next < 0 ? slot.phase <= 1 : slot.phase == next,
           fmt::format("a choice is in phase {} of arm {}, and not in {}", slot.phase, slot.arm,
                       next));
      open = open_.emplace(slot, Open{}).first;
    }
    const auto after = std::next(open);
    need(after == open_.end() || after->first.arm != slot.arm,
         fmt::format("a choice is in phase {} of arm {}, which is full", slot.phase, slot.arm));
    open->second.choices.emplace_back(number, entry++);
  }
}

bool LivePromise::knows(Round number, int ever) const {
  return number <= choices() && choices_[static_cast<std::size_t>(number - 1)].ever == ever;
}

void LivePromise::answered(Round number, int quarters) {
  Choice& choice = choices_[static_cast<std::size_t>(number - 1)];
  if (choice.quarters) return;
  choice.quarters = quarters;
  if (by_slot()) return;
  auto& [count, sum] = out_[choice.arms.at(0)];
  ++count;
}

void LivePromise::shows(const Shown& shown) const {
  for (std::size_t arm = 0; arm < shown.n.size(); ++arm) {
    const auto found = out_.find(static_cast<Arm>(arm));
    const auto [n, sum] = found == out_.end() ? std::pair(0.0, 0.0) : found->second;
    need(shown.n[arm] == n,
         fmt::format("{} choices of arm {} are shown, and {} count", shown.n[arm], arm, n));
    constexpr double kNoise = 1e-3;
    need(!by_slot() || std::abs(shown.sum[arm] - sum) < kNoise,
         fmt::format("what was released of arm {} comes to {:.6g}, and is {:.6g}", arm,
                     shown.sum[arm], sum));
  }
  need(!by_slot() || shown.releases == releases_,
       fmt::format("{} releases were made, and {} are due", shown.releases, releases_));
}

}  // namespace tacit::model
