// A learner whose releases somebody else reads too: for intervals and for stopping. What it plays does not change.
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "tacit/policies/learner.hpp"
#include "tacit/policies/release_log.hpp"
#include "tacit/simulation/any_channel.hpp"

namespace tacit::simulation {

class WatchedLearner final : public policies::Learner {
 public:
  /// Called after something was told, and added to the log.
  using Told = std::function<void()>;
  /// Called before a choice for round t.
  using Asked = std::function<void(Round t)>;

  /// The learner and the log, which may be null, outlive it.
  WatchedLearner(policies::Learner& learner, policies::ReleaseLog* log, Told told)
      : learner_(learner), log_(log), told_(std::move(told)) {}
  void when_asked(Asked asked) { asked_ = std::move(asked); }

  /// Ends the slots that hold something, at a time that is public, and delivers them.
  void release_what_is_filling(AnyChannel& channel) {
    for (const auto& [arm, slot] : filling_) {
      const Round n = seal(slot);
      if (n == 0) continue;
      const curators::ReleasedSlot released = channel.release(slot, n);
      deliver(slot, released.values, n, released.noises);
    }
    filling_.clear();
  }

  bool starts_from_raw_outcomes() const override { return learner_.starts_from_raw_outcomes(); }
  void start(Arm arm, const privacy::Released<double>& outcome) override {
    learner_.start(arm, outcome);
  }
  void choose(const policies::Situation& situation, policies::Choice& choice) override {
    if (asked_) asked_(situation.t);
    learner_.choose(situation, choice);
  }
  Round assign(Slot slot, Round n) override {
    const Round full = learner_.assign(slot, n);
    if (full > 0) {
      filling_.erase(slot.arm);
    } else {
      filling_.insert_or_assign(slot.arm, slot);
    }
    return full;
  }
  Round seal(Slot slot) override { return learner_.seal(slot); }
  void deliver(Slot slot, policies::Values values, Round n, int noises) override {
    learner_.deliver(slot, values, n, noises);
    if (log_ != nullptr) log_->deliver(slot, values, n, noises);
    told_();
  }
  void take(const policies::Choice& choice, policies::Values reports) override {
    learner_.take(choice, reports);
    if (log_ != nullptr) log_->take(choice, reports);
    told_();
  }
  int recorded() const override { return learner_.recorded(); }
  policies::View show(Arm arm) const override { return learner_.show(arm); }
  std::span<const Arm> verdict() const override { return learner_.verdict(); }
  void save(StateWriter& writer) const override { learner_.save(writer); }
  void load(StateReader& reader) override { learner_.load(reader); }

 private:
  policies::Learner& learner_;
  policies::ReleaseLog* log_;
  Told told_;
  Asked asked_;
  std::map<Arm, Slot> filling_;
};

}  // namespace tacit::simulation
