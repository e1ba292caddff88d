#include "tacit/curators/epoch_sums.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tacit/curators/curators_test.hpp"

namespace tacit::curators {
namespace {

using privacy::SecretVector;
using AllSums = EpochSums<NoisySums, Simulated>;
using Leader = EpochSums<NoisyLeader, Simulated>;

SecretVector<Sum> of(const std::vector<Round>& counts) {
  SecretVector<Sum> sums(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) sums.set(i, ones(counts[i]));
  return sums;
}

Slot epoch(Round e) { return {kAllArms, e}; }

std::vector<double> values_of(const std::vector<privacy::Released<double>>& released) {
  std::vector<double> values;
  for (const auto& value : released) values.push_back(value.value());
  return values;
}

TEST(EpochSums, ReleaseEveryArmsSumOfTheEpoch) {
  AllSums sums({.scale = kTiny}, 3, simulated());
  sums.add(epoch(0), of({1, 0, 1}));
  sums.add(epoch(1), of({5, 5, 5}));
  sums.add(epoch(0), of({1, 1, 0}));
  const auto first = values_of(sums.release(epoch(0), 2));
  ASSERT_EQ(first.size(), 3U);
  EXPECT_NEAR(first[0], 2, 1e-6);
  EXPECT_NEAR(first[1], 1, 1e-6);
  EXPECT_NEAR(first[2], 1, 1e-6);
  EXPECT_NEAR(values_of(sums.release(epoch(1), 5))[2], 5, 1e-6);
}

TEST(EpochSums, ReleaseOnlyWhoLeads) {
  for (const bool one_sided : {false, true}) {
    Leader leader({.one_sided = one_sided, .scale = kTiny}, 3, simulated());
    leader.add(epoch(0), of({4, 9, 7}));
    EXPECT_EQ(values_of(leader.release(epoch(0), 10)), std::vector<double>{1});
    leader.add(epoch(1), of({4, 3, 7}));
    EXPECT_EQ(values_of(leader.release(epoch(1), 10)), std::vector<double>{2});
  }
}

TEST(EpochSums, OfEqualArmsLetAnyLead) {
  std::set<double> leaders;
  for (std::uint64_t run = 0; run < 200; ++run) {
    Leader leader({.one_sided = true, .scale = 1}, 3, simulated(run));
    leader.add(epoch(0), of({4, 4, 4}));
    leaders.insert(leader.release(epoch(0), 4)[0].value());
  }
  EXPECT_EQ(leaders.size(), 3U);
}

TEST(EpochSums, EveryReleaseHasNoiseOfItsOwn) {
  AllSums sums({.scale = 1}, 4, simulated());
  std::set<double> noises;
  for (const Round e : {0, 1, 2}) {
    for (const double value : values_of(sums.release(epoch(e), 1))) noises.insert(value);
  }
  EXPECT_EQ(noises.size(), 12U);
}

TEST(EpochSums, ReleaseAnEpochThatNobodyAnswered) {
  AllSums sums({.scale = kTiny}, 2, simulated());
  for (const double value : values_of(sums.release(epoch(0), 1))) EXPECT_NEAR(value, 0, 1e-6);
}

TEST(EpochSums, DropWhatComesAfterTheRelease) {
  AllSums sums({.scale = kTiny}, 2, simulated());
  sums.release(epoch(0), 1);
  sums.add(epoch(0), of({1, 1}));  // late
  EXPECT_NEAR(values_of(sums.release(epoch(1), 2))[0], 0, 1e-6);
}

TEST(EpochSums, ReleaseNoEpochTwiceNorOutOfTurn) {
  AllSums sums({.scale = 1}, 2, simulated());
  sums.add(epoch(1), of({1, 1}));
  EXPECT_THROW(sums.release(epoch(1), 1), InvalidParameter);
  sums.release(epoch(0), 1);
  EXPECT_THROW(sums.release(epoch(0), 1), InvalidParameter);
  EXPECT_NO_THROW(sums.release(epoch(1), 1));
}

TEST(EpochSums, OneRoundEntersOneRelease) {
  accounting::Ledger ledger;
  AllSums sums({.scale = 6}, 3, simulated(0, &ledger));
  Round length = 1;
  for (const Round e : {0, 1, 2, 3}) {
    sums.release(epoch(e), length);
    length *= 2;
  }
  EXPECT_DOUBLE_EQ(ledger.worst_epsilon(), 0.5) << "three arms over a scale of six";
  ASSERT_EQ(ledger.entries().size(), 4U);
  EXPECT_EQ(ledger.entries()[3].arm, kAllArms);
  EXPECT_EQ(ledger.entries()[3].first, 8);
  EXPECT_EQ(ledger.entries()[3].last, 15);
  const NoisySumsPlan plan{.scale = 6};
  EXPECT_DOUBLE_EQ(plan.guarantee({feedback::FullInformation::sensitivity(3), "all sums"},
                                  privacy::Arithmetic::kIdealised)
                       .epsilon,
                   0.5);
}

TEST(EpochSums, OfALeaderPayTwiceWhenArmsMoveBothWays) {
  const NoisyLeaderPlan plan{.one_sided = true, .scale = 4};
  EXPECT_DOUBLE_EQ(plan.guarantee({feedback::FullInformation::sensitivity(3), "all sums"},
                                  privacy::Arithmetic::kIdealised)
                       .epsilon,
                   0.5);
  accounting::Ledger ledger;
  Leader leader(plan, 3, simulated(0, &ledger));
  leader.release(epoch(0), 1);
  leader.release(epoch(1), 2);
  EXPECT_DOUBLE_EQ(ledger.worst_epsilon(), 0.5);
}

TEST(EpochSums, ShowWhatTheyRelease) {
  accounting::Transcript transcript;
  accounting::Ledger ledger(&transcript);
  AllSums sums({.scale = 1}, 2, simulated(0, &ledger));
  const auto values = values_of(sums.release(epoch(0), 1));
  ASSERT_EQ(transcript.shown.size(), 2U);
  EXPECT_EQ(transcript.shown[1].arm, kAllArms);
  EXPECT_EQ(transcript.shown[1].value, values[1]);
}

template <class Sums, class Plan>
void expect_to_go_on_where_saved(const Plan& plan) {
  accounting::Ledger first;
  accounting::Ledger second;
  Sums sums(plan, 3, simulated(0, &first));
  sums.add(epoch(0), of({1, 0, 1}));
  sums.release(epoch(0), 1);
  sums.add(epoch(1), of({1, 2, 0}));
  sums.add(epoch(3), of({0, 0, 2}));
  Sums again(plan, 3, simulated(0, &second));
  again.add(epoch(5), of({9, 9, 9}));  // what was there goes
  load(again, sums);
  for (Sums* s : {&sums, &again}) {
    s->add(epoch(0), of({7, 7, 7}));
    s->add(epoch(1), of({0, 1, 0}));
  }
  for (const Round e : {1, 2, 3, 4, 5}) {
    EXPECT_EQ(values_of(again.release(epoch(e), 2)), values_of(sums.release(epoch(e), 2))) << e;
  }
  EXPECT_EQ(second.entries()[0].first, 2);
  EXPECT_EQ(second.entries()[4].last, first.entries()[5].last);
}

TEST(EpochSums, GoOnWhereTheyWereSavedInMidEpoch) {
  expect_to_go_on_where_saved<AllSums>(NoisySumsPlan{.scale = 1});
  expect_to_go_on_where_saved<Leader>(NoisyLeaderPlan{.one_sided = true, .scale = 1});
}

}  // namespace
}  // namespace tacit::curators
