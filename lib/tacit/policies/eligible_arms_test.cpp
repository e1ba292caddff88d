// Every learner of the catalogue where some arms may not be played, and where a batch of choices overshoots a phase.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "tacit/actions/top_k.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/privacy/published.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::policies {
namespace {

constexpr int kArms = 4;

Setting setting(const Card& card, Pace pace) {
  return {.arms = kArms,
          .epsilon = 1,
          .delta = std::nullopt,
          .horizon = 100000,
          .pace = pace,
          .actions = card.plays_sets() ? std::make_shared<actions::TopK>(kArms, 2) : nullptr};
}

template <class... Kind>
bool is_one_of(const curators::Plan& plan) {
  return (std::holds_alternative<Kind>(plan) || ...);
}

/// A learner whose releases and reports are made up: uniform, whatever was played.
class Fed {
 public:
  Fed(const Entry& entry, Pace pace)
      : full_(entry.card.feedback == feedback::Kind::kFull),
        plan_(entry.plan(setting(entry.card, pace), {})),
        learner_(entry.learner(setting(entry.card, pace), {}, random::Dice(key()))),
        random_(key().stream(random::Purpose::kOutcomes)) {}

  bool by_slot() const {
    using namespace curators;
    return is_one_of<PhasePlan, CounterPlan, TreePlan, IntervalPlan, NoisySumsPlan,
                     NoisyLeaderPlan>(plan_);
  }
  Learner& learner() { return *learner_; }

  Choice choose(Round t, std::span<const Arm> eligible = {}) {
    Choice choice;
    learner_->choose({t, eligible}, choice);
    return choice;
  }
  /// Plays the choice for n rounds; reports come one by one.
  void play(const Choice& choice, Round n) {
    if (by_slot()) {
      for (const Slot& slot : choice.slots()) fill(slot, n);
      return;
    }
    using namespace curators;
    const bool of_a_list = is_one_of<StopReportPlan, OpenStopPlan, LeakingStopPlan>(plan_);
    const std::size_t count =
        full_ ? kArms : (of_a_list ? choice.arms().size() : choice.slots().size());
    learner_->take(choice, uniform(count, 1));
  }
  /// How many the slot holds, or 0.
  Round fill(Slot slot, Round n) {
    const Round full = learner_->assign(slot, n);
    if (full == 0) return 0;
    if (std::holds_alternative<curators::NoisyLeaderPlan>(plan_)) {
      const auto leader = privacy::Published::again(random::uniform_index(random_, kArms));
      learner_->deliver(slot, {&leader, 1}, full, 1);
    } else {
      learner_->deliver(slot, uniform(full_ ? kArms : 1, static_cast<double>(full)), full, 1);
    }
    return full;
  }
  random::SimulationStream& random() { return random_; }

 private:
  static random::SimulationKey key() { return {1, "eligible", "test", 0}; }
  std::vector<privacy::Released<double>> uniform(std::size_t count, double times) {
    std::vector<privacy::Released<double>> values;
    for (std::size_t i = 0; i < count; ++i) {
      values.push_back(privacy::Published::again(times * random::uniform_open(random_)));
    }
    return values;
  }

