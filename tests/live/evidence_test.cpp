// How sure a held policy is: intervals that hold at any time, whatever is forgotten, late or lost; and when it may stop.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "held.hpp"
#include "statistics/goodness_of_fit.hpp"

namespace tacit::live {
namespace {

constexpr std::array<double, kArms> kMeans{0.75, 0.6, 0.45, 0.3};
constexpr double kLost = 0.2;  // of users never answer
constexpr double kMissing = 0.9;
constexpr Round kWait = 12;

bool within(const std::pair<double, double>& interval, double value) {
  return interval.first <= value && value <= interval.second;
}

/// Users who answer before kWait more choices are over, in any order, or never.
class LateUsers {
 public:
  LateUsers(const Setup& setup, const random::SimulationKey& key)
      : users_(setup, key, privacy::Arithmetic::kExact),
        outcomes_(key.stream(random::Purpose::kOutcomes)),
        delays_(key.stream(random::Purpose::kDelays)) {}

  void ask(const Ticket& ticket) {
    std::vector<double> row = row_of(outcomes_, kMeans);
    const bool lost = random::bernoulli(delays_, kLost);
    const Round when = ticket.number() + random::uniform_index(delays_, kWait + 1);
    if (!lost) waiting_.emplace(when, std::pair(ticket, std::move(row)));
  }
  /// All whose time has come; how many.
  int answer(Policy& policy) {
    int answers = 0;
    for (; !waiting_.empty() && waiting_.begin()->first <= policy.choices(); ++answers) {
      const auto& [ticket, row] = waiting_.begin()->second;
      users_.answer(policy, ticket, row);
      waiting_.erase(waiting_.begin());
    }
    return answers;
  }

