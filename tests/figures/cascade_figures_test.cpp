// Regret on ranked lists: what the papers' policies are known for, and what ours have to keep to.
//
// Kveton et al. 2015: B(L, K, p, gap) with p = 0.2 and gap 0.15, so that K items attract with 0.2 and the
// others with 0.05, 1e5 rounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tacit/actions/top_k.hpp"
#include "tacit/problems/hard_instances.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::simulation {
namespace {

struct Instance {
  std::string name;
  std::shared_ptr<const problems::Problem> problem;
  std::shared_ptr<const actions::ActionSet> actions;
};

Instance lists_of(int size, std::vector<double> attractions, const std::string& name) {
  const auto items = static_cast<int>(attractions.size());
  return {name,
          std::make_shared<problems::IndependentArms>(std::move(attractions),
                                                      problems::Rewards::kBernoulli),
          std::make_shared<actions::TopK>(items, size)};
}

Instance kveton(int items, int size) {
  return lists_of(size, problems::cascade_instance(items, size, 0.2, 0.15).means,
                  std::to_string(size) + " of " + std::to_string(items));
}

Summary play(const Instance& instance, const std::string& policy, double epsilon, Round horizon,
             std::int64_t runs) {
  Request r;
  r.policy = policy;
  r.epsilon = epsilon;
  r.problem = instance.problem;
  r.actions = instance.actions;
  r.horizon = horizon;
  r.runs = runs;
  r.threads = 2;
  r.checkpoints = {horizon};
  return simulate(r);
}

constexpr Round kHorizon = 100000;

double regret(const Summary& s) { return s.curve.back().mean(); }

void expect_near(const Summary& s, double figure) {
  EXPECT_NEAR(regret(s), figure, 0.04 * figure + 4 * s.curve.back().standard_error());
}

TEST(CascadeFigures, BaselinesAgreeWithKvetonEtAl) {
  struct Row {
    int size;
    double ucb1;
    double kl_ucb;
  };
  for (const Row& row : {Row{2, 1288, 346}, Row{4, 995, 267}, Row{8, 548, 150}}) {
    SCOPED_TRACE(row.size);
    expect_near(play(kveton(16, row.size), "cascade-ucb1", 1, kHorizon, 40), row.ucb1);
    expect_near(play(kveton(16, row.size), "cascade-kl-ucb", 1, kHorizon, 12), row.kl_ucb);
  }
}

TEST(CascadeFigures, LaplaceAsPublishedAgreesWithAPlainReadingAndGuaranteesNothing) {
  for (const auto& [epsilon, figure] :
       std::vector<std::pair<double, double>>{{0.5, 28200}, {1, 25800}, {2, 20500}}) {
    SCOPED_TRACE(epsilon);
    const Summary s =
        play(kveton(20, 4), "cascade-ldp-laplace-as-published", epsilon, kHorizon, 10);
    expect_near(s, figure);
    EXPECT_EQ(s.guarantee.notion, privacy::Notion::kNone);
  }
}

TEST(OurCascadePolicies, LocalOnesKeepTheirRegretAndTheirEpsilon) {
  for (const auto& [epsilon, most] : std::vector<std::pair<double, double>>{{1, 2400}, {2, 900}}) {
    SCOPED_TRACE(epsilon);
    const Summary s = play(kveton(20, 4), "cascade-ldp", epsilon, kHorizon, 8);
    EXPECT_LE(regret(s), most);
    EXPECT_EQ(s.guarantee.notion, privacy::Notion::kLocal);
    EXPECT_EQ(s.guarantee.epsilon, epsilon);
    EXPECT_EQ(s.guarantee.delta, 0);
  }
}

TEST(OurCascadePolicies, CentralOnesKeepTheirRegretAndTheirEpsilon) {
  for (const auto& [epsilon, most] :
       std::vector<std::pair<double, double>>{{0.5, 1200}, {1, 750}, {2, 480}}) {
    SCOPED_TRACE(epsilon);
    const Summary s = play(kveton(20, 4), "cascade-dp", epsilon, kHorizon, 200);
    EXPECT_LE(regret(s), most);
    EXPECT_LE(s.final_regrets.back(), 4 * sorted_quantile(s.final_regrets, 0.5)) << "stuck";
    EXPECT_EQ(s.guarantee.notion, privacy::Notion::kCentral);
    EXPECT_EQ(s.guarantee.epsilon, epsilon);
    EXPECT_EQ(s.guarantee.delta, 0);
  }
}

std::vector<Instance> other_instances() {
  std::vector<double> graded;
  for (int i = 0; i < 20; ++i) graded.push_back(std::max(0.02, 0.5 - 0.05 * i));
  std::vector<double> with_zero(20, 0.05);
  std::fill_n(with_zero.begin(), 4, 0.2);
  std::vector<double> with_one = with_zero;
  with_zero.back() = 0;
  with_one.front() = 1;
  return {kveton(20, 2),
          kveton(20, 8),
          kveton(20, 16),
          kveton(100, 4),
          lists_of(4, graded, "graded"),
          lists_of(4, with_zero, "an item that attracts nobody"),
          lists_of(4, with_one, "an item that attracts everybody")};
}

TEST(OurCascadePolicies, KeepTheirLeadOnOtherInstances) {
  for (const Instance& instance : other_instances()) {
    SCOPED_TRACE(instance.name);
    const double local = regret(play(instance, "cascade-ldp-laplace-as-published", 1, kHorizon, 2));
    const double central = regret(play(instance, "cascade-dp-hybrid-as-published", 1, kHorizon, 2));
    EXPECT_LE(regret(play(instance, "cascade-ldp", 1, kHorizon, 2)), local / 3);
    EXPECT_LE(regret(play(instance, "cascade-dp", 1, kHorizon, 10)), central / 6);
  }
}

TEST(OurCascadePolicies, NoRunIsStuckEvenWhereOneItemAttractsEverybody) {
  // That item wins in the first thousand rounds or the policy is stuck; no later round costs anything.
  const Instance everybody = other_instances().back();
  for (const double epsilon : {0.5, 1.0, 2.0}) {
    for (const char* policy : {"cascade-ldp", "cascade-dp"}) {
      SCOPED_TRACE(policy + std::to_string(epsilon));
      const Summary s = play(everybody, policy, epsilon, 5000, 1000);
      EXPECT_LE(s.final_regrets.back(), 4 * sorted_quantile(s.final_regrets, 0.5));
    }
  }
}

TEST(OurCascadePolicies, CentralOnesSkip) {
  const std::int64_t million = play(kveton(20, 4), "cascade-dp", 1, 1000000, 20).decisions;
  const std::int64_t billion = play(kveton(20, 4), "cascade-dp", 1, 1000000000, 20).decisions;
  EXPECT_LE(billion, 4 * million);
  EXPECT_LE(million, 20 * 10000);  // of a million rounds each
}

}  // namespace
}  // namespace tacit::simulation
