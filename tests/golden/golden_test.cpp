// Known answers: every policy's regret and pulls for fixed seeds, kept as data. They change only
// when a law or the key schedule of the randomness changes, which is a break of reproducibility and
// belongs into the changelog. To write them anew: TACIT_WRITE_GOLDEN=1 golden_test.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "tacit/actions/top_k.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::simulation {
namespace {

constexpr const char* kHeader =
    "# Made by golden_test (tests/golden) on Debian 12, x86-64, g++ 12.2, glibc 2.36.\n"
    "# Bernoulli arms .8 .6 .55 .2, epsilon 0.7, horizon 3000 (dp-se: 100000, or no epoch would "
    "end), seed 42,\n"
    "# runs 0 and 1; policies with semi-bandit or cascade feedback play two arms a round (top:2).\n"
    "# policy,run,regret,pulls of each arm\n";

std::string line_of(const std::string& policy, std::uint64_t run) {
  Request r;
  r.policy = policy;
  r.epsilon = 0.7;
  r.problem = std::make_shared<problems::IndependentArms>(std::vector<double>{0.8, 0.6, 0.55, 0.2},
                                                          problems::Rewards::kBernoulli);
  const feedback::Kind kind = policies::find_policy(policy).card.feedback;
  if (kind == feedback::Kind::kSemi || kind == feedback::Kind::kCascade) {
    r.actions = std::make_shared<actions::TopK>(4, 2);
  }
  r.horizon = policy == "dp-se" ? 100000 : 3000;
  r.runs = 1;
  r.seed = 42;
  r.checkpoints = {r.horizon};
  const auto played = prepare(r)->run(run);
  return fmt::format("{},{},{:.6f},{}", policy, run, played.regrets.back(),
                     fmt::join(played.pulls, " "));
}

TEST(Golden, EveryPolicyRepeatsItsKnownAnswers) {
  std::map<std::string, std::string> now;  // "policy,run" -> line
  std::string text = kHeader;
  for (const policies::Entry& entry : policies::catalogue()) {
    for (const std::uint64_t run : {0U, 1U}) {
      const std::string line = line_of(entry.card.name, run);
      now[fmt::format("{},{}", entry.card.name, run)] = line;
      text += line + "\n";
    }
  }
  if (std::getenv("TACIT_WRITE_GOLDEN") != nullptr) {
    std::ofstream(TACIT_GOLDEN_FILE) << text;
    GTEST_SKIP() << "written";
  }
  std::ifstream file(TACIT_GOLDEN_FILE);
  ASSERT_TRUE(file) << TACIT_GOLDEN_FILE;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    const std::string key = line.substr(0, line.find(',', line.find(',') + 1));
    EXPECT_EQ(now[key], line);
    now.erase(key);
  }
  for (const auto& [key, line] : now) {
    ADD_FAILURE() << key << " has no known answer yet: TACIT_WRITE_GOLDEN=1 writes the file anew";
  }
}

}  // namespace
}  // namespace tacit::simulation
