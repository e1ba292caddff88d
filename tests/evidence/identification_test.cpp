// A recommendation is wrong no more often than it may be, whatever the instance; and it takes no more samples than it has to.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tacit/problems/independent_arms.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::simulation {
namespace {

struct Instance {
  const char* name;
  std::vector<double> means;
};
const std::vector<Instance>& instances() {
  static const std::vector<Instance> all = {
      {"four equal second arms", {0.75, 0.7, 0.7, 0.7, 0.7}},
      {"near one, one far below", {0.95, 0.9, 0.9, 0.9, 0.5}},
      {"evenly spaced", {0.75, 0.625, 0.5, 0.375, 0.25}},
      {"two that differ by 0.02", {0.52, 0.5}},
      {"near zero", {0.01, 0.03, 0.01, 0.01}},
      {"near one", {0.97, 0.97, 0.99}},
  };
  return all;
}

Summary found(const std::string& policy, const std::vector<double>& means, double epsilon,
              double error, std::int64_t runs,
              const std::vector<policies::ParameterValue>& parameters = {}) {
  Request r;
  r.policy = policy;
  r.epsilon = epsilon;
  r.parameters = parameters;
  r.problem = std::make_shared<problems::IndependentArms>(means, problems::Rewards::kBernoulli);
  r.horizon = kLastRound;
  r.checkpoints = {1, kLastRound};
  r.runs = runs;
  r.goal = Goal{.error = error};
  return simulate(r);
}

void expect_right(const std::string& policy, double epsilon, std::int64_t runs) {
  for (const Instance& instance : instances()) {
    for (const double error : {0.1, 0.01}) {
      const Summary s = found(policy, instance.means, epsilon, error, runs);
      EXPECT_EQ(s.goal->stopped, runs);
      EXPECT_LE(static_cast<double>(s.goal->wrong), error * static_cast<double>(runs))
          << policy << ", " << instance.name << ", epsilon " << epsilon << ", error " << error;
    }
  }
}

class MgfTt : public ::testing::TestWithParam<double> {};
TEST_P(MgfTt, IsWrongNoMoreOftenThanItMayBe) { expect_right("mgf-tt", GetParam(), 10000); }
INSTANTIATE_TEST_SUITE_P(Epsilon, MgfTt, ::testing::Values(0.1, 1.0, 10.0));

TEST(Rivals, AreWrongNoMoreOftenThanTheyMayBe) {
  for (const double epsilon : {0.1, 1.0, 10.0}) {
    for (const char* rival : {"dp-se", "adap-tt", "adap-tt-star"}) {
      expect_right(rival, epsilon, 1000);
    }
  }
  expect_right("top-two", 1, 1000);
}

/// Reports are drawn one by one, and at epsilon 0.1 a bit is worth a four-hundredth of an outcome: fewer runs, and there one
/// instance.
TEST(LocalOnes, AreWrongNoMoreOftenThanTheyMayBe) {
  for (const char* policy : {"ldp-mgf-tt", "ctb-tt"}) {
    expect_right(policy, 10, 1000);
    expect_right(policy, 1, 100);
    for (const double error : {0.1, 0.01}) {
      const Summary s = found(policy, {0.75, 0.625, 0.5, 0.375, 0.25}, 0.1, error, 20);
      EXPECT_EQ(s.goal->wrong, 0) << policy;
    }
  }
}

/// At an error of 0.01, and below half of every rival.
TEST(MgfTtSamples, AreFew) {
  struct Limit {
    double epsilon;
    double samples;
  };
  const std::vector<std::vector<Limit>> limits = {{{0.1, 44e3}, {1, 20e3}, {10, 20e3}},
                                                  {{0.1, 31e3}, {1, 7e3}, {10, 5.7e3}},
                                                  {{0.1, 8e3}, {1, 2e3}, {10, 1.7e3}}};
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const Instance& instance = instances()[i];
    for (const Limit& limit : limits[i]) {
      const double ours =
          found("mgf-tt", instance.means, limit.epsilon, 0.01, 2000).curve.back().mean();
      EXPECT_LE(ours, limit.samples) << instance.name << ", epsilon " << limit.epsilon;
      for (const char* rival : {"dp-se", "adap-tt", "adap-tt-star"}) {
        EXPECT_LT(ours,
                  0.5 * found(rival, instance.means, limit.epsilon, 0.01, 200).curve.back().mean())
            << rival << ", " << instance.name << ", epsilon " << limit.epsilon;
      }
    }
  }
}

}  // namespace
}  // namespace tacit::simulation
