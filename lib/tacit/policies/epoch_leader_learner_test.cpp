#include "tacit/policies/epoch_leader_learner.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tacit/curators/epoch_sums.hpp"

namespace tacit::policies {
namespace {

using privacy::SimulatedNoise;

privacy::SecretVector<Sum> sums(const std::vector<Round>& ones) {
  privacy::SecretVector<Sum> result(ones.size());
  for (std::size_t i = 0; i < ones.size(); ++i) {
    result.set(i, privacy::Secret<Sum>(Sum::of_ones(ones[i])));
  }
  return result;
}

/// A learner and its curator.
template <Leaves kLeaves, template <class> class Selector>
class Played {
 public:
  explicit Played(const typename Selector<SimulatedNoise>::Plan& plan)
      : learner_(3, Pace::kSkipping, random::Dice::numbered(1)),
        curator_(plan, 3,
                 SimulatedNoise(random::SimulationKey(1, "leader", "test", 0),
                                privacy::Arithmetic::kIdealised)) {}

  Choice choose(Round t) {
    Choice choice;
    learner_.choose({t}, choice);
    return choice;
  }
  void learn(Round t, Round n, const std::vector<Round>& ones) {
    const Slot slot = choose(t).slots()[0];
    curator_.add(slot, sums(ones));
    const Round full = learner_.assign(slot, n);
    if (full > 0) learner_.deliver(slot, curator_.release(slot, full), full, 1);
  }

 private:
  EpochLeaderLearner<kLeaves> learner_;
  curators::EpochSums<Selector, SimulatedNoise> curator_;
};

template <class P>
void follows_the_last_epoch_alone(P leader) {
  EXPECT_EQ(leader.choose(1).arm(), 0);
  EXPECT_EQ(leader.choose(1).until, 1);
  leader.learn(1, 1, {0, 1, 0});
  EXPECT_EQ(leader.choose(2).arm(), 1);
  EXPECT_EQ(leader.choose(2).until, 3);
  leader.learn(2, 1, {0, 1, 0});
  EXPECT_EQ(leader.choose(3).until, 3) << "the rest of the epoch";
  leader.learn(3, 1, {0, 1, 0});
  EXPECT_EQ(leader.choose(4).arm(), 1);
  // Two more for action 2 in this epoch, against three for action 1 in all epochs before.
  leader.learn(4, 4, {0, 0, 2});
  EXPECT_EQ(leader.choose(8).arm(), 2);
}

using ByLeader = Played<Leaves::kLeader, curators::NoisyLeader>;
using BySums = Played<Leaves::kSums, curators::NoisySums>;

TEST(EpochLeaderLearner, FollowsTheLastEpochAlone) {
  follows_the_last_epoch_alone(ByLeader({.one_sided = false, .scale = 1e-9}));
  follows_the_last_epoch_alone(ByLeader({.one_sided = true, .scale = 1e-9}));
  follows_the_last_epoch_alone(BySums({.scale = 1e-9}));
}

TEST(EpochLeaderLearner, EveryEpochHasNoiseOfItsOwn) {
  ByLeader leader({.one_sided = false, .scale = 1});
  std::set<Arm> leaders;
  for (int epoch = 0; epoch < 40; ++epoch) {
    leader.learn(1, leader.choose(1).until, {5, 5, 5});
    leaders.insert(leader.choose(1).arm());
  }
  EXPECT_EQ(leaders.size(), 3U);
}

TEST(EpochLeaderLearner, AnEpochThatIsOvershotOrEndedEarlyHoldsWhatItGot) {
  EpochLeaderLearner<Leaves::kLeader> leader(3, Pace::kSkipping, random::Dice::numbered(1));
  EXPECT_EQ(leader.seal({kAllArms, 0}), 0) << "nothing is in it";
  EXPECT_EQ(leader.assign({kAllArms, 0}, 5), 5);
  Choice choice;
  leader.choose({6}, choice);
  EXPECT_EQ(choice.slots()[0], (Slot{kAllArms, 1}));
  EXPECT_EQ(choice.until, 7) << "the next is as long as ever";
  EXPECT_EQ(leader.assign({kAllArms, 1}, 1), 0);
  EXPECT_EQ(leader.seal({kAllArms, 1}), 1);
  EXPECT_EQ(leader.seal({kAllArms, 1}), 0) << "it is gone";
}

TEST(EpochLeaderLearner, EpochsThatAreAllEndedEarlyAreNeverShortAgain) {
  EpochLeaderLearner<Leaves::kSums> leader(3, Pace::kSkipping, random::Dice::numbered(1));
  constexpr Round kEpochs = 200;
  for (Round epoch = 0; epoch < kEpochs; ++epoch) {
    const Round full = leader.assign({kAllArms, epoch}, 1);
    EXPECT_EQ(full, epoch == 0 ? 1 : 0) << epoch;
    EXPECT_EQ(leader.seal({kAllArms, epoch}), epoch == 0 ? 0 : 1) << epoch;
  }
}

}  // namespace
}  // namespace tacit::policies
