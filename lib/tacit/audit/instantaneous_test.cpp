#include "tacit/audit/instantaneous.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tacit/audit/exact_instantaneous.hpp"
#include "tacit/audit/twins_test.hpp"
#include "tacit/audit/whole_noise.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::audit {
namespace {

Play play_of(const std::string& policy, double epsilon) {
  return audit::play_of(AuditRequest(policy, epsilon));
}

/// Definition 3 without a thought: on every table of bits every path of released values is played from the first round, and
/// the probabilities of histories of actions are added up.
class EveryHistory {
 public:
  EveryHistory(const std::string& policy, double epsilon, Round rounds)
      : play_(small_play(policy, epsilon)), rounds_(rounds) {
    play_.setting.horizon = rounds;
  }

  double largest_loss() {
    const std::size_t bits = 2 * static_cast<std::size_t>(rounds_);
    std::vector<std::map<std::vector<Arm>, double>> tables;
    for (std::size_t table = 0; table < std::size_t{1} << bits; ++table) {
      table_ = table;
      chances_.clear();
      play({});
      tables.push_back(chances_);
    }
    double largest = 0;
    for (std::size_t table = 0; table < tables.size(); ++table) {
      for (Round t = 1; t <= rounds_; ++t) {
        for (std::size_t change = 1; change < 4; ++change)
          largest = std::max(largest, loss(tables[table], tables[table ^ (change << 2 * (t - 1))]));
      }
    }
    return largest;
  }

 private:
  static double loss(const std::map<std::vector<Arm>, double>& one,
                     const std::map<std::vector<Arm>, double>& other) {
    double largest = 0;
    for (const auto& [history, chance] : one) {
      if (history.size() < 2) continue;
      const std::vector<Arm> before(history.begin(), history.end() - 1);
      const double given = chance / one.at(before);
      largest = std::max(largest, std::log(given / (other.at(history) / other.at(before))));
    }
    return largest;
  }
  double outcome(Round t, Arm arm) const {
    return static_cast<double>(table_ >> (2 * (t - 1) + arm) & 1U);
  }

  /// Plays what was told so far; what comes next is told in every way.
  void play(const std::vector<double>& so_far) {
    const random::SimulationKey key(play_.seed, play_.entry.card.name, "exact", 0);
    auto learner = play_.entry.learner(play_.setting, play_.parameters, random::Dice(key));
    const curators::Plan plan = play_.plan();
    policies::Choice choice;
    std::vector<Arm> history;
    std::map<Slot, double> sums;
    std::map<Arm, std::pair<Round, double>> running;
    double chance = 1;
    std::size_t told = 0;
    for (Round t = 1; t <= rounds_; ++t) {
      learner->choose({t}, choice);
      history.push_back(choice.arm());
      if (told == so_far.size()) chances_[history] += chance;
      const Slot slot = choice.slots()[0];
      const double seen = outcome(t, slot.arm);
      if (const auto* response = std::get_if<curators::ResponsePlan>(&plan)) {
        if (told == so_far.size()) return go_on(so_far, {0, 1}, t);
        const double lie = 1 / (1 + std::exp(response->epsilon));
        chance *= so_far[told] == seen ? 1 - lie : lie;
        learner->take(choice, published(so_far[told++]));
        continue;
      }
      sums[slot] += seen;
      auto& [n, sum] = running[slot.arm];
      const Round full = learner->assign(slot, 1);
      if (full == 0) continue;
      const auto* interval = std::get_if<curators::IntervalPlan>(&plan);
      n += full;
      sum = interval != nullptr ? sum + sums[slot] : sums[slot];
      const WholeNoise noise{interval != nullptr ? interval->scale(n)
                                                 : std::get<curators::PhasePlan>(plan).scale};
      const int most = static_cast<int>(interval != nullptr ? n : full);
      const int reach = static_cast<int>(std::ceil(kReach * noise.scale));
      if (told == so_far.size()) {
        std::vector<double> values;
        for (int value = -reach; value <= most + reach; ++value) values.push_back(value);
        return go_on(so_far, values, t);
      }
      const int value = static_cast<int>(so_far[told]);
      const int truth = static_cast<int>(sum);
      double of_value = 0;  // added up one by one, the tails too
      for (int x = -60; x <= 60; ++x) {
        if (std::clamp(truth + x, -reach, most + reach) == value) of_value += noise.chance(x);
      }
      chance *= of_value;
      learner->deliver(slot, published(so_far[told++]), full, 1);
    }
  }
  void go_on(const std::vector<double>& so_far, const std::vector<double>& values, Round t) {
    if (t == rounds_) return;  // no choice follows
    for (const double value : values) {
      std::vector<double> longer = so_far;
      longer.push_back(value);
      play(longer);
    }
  }
  static std::vector<privacy::Released<double>> published(double value) {
    return {privacy::Published::again(value)};
  }