  bool full_;
  curators::Plan plan_;
  std::unique_ptr<Learner> learner_;
  random::SimulationStream random_;
};

/// At least two arms, in any order.
std::vector<Arm> some_arms(random::SimulationStream& random) {
  std::vector<Arm> arms{0, 1, 2, 3};
  for (std::size_t i = arms.size(); i > 1; --i) {
    std::swap(arms[i - 1],
              arms[static_cast<std::size_t>(random::uniform_index(random, static_cast<int>(i)))]);
  }
  arms.resize(static_cast<std::size_t>(2 + random::uniform_index(random, kArms - 1)));
  return arms;
}

TEST(EligibleArms, AreAllThatAnyLearnerPlays) {
  for (const Entry& entry : catalogue()) {
    for (const Pace pace : {Pace::kPlain, Pace::kSkipping}) {
      SCOPED_TRACE(entry.card.name);
      Fed fed(entry, pace);
      for (Round t = 1; t <= 3000;) {
        // Long enough all the same for phases to fill, and then some rounds for all arms.
        const bool all = t % 5 == 0;
        const std::vector<Arm> eligible = all ? std::vector<Arm>{} : some_arms(fed.random());
        const Choice choice = fed.choose(t, eligible);
        ASSERT_EQ(choice.arms().size(), entry.card.plays_sets() ? 2U : 1U);
        for (const Arm arm : choice.arms()) {
          ASSERT_TRUE(Situation(t, eligible).is_eligible(arm)) << "round " << t;
        }
        for (const Slot& slot : choice.slots()) {
          ASSERT_TRUE(slot.arm == kAllArms || std::find(choice.arms().begin(), choice.arms().end(),
                                                        slot.arm) != choice.arms().end());
        }
        ASSERT_GE(choice.until, t);
        const Round n = std::min<Round>(choice.until - t + 1, 20);
        fed.play(choice, n);
        t += n;
      }
    }
  }
}

TEST(EligibleArms, AreRefusedWhereNoSetIsMadeOfThem) {
  const std::vector<Arm> one{2};
  for (const Entry& entry : catalogue()) {
    Fed fed(entry, Pace::kPlain);
    if (entry.card.plays_sets()) {
      EXPECT_THROW(fed.choose(1, one), InvalidParameter) << entry.card.name;
    } else {
      EXPECT_EQ(fed.choose(1, one).arm(), 2) << entry.card.name;
    }
  }
}

TEST(EligibleArms, AFillingPhaseIsTakenUpAgainWhenItsArmIsEligible) {
  int held = 0;
  for (const char* policy :
       {"mgf-klucb", "mgf-imed", "dp-klucb", "dp-imed", "adap-ucb", "adap-klucb"}) {
    for (const Pace pace : {Pace::kPlain, Pace::kSkipping}) {
      SCOPED_TRACE(policy);
      Fed fed(find_policy(policy), pace);
      // The first phases of some are a single round: on to one that is longer.
      Round t = 1;
      Choice first = fed.choose(t);
      while (fed.fill(first.slots()[0], 1) > 0) first = fed.choose(++t);
      std::vector<Arm> others;
      for (Arm arm = 0; arm < kArms; ++arm) {
        if (arm != first.arm()) others.push_back(arm);
      }
      Choice second = fed.choose(++t, others);
      EXPECT_NE(second.arm(), first.arm());
      while (fed.fill(second.slots()[0], 1) == 0) {
        const Choice again = fed.choose(++t, others);
        ASSERT_EQ(again.slots()[0], second.slots()[0]) << "a phase that was begun is played on";
      }
      const Choice back = fed.choose(++t);
      EXPECT_EQ(back.arm(), first.arm());
      EXPECT_EQ(back.slots()[0], first.slots()[0]);
      ++held;
    }
  }
  EXPECT_EQ(held, 12);
}

TEST(Phases, ThatABatchOvershootsHoldAllOfIt) {
  constexpr Round kBatch = 5000;
  int by_slot = 0;
  for (const Entry& entry : catalogue()) {
    SCOPED_TRACE(entry.card.name);
    Fed fed(entry, Pace::kSkipping);
    if (!fed.by_slot()) continue;
    ++by_slot;
    Round t = 1;
    std::vector<Round> of_arm(kArms + 1);
    for (int i = 0; i < 12; ++i) {
      const Choice choice = fed.choose(t);
      const std::vector<Slot> slots(choice.slots().begin(), choice.slots().end());
      for (const Slot& slot : slots) {
        Round& so_far = of_arm[static_cast<std::size_t>(slot.arm + 1)];
        const Round n =
            kBatch << (2 * i);  // more than all before: beyond any phase that is due then
        EXPECT_EQ(fed.fill(slot, n), n);
        so_far += n;
        if (entry.card.name == std::string("lazy-kl-mat")) {
          EXPECT_EQ(fed.learner().show(slot.arm).n, static_cast<double>(so_far))
              << "nothing is forgotten";
        }
        EXPECT_EQ(fed.learner().seal(slot), 0) << "it is gone";
      }
      t += kBatch;
    }
  }
  EXPECT_GE(by_slot, 20);
}

TEST(EligibleArms, MayAllHaveWeightsThatAreNothingBesideAnother) {
  const Setting setting{
      .arms = 2, .epsilon = 1, .delta = std::nullopt, .horizon = 1000, .pace = Pace::kPlain};
  const auto learner = find_policy("dp-exp3").learner(
      setting, {}, random::Dice(random::SimulationKey(1, "light", "", 0)));
  const auto best = privacy::Published::again(1e9);  // clipped
  const std::vector<Arm> heavy{0};
  const std::vector<Arm> light{1};
  Choice choice;
  for (Round t = 1; t <= 60000; ++t) {
    learner->choose({t, heavy}, choice);
    learner->take(choice, {&best, 1});
  }
  learner->choose({1, light}, choice);
  EXPECT_EQ(choice.arm(), 1);
  EXPECT_EQ(choice.chance, 1) << "the only one";
  for (int i = 0; i < 120000; ++i) {
    learner->choose({1, light}, choice);
    learner->take(choice, {&best, 1});
  }
  learner->choose({1, {}}, choice);
  EXPECT_EQ(choice.arm(), 1) << "the heavier by now";
}

}  // namespace
}  // namespace tacit::policies