 private:
  Users users_;
  random::SimulationStream outcomes_;
  random::SimulationStream delays_;
  std::multimap<Round, std::pair<Ticket, std::vector<double>>> waiting_;
};

/// Chooses among all arms, and now and then among all but the one that looks best: what is asked for follows from what
/// is shown.
Ticket choose_by_what_is_shown(Policy& policy) {
  if (policy.choices() % 40 < 30) return policy.choose();
  const auto shown = policy.show();
  Arm best = 0;
  for (Arm arm = 1; arm < kArms; ++arm) {
    if (!(shown[static_cast<std::size_t>(arm)].mean <= shown[static_cast<std::size_t>(best)].mean))
      best = arm;
  }
  std::vector<Arm> others;
  for (Arm arm = 0; arm < kArms; ++arm) {
    if (arm != best) others.push_back(arm);
  }
  return policy.choose(others);
}

struct Missed {
  std::array<int, kArms> mean{};
  int difference = 0;
};

/// In how many runs an interval ever misses what it is of.
Missed ever_missed(const std::string& name, double coverage, std::uint64_t runs) {
  Setup setup = setup_of(name, kWait, kMissing);
  if (setup.epsilon) setup.epsilon = 0.3;
  const bool slots = by_slot(name);
  const auto counted = [&](double mean) {
    return slots ? (1 - kLost) * mean + kLost * kMissing : mean;
  };
  Missed missed;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const random::SimulationKey key(11, name, "evidence", run);
    Policy policy = Policy::rehearsal(setup, key);
    LateUsers users(setup, key);
    std::array<bool, kArms> mean{};
    bool difference = false;
    std::uint64_t told = 0;
    for (Round t = 0; t < kRounds; ++t) {
      const std::uint64_t before = policy.releases();
      users.ask(choose_by_what_is_shown(policy));
      const int answers = users.answer(policy);
      if (slots ? policy.releases() == before : answers == 0) continue;
      const auto shown = policy.show(coverage);
      for (std::size_t arm = 0; arm < kArms; ++arm) {
        mean[arm] = mean[arm] || !within(*shown[arm].interval, counted(kMeans[arm]));
      }
      if (!slots && ++told % 20 != 0) continue;  // dear, and little changes
      const auto apart = policy.difference(0, 2, coverage);
      difference = difference || !within(*apart, counted(kMeans[0]) - counted(kMeans[2]));
    }
    for (std::size_t arm = 0; arm < kArms; ++arm) missed.mean[arm] += mean[arm] ? 1 : 0;
    missed.difference += difference ? 1 : 0;
  }
  return missed;
}

/// Of every law that a release has, and of learners that forget.
const std::vector<std::string> kOfEveryLaw{
    "mgf-imed",        "mgf-tt",     "anytime-lazy-ucb",  "ftnl", "lazy-kl-cucb", "ldp-ucb-bits",
    "ldp-ucb-laplace", "ldp-mgf-tt", "cucb-ldp-gaussian", "ucb1", "cascade-dp"};

class OfEveryLaw : public ::testing::TestWithParam<std::string> {};

TEST_P(OfEveryLaw, IntervalsHoldAtAnyTimeWithLateAndLostAnswers) {
  constexpr double kCoverage = 0.9;
  constexpr std::uint64_t kRuns = 100;
  const double error =
      testing::kFamilyError / static_cast<double>((kArms + 1) * kOfEveryLaw.size());
  const double most = testing::most_successes(kRuns, 1 - kCoverage, error);
  ASSERT_LT(most, kRuns / 2) << "or it could not fail";
  const Missed missed = ever_missed(GetParam(), kCoverage, kRuns);
  for (std::size_t arm = 0; arm < kArms; ++arm) EXPECT_LE(missed.mean[arm], most) << "arm " << arm;
  EXPECT_LE(missed.difference, most);
}

INSTANTIATE_TEST_SUITE_P(Releases, OfEveryLaw, ::testing::ValuesIn(kOfEveryLaw), name_of_suite);

TEST(HeldEvidence, IsOfOutcomesWithMissingAnswersSoCounted) {
  for (const double missing : {0.0, 0.5}) {
    Policy policy = Policy::rehearsal(
        {.policy = "mgf-imed", .arms = 2, .epsilon = 1, .wait = 5, .missing = missing},
        random::SimulationKey(1, "live", "missing", 0));
    for (int i = 0; i < 4000; ++i) {
      const Ticket ticket = policy.choose();
      if (i % 2 == 0) policy.report(ticket, 1);
    }
    for (const ArmView& arm : policy.show(1 - 1e-6)) {
      EXPECT_TRUE(within(*arm.interval, 0.5 + 0.5 * missing));
      if (arm.n > 1000) {
        EXPECT_FALSE(within(*arm.interval, 1)) << "of those who answered";
      }
    }
  }
}

TEST(HeldEvidence, CountsWhoAnsweredWhereReportsAreTaken) {
  Policy policy = Policy::rehearsal({.policy = "ucb1", .arms = 2, .missing = 0.5},
                                    random::SimulationKey(1, "live", "missing", 0));
  for (int i = 0; i < 1000; ++i) {
    const Ticket ticket = policy.choose();
    if (i % 2 == 0) policy.report(ticket, 1);
  }
  const auto shown = policy.show();
  EXPECT_EQ(shown[0].n + shown[1].n, 500);
  EXPECT_TRUE(within(*shown[0].interval, 1));
}

TEST(HeldEvidence, IsThereExactlyWhereReleasesSayWhatAMeanIs) {
  const std::set<std::string> silent{"dp-ucb-tree",          "dp-ts-tree",
                                     "dp-ucb-int",           "cucb-dp",
                                     "cucb-dp-weakest",      "rnm-ftnl",
                                     "cascade-ldp-stop",     "pf-ftnl",
                                     "cucb-dp-as-published", "rnm-ftnl-as-published"};
  std::set<std::string> found;
  for (const std::string& name : held_policies()) {
    const Policy policy(setup_of(name));
    const bool says = policy.show()[0].interval.has_value();
    EXPECT_EQ(policy.difference(0, 1).has_value(), says) << name;
    EXPECT_TRUE(policy.best(1, 0.5).empty()) << name << " knows before anything is released";
    if (!says) found.insert(name);
  }
  EXPECT_EQ(found, silent);
}

TEST(HeldEvidence, SaysNothingOfWhatWasNotReleased) {
  Policy policy(small());
  for (const ArmView& arm : policy.show()) {
    EXPECT_TRUE(std::isnan(arm.mean));
    EXPECT_EQ(*arm.interval, std::pair(0.0, 1.0));
  }
  EXPECT_EQ(*policy.difference(0, 1), std::pair(-1.0, 1.0));
}

TEST(HeldEvidence, OfADifferenceIsTheSameTheOtherWayRound) {
  Policy policy = Policy::rehearsal(small(), random::SimulationKey(1, "live", "apart", 0));
  for (int i = 0; i < 600; ++i) {
    const Ticket ticket = policy.choose();
    policy.report(ticket, ticket.arm() == 1 ? 1 : 0);
  }
  const auto one = *policy.difference(1, 0);
  const auto other = *policy.difference(0, 1);
  EXPECT_NEAR(one.first, -other.second, 1e-9);
  EXPECT_NEAR(one.second, -other.first, 1e-9);
  EXPECT_GT(one.first, 0.2) << "of means 1 and 0";
  const auto surer = *policy.difference(1, 0, 0.999);
  EXPECT_LT(surer.first, one.first);
  EXPECT_EQ(policy.best(1, 0.05), std::vector<Arm>{1});
}

TEST(HeldEvidence, IsAskedForByCoverageArmsAndErrorsThatExist) {
  const Policy policy(small());
  const auto expect = [](const std::string& said, const std::string& parameter,
                         const std::string& call) {
    EXPECT_TRUE(said.starts_with(parameter)) << said;
    EXPECT_NE(said.find(call), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  };
  for (const double bad : {0.0, 1.0, -0.5, 95.0, std::nan("")}) {
    expect(message_of([&] { policy.show(bad); }), "coverage", "show");
    expect(message_of([&] { policy.difference(0, 1, bad); }), "coverage", "difference");
    expect(message_of([&] { policy.best(1, bad); }), "error", "best");
  }
  for (const double fine : {1e-300, 1e-17, 1 - 1e-16}) {
    EXPECT_EQ(message_of([&] { policy.show(fine); }), "");
    EXPECT_EQ(message_of([&] { policy.difference(0, 1, fine); }), "");
  }
  for (const Arm arm : {-1, 3}) {
    expect(message_of([&] { policy.difference(arm, 0); }), "a", "must be an arm from 0 to 2");
    expect(message_of([&] { policy.difference(0, arm); }), "b", "must be an arm from 0 to 2");
  }
  expect(message_of([&] { policy.difference(2, 2); }), "b", "must be another arm");
  for (const int top : {-1, 0, 3, 4}) {
    expect(message_of([&] { policy.best(top, 0.05); }), "top", "less than the number of arms, 3");
  }
}

}  // namespace
}  // namespace tacit::live
