// docs/choosing.md recommends what its own price list bears out, and the price list is what its experiment gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "documents.hpp"
#include "program.hpp"
#include "tacit/policies/catalogue.hpp"

namespace tacit::cli_test {
namespace {

using Cells = std::vector<std::string>;

Cells cells_of(const std::string& line) {
  Cells cells;
  std::istringstream text(line.substr(1));
  for (std::string cell; std::getline(text, cell, '|');) {
    const std::size_t from = cell.find_first_not_of(" *`");
    const std::size_t to = cell.find_last_not_of(" *`");
    cells.push_back(from == std::string::npos ? "" : cell.substr(from, to - from + 1));
  }
  return cells;
}

struct Recommendation {
  std::string trusted, seen, when, use;
};

/// A row of the price list.
struct Price {
  std::string problem;
  double epsilon = 0;
  double rounds = 0;
  std::vector<std::pair<std::string, double>> regrets;  // by policy

  std::optional<double> regret(const std::string& policy) const {
    for (const auto& [name, value] : regrets) {
      if (name == policy) return value;
    }
    return {};
  }
  bool says(const std::string& words) const { return problem.find(words) < problem.size(); }
  int arms() const {
    const std::size_t at = problem.find(" arms");
    if (at > problem.size()) return 0;
    return std::stoi(problem.substr(problem.find_last_of(' ', at - 1) + 1));
  }
  std::string trusted() const { return problem.starts_with("local: ") ? "nobody" : "a curator"; }
  std::string seen() const {
    if (says("full information")) return "every arm";
    if (says("sets of")) return "each arm of a set";
    return says("lists of") ? "a ranked list" : "the arm";
  }
};

struct Document {
  std::vector<Recommendation> recommendations;
  std::vector<Price> prices;
};

Document document() {
  Document all;
  std::ifstream file(TACIT_TEST_DATA "/../../docs/choosing.md");
  Cells heading;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("|")) {
      heading.clear();
      continue;
    }
    if (line.starts_with("|---")) continue;
    const Cells cells = cells_of(line);
    if (heading.empty()) {
      heading = cells;
    } else if (heading[0] == "trusted") {
      all.recommendations.push_back({cells[0], cells[1], cells[2], cells[3]});
    } else if (heading[0] == "problem") {
      Price price{cells[0], std::stod(cells[1]), std::stod(cells[2]), {}};
      for (std::size_t i = 3; i < cells.size(); ++i) {
        price.regrets.emplace_back(heading[i], std::stod(cells[i]));
      }
      all.prices.push_back(price);
    }
  }
  return all;
}

/// A recommendation stands until one above it does.
bool applies(const Recommendation& r, const Price& price) {
  if (r.trusted != price.trusted() || r.seen != price.seen()) return false;
  if (r.when == "always" || r.when == "otherwise") return true;
  if (r.when == "far apart, up to 1e4 rounds")
    return price.rounds <= 1e4 && price.says("far apart");
  if (r.when == "far apart, 40 arms or more") return price.arms() >= 40 && price.says("far apart");
  ADD_FAILURE() << "what does this mean: " << r.when;
  return false;
}

bool is_private(const std::string& policy) {
  return policies::find_policy(policy).card.trust != policies::Trust::kNone;
}

TEST(Choosing, WhatIsRecommendedIsWithinATenthOfTheBest) {
  const Document doc = document();
  ASSERT_EQ(doc.recommendations.size(), 9U);
  ASSERT_GE(doc.prices.size(), 36U);
  std::set<std::string> used;
  for (const Price& price : doc.prices) {
    const auto found = std::find_if(doc.recommendations.begin(), doc.recommendations.end(),
                                    [&](const Recommendation& r) { return applies(r, price); });
    ASSERT_NE(found, doc.recommendations.end()) << price.problem;
    used.insert(found->trusted + found->seen + found->when);
    ASSERT_TRUE(is_private(found->use)) << found->use;
    const auto regret = price.regret(found->use);
    ASSERT_TRUE(regret) << price.problem << " was not played by " << found->use;
    for (const auto& [policy, other] : price.regrets) {
      if (!is_private(policy)) continue;
      EXPECT_LE(*regret, 1.1 * other)
          << price.problem << ", epsilon " << price.epsilon << ": " << found->use << ", " << policy;
    }
  }
  EXPECT_EQ(used.size(), doc.recommendations.size()) << "a recommendation without a price";
}

TEST(Choosing, OneOfThoseRecommendedNeedsTheHorizon) {
  std::set<std::string> needing;
  for (const Recommendation& r : document().recommendations) {
    if (!policies::find_policy(r.use).anytime({})) needing.insert(r.use);
  }
  EXPECT_EQ(needing, (std::set<std::string>{"cucb-ldp2"}));
}

/// The cheap ones, played again: the list is no older than the program.
TEST(Choosing, PricesAreWhatTheProgramMeasures) {
  const Document doc = document();
  const auto expect_same = [&](const std::string& label, const std::string& rounds,
                               const Arguments& problem, const std::string& policies) {
    Arguments words{"simulate", "--policy", policies, "--epsilon", "1",      "--horizon",
                    rounds,     "--runs",   "400",    "--json",    "--seed", "1"};
    words.insert(words.end(), problem.begin(), problem.end());
    const Result result = run_tacit(words);
    ASSERT_EQ(result.exit, 0) << result.err;
    const auto price = std::find_if(doc.prices.begin(), doc.prices.end(), [&](const Price& p) {
      return p.problem == label && p.epsilon == 1 && p.rounds == std::stod(rounds);
    });
    ASSERT_NE(price, doc.prices.end()) << label;
    for (const auto& one : nlohmann::json::parse(result.out)) {
      const double mean = one["regret"]["mean"];
      const auto shown = price->regret(one["policy"]);
      ASSERT_TRUE(shown);
      EXPECT_NEAR(mean, *shown, 1e-3 * mean) << label << " " << one["policy"];
    }
  };
  expect_same("5 arms, close", "1e4", {"--problem", "equal-gaps:5:0.1"},
              "mgf-imed,dp-imed,dp-klucb,adap-ucb,anytime-lazy-ucb,dp-se");
  expect_same("5 arms, far apart, long", "1e6", {"--prior", "uniform:5"}, "dp-imed,dp-klucb");
  expect_same("full information: 40 arms, far apart", "1e5",
              {"--prior", "uniform:40", "--feedback", "full"}, "pf-ftnl,rnm-ftnl,ftnl");
}

}  // namespace
}  // namespace tacit::cli_test
