#include "tacit/audit/exact_paths.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "tacit/audit/exact.hpp"
#include "tacit/audit/exact_law.hpp"
#include "tacit/audit/exact_state.hpp"
#include "tacit/audit/twins_test.hpp"
#include "tacit/privacy/published.hpp"

namespace tacit::audit {
namespace {

/// Puts the outcome of the arm that it plays into the sum of the other arm too.
class RecordsTwice final : public SameLearner {
 public:
  using SameLearner::SameLearner;
  void choose(const policies::Situation& situation, policies::Choice& choice) override {
    SameLearner::choose(situation, choice);
    choice.record({1 - choice.arm(), 0});
  }
};

TEST(ExactPaths, CountAnOutcomeInEveryReleaseThatItEnters) {
  for (const char* policy : {"anytime-lazy-ucb", "lazy-dp-ts", "adap-klucb"}) {
    Play play = small_play(policy, 6);
    play.learner_twin = [](auto learner) {
      return std::make_unique<RecordsTwice>(std::move(learner));
    };
    EXPECT_NEAR(exact_audit(play, 4).epsilon, 12, 1e-9) << policy;
  }
}

/// Plays the first arm, and hears nothing.
class Deaf : public SameLearner {
 public:
  using SameLearner::SameLearner;
  void choose(const policies::Situation& situation, policies::Choice& choice) override {
    static constexpr Arm kFirst[] = {0};
    SameLearner::choose({situation.t, kFirst}, choice);
  }
  void deliver(Slot slot, policies::Values, Round n, int noises) override {
    const auto nothing = privacy::Published::again(0);
    SameLearner::deliver(slot, {&nothing, 1}, n, noises);
  }
};

/// Looks at outcomes for as long as what comes out is wanted; else it is deaf.
class WaitsFor final : public Deaf {
 public:
  using Wanted = std::function<bool(Round phase, double value)>;
  WaitsFor(std::unique_ptr<Learner> learner, Wanted wanted)
      : Deaf(std::move(learner)), wanted_(std::move(wanted)) {}
  void choose(const policies::Situation& situation, policies::Choice& choice) override {
    Deaf::choose(situation, choice);
    if (bored_) choice.unrecorded(0, situation.t);
  }
  void deliver(Slot slot, policies::Values values, Round n, int noises) override {
    Deaf::deliver(slot, values, n, noises);
    bored_ = !wanted_(slot.phase, values[0].value());
  }
  void save(StateWriter& writer) const override {
    Deaf::save(writer);
    writer(bored_);
  }
  void load(StateReader& reader) override {
    Deaf::load(reader);
    reader(bored_);
  }

 private:
  Wanted wanted_;
  bool bored_ = false;
};

double loss_of_releases(int releases) {
  double sum = 0;
  for (int k = 1; k <= releases; ++k) sum += std::pow(k, -0.55);
  return sum;
}

Play waiting_for(const WaitsFor::Wanted& wanted) {
  Play play = small_play("dp-ucb-int", 1);
  play.learner_twin = [wanted](auto learner) {
    return std::make_unique<WaitsFor>(std::move(learner), wanted);
  };
  return play;
}

TEST(ExactPaths, GoInEitherDirection) {
  // 1 tells of an outcome that is 0 on the other table, among zeros; 0 of one that is 1, among ones.
  for (const double telling : {1, 0}) {
    const Play play = waiting_for([telling](Round, double value) { return value == telling; });
    EXPECT_NEAR(exact_audit(play, 4).epsilon, loss_of_releases(4), 1e-9) << telling;
  }
}

TEST(ExactPaths, AreFollowedOnFromTheWorstWhereTheyMeet) {
  Play play = small_play("dp-ucb-int", 1);
  play.learner_twin = [](auto learner) { return std::make_unique<Deaf>(std::move(learner)); };
  EXPECT_NEAR(exact_audit(play, 4).epsilon, loss_of_releases(4), 1e-9);
  // After a 1, a 0 speaks against what the 1 said.
  const auto ends_with_zeros = [](Round phase, double value) {
    return value == 0 || (phase == 0 && value == 1);
  };
  EXPECT_NEAR(exact_audit(waiting_for(ends_with_zeros), 4).epsilon, loss_of_releases(4), 1e-9);
  const auto ends_with_ones = [](Round phase, double value) {
    return value == 1 || (phase == 0 && value == 0);
  };
  EXPECT_NEAR(exact_audit(waiting_for(ends_with_ones), 4).epsilon, loss_of_releases(4), 1e-9);
}

TEST(ExactState, RemembersWhatBlocksAreAddedTo) {
  Play play = small_play("dp-ucb-tree");
  play.setting.horizon = 32;
  const Law law = law_of(play);
  PublicState state(play, law);
  std::map<Round, double> running{{0, 0.0}};
  for (Round n = 1; n <= 32; ++n) {
    const Slot slot{0, n - 1};
    EXPECT_EQ(state.learner().assign(slot, 1), 1);
    const Block block = state.block_of(slot, 1);
    EXPECT_EQ(block.begins, n - (n & -n));
    EXPECT_EQ(block.ends, n);
    EXPECT_EQ(block.before, running.at(block.begins)) << n;
    const auto value = static_cast<double>(n * n);
    state.deliver(block, {value});
    running[n] = block.before + value;
    EXPECT_EQ(state.learner().show(0).sum, running[n]);
    state.load(state.saved());
  }
}

}  // namespace
}  // namespace tacit::audit