  Play play_;
  Round rounds_;
  std::size_t table_ = 0;
  std::map<std::vector<Arm>, double> chances_;
};

TEST(ExactInstantaneous, AgreesWithGoingThroughEverything) {
  const auto compare = [](const std::string& policy, double epsilon, Round rounds) {
    const double brute = EveryHistory(policy, epsilon, rounds).largest_loss();
    const ExactResult quick = exact_instantaneous_audit(play_of(policy, epsilon), rounds);
    EXPECT_NEAR(quick.epsilon, brute, 1e-9) << policy << " " << epsilon;
    EXPECT_GT(brute, 0) << policy << ": something is seen";
    EXPECT_EQ(quick.rounds, rounds);
  };
  compare("dp-ucb-int", 1, 3);
  compare("dp-ucb-int", 20, 3);
  compare("anytime-lazy-ucb", 2, 4);
  compare("kl-ucb-cf", 1, 5);
  compare("ldp-ucb-bits", 0.5, 5);
}

TEST(ExactInstantaneous, StaysBelowTwiceTheCentralEpsilon) {
  for (const char* policy : {"anytime-lazy-ucb", "adap-klucb", "dp-klucb", "lazy-dp-ts",
                             "ldp-ucb-bits", "kl-ucb-cf", "ts-cf", "dp-ucb-tree"}) {
    Play play = play_of(policy, 1);
    const ExactResult result = exact_instantaneous_audit(play, 0, 2'000'000);
    play.setting.horizon = result.rounds;
    EXPECT_LE(result.epsilon, instantaneous_claim_of(play)->epsilon * (1 + 1e-9)) << policy;
    EXPECT_GT(result.epsilon, 0.15) << policy << ": " << result.where;
    EXPECT_NE(result.where.find("after "), std::string::npos) << result.where;
  }
}

TEST(ExactInstantaneous, FindsATwinWithLessNoise) {
  Play twin = play_of("anytime-lazy-ucb", 0.5);
  const ExactResult whole = exact_instantaneous_audit(twin, 6);
  EXPECT_LE(whole.epsilon, instantaneous_claim_of(twin)->epsilon);
  twin.played_with = 2;
  EXPECT_GT(exact_instantaneous_audit(twin, 6).epsilon, instantaneous_claim_of(twin)->epsilon);
}

TEST(ExactInstantaneous, RefutesWhatIsPublishedOfDpUcbInt) {
  // Ten outcomes come out together, and cost 10^-0.55 = 0.28 of one user's.
  Play play = play_of("dp-ucb-int", 0.1);
  const ExactResult result = exact_instantaneous_audit(play);
  EXPECT_DOUBLE_EQ(instantaneous_claim_of(play)->epsilon, 0.1);
  EXPECT_GT(result.epsilon, 0.15) << result.where;
  EXPECT_LT(result.epsilon, 2 * 0.29);
}

TEST(ExactInstantaneous, RefusesWhatItDoesNotCompute) {
  for (const char* policy : {"dpucb-mat", "ftnl", "pf-ftnl", "cascade-ldp", "cucb-ldp-gaussian"}) {
    EXPECT_THROW(exact_instantaneous_audit(play_of(policy, 1), 4), InvalidParameter) << policy;
  }
  EXPECT_THROW(exact_instantaneous_audit(play_of("ucb1", 1), 4), InvalidParameter);
  EXPECT_THROW(exact_instantaneous_audit(play_of("dp-ucb-int", 1), 40), InvalidParameter);
}

TEST(InstantaneousClaims, AreTheSmallerOfWhatIsPublishedAndTwiceTheCentralOne) {
  const auto claim = [](const std::string& policy, double epsilon) {
    return instantaneous_claim_of(play_of(policy, epsilon));
  };
  EXPECT_DOUBLE_EQ(claim("anytime-lazy-ucb", 1)->epsilon, 2);
  EXPECT_DOUBLE_EQ(claim("ts-cf", 0.5)->epsilon, 1);
  EXPECT_DOUBLE_EQ(claim("dp-ucb-int", 1)->epsilon, 1) << "published";
  EXPECT_LT(claim("dp-ucb-int", 1000)->epsilon, 100) << "twice the sum of all its costs";
  EXPECT_DOUBLE_EQ(claim("rnm-ftnl-as-published", 1)->epsilon, 4) << "twice what it has";
  EXPECT_FALSE(claim("cucb-ldp-gaussian", 1)) << "up to a delta";
  EXPECT_FALSE(claim("ucb1", 1));
}

TEST(InstantaneousAudit, RefutesNothingThatIsRight) {
  const Effort effort{.samples = 12000};
  for (const char* policy :
       {"anytime-lazy-ucb", "ts-cf", "ldp-ucb-bits", "rnm-ftnl", "dpucb-mat"}) {
    const AuditResult result = instantaneous_audit(play_of(policy, 1), effort);
    EXPECT_EQ(result.verdict, Verdict::kNotRefuted) << policy;
    EXPECT_LT(result.guesses.lower_bound, result.claimed->epsilon) << policy;
  }
}

TEST(InstantaneousAudit, CertifiesSomeOfWhatThereIs) {
  const AuditResult bits = instantaneous_audit(play_of("ldp-ucb-bits", 1), {.samples = 20000});
  EXPECT_GT(bits.guesses.lower_bound, 0.2);
  EXPECT_NE(bits.guesses.pair.find("after"), std::string::npos) << bits.guesses.pair;
}

TEST(InstantaneousAudit, FindsHalfTheNoiseByTheLawAndMuchLessByTheActions) {
  Play twin = play_of("anytime-lazy-ucb", 1);
  twin.played_with = 2;
  EXPECT_EQ(instantaneous_audit(twin, {.samples = 2000}).verdict, Verdict::kViolated);
  EXPECT_FALSE(instantaneous_audit(twin, {.samples = 2000}).law.complaint.empty());
  Play broken = play_of("anytime-lazy-ucb", 0.25);
  broken.played_with = 4;
  const SequentialResult guessed = guess_actions(broken, 0.5, {.samples = 40000});
  EXPECT_TRUE(guessed.violated);
  EXPECT_GE(guessed.lower_bound, 0.5);
  EXPECT_LT(guessed.samples, 40000) << "stopped when it knew";
}

TEST(InstantaneousAudit, GuessesBaselinesWithoutAClaim) {
  const AuditResult result = instantaneous_audit(play_of("ucb1", 1), {.samples = 4000});
  EXPECT_EQ(result.verdict, Verdict::kNoClaim);
  EXPECT_FALSE(result.claimed);
}

}  // namespace
}  // namespace tacit::audit
