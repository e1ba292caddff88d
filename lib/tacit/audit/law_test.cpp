#include "tacit/audit/law.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tacit/audit/twins_test.hpp"

namespace tacit::audit {
namespace {

using privacy::Arithmetic;

constexpr double kError = 1e-6;

class EveryNoise : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryNoise, IsAsDeclared) {
  Play play = small_play(GetParam(), 1);
  if (play.entry.starts_from_raw_outcomes) GTEST_SKIP() << "nothing is declared";
  for (const Arithmetic arithmetic : {Arithmetic::kIdealised, Arithmetic::kExact}) {
    play.arithmetic = arithmetic;
    const LawResult result = law_audit(play, 40, kError);
    EXPECT_EQ(result.complaint, "");
    EXPECT_GT(result.released, 0);
  }
}

/// The policy with more epsilon than it says.
Play with_half_the_noise(Play play) {
  play.played_with = 2 * *play.setting.epsilon;
  return play;
}

TEST_P(EveryNoise, IsFoundOutWhenItIsHalf) {
  const Play play = small_play(GetParam(), 1);
  if (play.entry.starts_from_raw_outcomes) GTEST_SKIP() << "nothing is declared";
  // The noise of dp-ucb-int does not depend on epsilon from 1 on.
  const bool by_epsilon = GetParam() != "dp-ucb-int";
  const LawResult result =
      law_audit(by_epsilon ? with_half_the_noise(play) : with_noise<HalfTheNoise>(play), 100, 1e-3);
  EXPECT_NE(result.complaint, "") << "evidence " << result.evidence << ", released "
                                  << result.released;
  RecordProperty("samples", result.samples);
}

TEST(Law, FindsNoiseThatIsMissing) {
  for (const char* policy : {"mgf-imed", "dp-ucb-tree", "dp-ucb-int", "ldp-ucb-laplace", "ftnl",
                             "cucb-ldp2", "cucb-ldp-gaussian", "cucb-dp", "cascade-dp"}) {
    const LawResult result = law_audit(with_noise<NoNoise>(small_play(policy, 1)), 100, 1e-3);
    EXPECT_NE(result.complaint, "") << policy;
    EXPECT_LE(result.samples, 10) << policy;
  }
}

TEST(Law, FindsNoiseThatIsSharedBetweenPhases) {
  for (const char* policy : {"mgf-imed", "anytime-lazy-ucb", "cascade-dp", "lazy-kl-cucb"}) {
    const LawResult result = law_audit(with_noise<NoiseOfAnArm>(small_play(policy, 1)), 100, 1e-3);
    EXPECT_NE(result.complaint.find("are the same"), std::string::npos)
        << policy << ": " << result.complaint;
    EXPECT_LE(result.samples, 10) << policy;
  }
}

TEST(Law, FindsNoiseThatIsSharedBetweenArms) {
  for (const char* policy : {"mgf-imed", "dpucb-mat", "cucb-dp", "ldp-ucb-laplace"}) {
    for (const Arithmetic arithmetic : {Arithmetic::kIdealised, Arithmetic::kExact}) {
      Play play = with_noise<NoiseOfAPhase>(small_play(policy, 1));
      play.arithmetic = arithmetic;
      const LawResult result = law_audit(play, 100, 1e-3);
      EXPECT_NE(result.complaint, "") << policy;
    }
  }
}

TEST(Law, FindsNoiseThatLeansToOneSide) {
  for (const char* policy : {"mgf-imed", "ldp-ucb-laplace", "ftnl", "dp-ucb-int"}) {
    const LawResult result = law_audit(with_noise<OneSidedNoise>(small_play(policy, 1)), 100, 1e-3);
    EXPECT_NE(result.complaint.find("leans to one side"), std::string::npos)
        << policy << ": " << result.complaint;
  }
}

/// Of counters that are not a policy's own.
Play with_counter(const char* policy, const char* counter) {
  return audit::small_play(policies::find_policy(policy), 1, std::nullopt, {{"counter", counter}});
}

TEST(Law, KnowsEveryCounter) {
  for (const char* policy : {"dp-ucb-tree", "dp-ts-tree", "cucb-dp", "cucb-dp-weakest"}) {
    Play play = with_counter(policy, "hybrid");
    for (const Arithmetic arithmetic : {Arithmetic::kIdealised, Arithmetic::kExact}) {
      play.arithmetic = arithmetic;
      const LawResult result = law_audit(play, 40, kError);
      EXPECT_EQ(result.complaint, "") << policy;
      EXPECT_GT(result.released, 1000) << policy;
    }
    play.arithmetic = Arithmetic::kIdealised;
    EXPECT_NE(law_audit(with_half_the_noise(play), 100, 1e-3).complaint, "") << policy;
    EXPECT_NE(law_audit(with_noise<NoNoise>(play), 100, 1e-3).complaint, "") << policy;
    EXPECT_NE(law_audit(with_noise<NoiseOfAPhase>(play), 100, 1e-3).complaint, "")
        << policy << ": arms share their noise";
  }
}

/// Plays the arm again only where its released sum is much above what a sum can be: what is looked at next depends on the
/// noise so far.
class WaitsForMore final : public SameLearner {
 public:
  using SameLearner::SameLearner;
  void choose(const policies::Situation& situation, policies::Choice& choice) override {
    static constexpr Arm kFirst[] = {0};
    static constexpr Arm kLast[] = {1};
    SameLearner::choose({situation.t, high_ ? std::span(kFirst) : std::span(kLast)}, choice);
  }
  void deliver(Slot slot, policies::Values values, Round n, int noises) override {
    if (slot.arm == 0) high_ = ++released_ != 2 || values[0].value() > kHigh * scale_;
    SameLearner::deliver(slot, values, n, noises);
  }
  double scale_ = 0;

 private:
  static constexpr double kHigh = 3;
  int released_ = 0;
  bool high_ = true;
};

TEST(Law, SeldomComplainsOfWhatIsAsDeclaredWhateverTheLearnerWaitsFor) {
  Play play = audit::small_play(policies::find_policy("dp-ucb-tree"), 1, std::nullopt,
                                {{"counter", "signed"}, {"arity", "3"}});
  play.setting.horizon = 8;
  const double scale = std::get<curators::CounterPlan>(play.plan()).term_scale();
  play.learner_twin = [scale](auto learner) {
    auto waits = std::make_unique<WaitsForMore>(std::move(learner));
    waits->scale_ = scale;
    return waits;
  };
  int complaints = 0;
  constexpr int kRepetitions = 4000;
  constexpr double kAllowed = 0.0024;
  for (play.seed = 1; play.seed <= kRepetitions; ++play.seed)
    complaints += law_audit(play, 100, kAllowed).complaint.empty() ? 0 : 1;
  EXPECT_LE(complaints, kAllowed * kRepetitions);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryNoise, ::testing::ValuesIn(private_policies()),
                         name_of_suite);

}  // namespace
}  // namespace tacit::audit
