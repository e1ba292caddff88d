// Broken twins of policies, for what must find them: channels and learners that do what the true ones do, but for one
// fault.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tacit/audit/declared.hpp"
#include "tacit/audit/replay.hpp"
#include "tacit/audit/watched.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/privacy/exact.hpp"
#include "tacit/privacy/published.hpp"

namespace tacit::audit {

/// As the command line plays it.
inline Play small_play(const std::string& policy, double epsilon = 3) {
  return audit::small_play(policies::find_policy(policy), epsilon, std::nullopt, {});
}

inline std::vector<std::string> private_policies() {
  std::vector<std::string> names;
  for (const policies::Entry& entry : policies::catalogue()) {
    if (entry.card.trust != policies::Trust::kNone) names.emplace_back(entry.card.name);
  }
  return names;
}

inline std::string name_of_suite(const ::testing::TestParamInfo<std::string>& policy) {
  std::string name = policy.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// Does what the true one does.
class SameChannel : public simulation::AnyChannel {
 public:
  explicit SameChannel(std::unique_ptr<AnyChannel> channel) : channel_(std::move(channel)) {}

  bool keeps_sums() const override { return channel_->keeps_sums(); }
  bool takes_stops() const override { return channel_->takes_stops(); }
  void add(Slot slot, std::span<const privacy::Secret<Sum>> sums) override {
    channel_->add(slot, sums);
  }
  curators::ReleasedSlot release(Slot slot, Round n) override { return channel_->release(slot, n); }
  privacy::Released<double> open(Arm arm, const privacy::Secret<Outcome>& outcome) override {
    return channel_->open(arm, outcome);
  }
  privacy::Released<double> report(Arm arm, const privacy::Secret<Outcome>& outcome) override {
    return channel_->report(arm, outcome);
  }
  privacy::Released<double> report_sum_of_one(Arm arm, const privacy::Secret<Sum>& sum) override {
    return channel_->report_sum_of_one(arm, sum);
  }
  std::vector<privacy::Released<double>> report(std::span<const Arm> list,
                                                const privacy::Secret<Stop>& stop) override {
    return channel_->report(list, stop);
  }

 private:
  std::unique_ptr<AnyChannel> channel_;
};

/// An outcome enters two releases: its own slot's, and that of the arm's next.
class EntersTwice final : public SameChannel {
 public:
  using SameChannel::SameChannel;
  void add(Slot slot, std::span<const privacy::Secret<Sum>> sums) override {
    SameChannel::add(slot, sums);
    SameChannel::add({slot.arm, slot.phase + 1}, sums);
  }
};

/// Forgets to wipe a sum that was released.
class KeepsData final : public SameChannel {
 public:
  using SameChannel::SameChannel;
  void add(Slot slot, std::span<const privacy::Secret<Sum>> sums) override {
    for (const auto& sum : sums) kept_[slot].push_back(sum);
    entries_ = sums.size();
    SameChannel::add(slot, sums);
  }
  curators::ReleasedSlot release(Slot slot, Round n) override {
    curators::ReleasedSlot released = SameChannel::release(slot, n);
    const auto& kept = kept_[slot];
    for (std::size_t i = 0; i + entries_ <= kept.size(); i += entries_) {
      SameChannel::add({slot.arm, slot.phase + 1}, std::span(kept).subspan(i, entries_));
    }
    return released;
  }

 private:
  std::map<Slot, std::vector<privacy::Secret<Sum>>> kept_;
  std::size_t entries_ = 1;
};

/// Changes the noise of what comes out: `Change` is given what went in and what came out, and says what comes out.
class ChangesNoise : public SameChannel {
 public:
  using SameChannel::SameChannel;
  void add(Slot slot, std::span<const privacy::Secret<Sum>> sums) override {
    auto& truth = truth_[slot];
    truth.resize(sums.size(), 0);
    for (std::size_t i = 0; i < sums.size(); ++i)
      truth[i] += privacy::Exact::release(sums[i]).value();
    SameChannel::add(slot, sums);
  }
  curators::ReleasedSlot release(Slot slot, Round n) override {
    curators::ReleasedSlot released = SameChannel::release(slot, n);
    auto& so_far = so_far_[slot.arm];
    so_far.resize(released.values.size(), 0);
    auto& truth = truth_[slot];
    truth.resize(released.values.size(), 0);  // nobody may have answered
    for (std::size_t i = 0; i < released.values.size(); ++i) {
      so_far[i] = (runs_on_ ? so_far[i] : 0) + truth[i];
      released.values[i] = privacy::Published::again(
          so_far[i] + noise(slot, released.values[i].value() - so_far[i]));
    }
    return released;
  }
  privacy::Released<double> report(Arm arm, const privacy::Secret<Outcome>& outcome) override {
    const double truth = privacy::Exact::release(outcome).value();
    const double value = SameChannel::report(arm, outcome).value();
    return privacy::Published::again(truth + noise({arm, 0}, value - truth));
  }
  /// Of a policy whose releases are running sums.
  void runs_on() { runs_on_ = true; }

 protected:
  virtual double noise(Slot slot, double noise) = 0;

 private:
  bool runs_on_ = false;
  std::map<Slot, std::vector<double>> truth_;
  std::map<Arm, std::vector<double>> so_far_;
};

class HalfTheNoise final : public ChangesNoise {
 public:
  using ChangesNoise::ChangesNoise;

 private:
  double noise(Slot, double noise) override { return noise / 2; }
};

class OneSidedNoise final : public ChangesNoise {
 public:
  using ChangesNoise::ChangesNoise;

 private:
  double noise(Slot, double noise) override { return std::abs(noise); }
};

class NoNoise final : public ChangesNoise {
 public:
  using ChangesNoise::ChangesNoise;

 private:
  double noise(Slot, double) override { return 0; }
};

/// One noise for all slots that have this in common.
template <auto kMember>
class SharedNoise final : public ChangesNoise {
 public:
  using ChangesNoise::ChangesNoise;

 private:
  double noise(Slot slot, double noise) override {
    return of_.try_emplace(slot.*kMember, noise).first->second;
  }
  std::map<std::int64_t, double> of_;
};
using NoiseOfAnArm = SharedNoise<&Slot::arm>;     // whatever the phase
using NoiseOfAPhase = SharedNoise<&Slot::phase>;  // whatever the arm

/// What leaks past a release: the last outcome as it was.
struct Leak {
  double last = 0;
};

/// Writes every outcome down where a learner can read it.
class Tells final : public SameChannel {
 public:
  Tells(std::unique_ptr<AnyChannel> channel, std::shared_ptr<Leak> leak)
      : SameChannel(std::move(channel)), leak_(std::move(leak)) {}
  void add(Slot slot, std::span<const privacy::Secret<Sum>> sums) override {
    leak_->last = privacy::Exact::release(sums[0]).value();
    SameChannel::add(slot, sums);
  }
  privacy::Released<double> report(Arm arm, const privacy::Secret<Outcome>& outcome) override {
    leak_->last = privacy::Exact::release(outcome).value();
    return SameChannel::report(arm, outcome);
  }
  std::vector<privacy::Released<double>> report(std::span<const Arm> list,
                                                const privacy::Secret<Stop>& stop) override {
    leak_->last = privacy::declassify(stop).value().position;
    return SameChannel::report(list, stop);
  }

 private:
  std::shared_ptr<Leak> leak_;
};

class SameLearner : public policies::Learner {
 public:
  explicit SameLearner(std::unique_ptr<Learner> learner) : learner_(std::move(learner)) {}

  bool starts_from_raw_outcomes() const override { return learner_->starts_from_raw_outcomes(); }
  void start(Arm arm, const privacy::Released<double>& outcome) override {
    learner_->start(arm, outcome);
  }
  void choose(const policies::Situation& situation, policies::Choice& choice) override {
    learner_->choose(situation, choice);
  }
  Round assign(Slot slot, Round n) override { return learner_->assign(slot, n); }
  Round seal(Slot slot) override { return learner_->seal(slot); }
  void deliver(Slot slot, policies::Values values, Round n, int noises) override {
    learner_->deliver(slot, values, n, noises);
  }
  void take(const policies::Choice& choice, policies::Values reports) override {
    learner_->take(choice, reports);
  }
  int recorded() const override { return learner_->recorded(); }
  policies::View show(Arm arm) const override { return learner_->show(arm); }
  void save(StateWriter& writer) const override { learner_->save(writer); }
  void load(StateReader& reader) override { learner_->load(reader); }

 private:
  std::unique_ptr<Learner> learner_;
};

/// Plays what it would, but never the last arm after an outcome of 1.
class Peeks final : public SameLearner {
 public:
  Peeks(std::unique_ptr<Learner> learner, std::shared_ptr<Leak> leak, int arms)
      : SameLearner(std::move(learner)), leak_(std::move(leak)) {
    for (Arm arm = 0; arm + 1 < arms; ++arm) but_the_last_.push_back(arm);
  }
  void choose(const policies::Situation& situation, policies::Choice& choice) override {
    SameLearner::choose({situation.t, leak_->last >= 1 ? std::span<const Arm>(but_the_last_)
                                                       : std::span<const Arm>()},
                        choice);
  }

 private:
  std::shared_ptr<Leak> leak_;
  std::vector<Arm> but_the_last_;
};

/// The policy with a learner that reads raw outcomes beside what it is told.
inline Play peeking(Play play) {
  const auto leak = std::make_shared<Leak>();
  play.channel_twin = [leak](auto channel) {
    return std::make_unique<Tells>(std::move(channel), leak);
  };
  play.learner_twin = [leak, arms = play.setting.arms](auto learner) {
    leak->last = 0;
    return std::make_unique<Peeks>(std::move(learner), leak, arms);
  };
  return play;
}

/// Ends a slot early after an outcome of 1.
class ReleasesEarly final : public SameLearner {
 public:
  ReleasesEarly(std::unique_ptr<Learner> learner, std::shared_ptr<Leak> leak)
      : SameLearner(std::move(learner)), leak_(std::move(leak)) {}
  Round assign(Slot slot, Round n) override {
    const Round full = SameLearner::assign(slot, n);
    return full == 0 && leak_->last >= 1 ? seal(slot) : full;
  }

 private:
  std::shared_ptr<Leak> leak_;
};

inline Play releasing_early(Play play) {
  const auto leak = std::make_shared<Leak>();
  play.channel_twin = [leak](auto channel) {
    return std::make_unique<Tells>(std::move(channel), leak);
  };
  play.learner_twin = [leak](auto learner) {
    leak->last = 0;
    return std::make_unique<ReleasesEarly>(std::move(learner), leak);
  };
  return play;
}

/// Its noise changed.
template <class Channel>
Play with_noise(Play play) {
  const bool runs_on = audit::runs_on(play.plan());
  play.channel_twin = [runs_on](auto own) {
    auto channel = std::make_unique<Channel>(std::move(own));
    if (runs_on) channel->runs_on();
    return channel;
  };
  return play;
}

template <class Channel>
Play with_channel(Play play) {
  play.channel_twin = [](auto channel) { return std::make_unique<Channel>(std::move(channel)); };
  return play;
}

}  // namespace tacit::audit
