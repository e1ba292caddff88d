#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tacit/policies/epoch_leader_policy.hpp"

namespace tacit::policies {
namespace {

using privacy::NoisyMax;

privacy::SecretVector<Sum> sums(const std::vector<Round>& ones) {
  privacy::SecretVector<Sum> result(ones.size());
  for (std::size_t i = 0; i < ones.size(); ++i) {
    result.set(i, privacy::Secret<Sum>(Sum::of_ones(ones[i])));
  }
  return result;
}

template <class Selector>
EpochLeaderPolicy<Selector> policy(Selector selector, Pace pace = Pace::kSkipping) {
  return {3, selector, pace, random::SimulationKey(1, "leader", "test", 0)};
}

template <class Policy>
void follows_the_last_epoch_alone(Policy leader) {
  EXPECT_EQ(leader.decide(1).action, 0);
  EXPECT_EQ(leader.decide(1).until, 1);
  leader.learn({0, 1}, 1, sums({0, 1, 0}));
  EXPECT_EQ(leader.decide(2).action, 1);
  EXPECT_EQ(leader.decide(2).until, 3);
  leader.learn({1, 3}, 1, sums({0, 1, 0}));
  EXPECT_EQ(leader.decide(3).until, 3) << "the rest of the epoch";
  leader.learn({1, 3}, 1, sums({0, 1, 0}));
  EXPECT_EQ(leader.decide(4).action, 1);
  // Two more for action 2 in this epoch, against three for action 1 in all epochs before.
  leader.learn({1, 7}, 4, sums({0, 0, 2}));
  EXPECT_EQ(leader.decide(8).action, 2);
}

TEST(EpochLeaderPolicy, FollowsTheLastEpochAlone) {
  follows_the_last_epoch_alone(policy(NoisyLeader(NoisyMax(NoisyMax::Noise::kLaplace, 1e-9))));
  follows_the_last_epoch_alone(policy(NoisyLeader(NoisyMax(NoisyMax::Noise::kExponential, 1e-9))));
  follows_the_last_epoch_alone(policy(NoisySums(privacy::Laplace(1e-9))));
}

TEST(EpochLeaderPolicy, EveryEpochHasNoiseOfItsOwn) {
  auto leader = policy(NoisyLeader(NoisyMax(NoisyMax::Noise::kLaplace, 1)));
  std::set<Arm> leaders;
  for (int epoch = 0; epoch < 40; ++epoch) {
    const Decision d = leader.decide(1);
    leader.learn(d, d.until, sums({5, 5, 5}));
    leaders.insert(leader.decide(1).action);
  }
  EXPECT_EQ(leaders.size(), 3U);
}

}  // namespace
}  // namespace tacit::policies
