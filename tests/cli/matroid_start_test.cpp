// How policies on bases begin, and what is said of those that cannot learn.
#include <string>

#include <gtest/gtest.h>

#include "documents.hpp"
#include "refusals.hpp"

namespace tacit::cli_test {
namespace {

Arguments play(const std::string& policy, const std::string& epsilon, const Arguments& what) {
  return Arguments{"simulate", "--policy", policy,      "--epsilon", epsilon,
                   "--runs",   "2",        "--horizon", "10000"} +
         what;
}

TEST(MatroidStart, IsAParameterThatTheDocumentRepeats) {
  for (const std::string policy : {"omm", "kl-osm", "dpucb-mat", "dpts-mat"}) {
    for (const std::string start : {"greedy", "edmonds"}) {
      const Json row =
          document_of(
              play(policy, "1", {"--problem", "chandak-vectors", "--param", "start=" + start}))
              .at(0);
      EXPECT_EQ(row.at("params").at("start"), start) << row;
    }
    const Arguments vectors = {"--problem", "chandak-vectors", "--param"};
    expect_refused_either_way(play(policy, "1", vectors + Arguments{"start=first"}),
                              {"start = first", "greedy, edmonds"});
    expect_refused_either_way(play(policy, "1", vectors + Arguments{"strat=edmonds"}),
                              {"strat", "did you mean start?"});
    expect_refused_either_way(
        play(policy, "1", {"--problem", "k-path:8:2:0.4", "--param", "start=edmonds"}),
        {"start=edmonds needs a matroid or top:K"});
  }
}

TEST(TooPrivate, IsSaidUnderTheTableAndNowhereElse) {
  const Arguments vectors = {"--problem", "chandak-vectors"};
  const auto says = [&](const std::string& policy, const std::string& epsilon) {
    const Result result = run_tacit(play(policy, epsilon, vectors));
    EXPECT_EQ(result.exit, 0);
    EXPECT_EQ(result.err, "");
    return result.out.find(policy + ": too private to learn in 10000 rounds: ") !=
           std::string::npos;
  };
  EXPECT_TRUE(says("dpucb-mat", "1e-4"));
  EXPECT_TRUE(says("cucb-ldp2", "0.009"));
  EXPECT_FALSE(says("dpucb-mat", "0.009"));
  EXPECT_FALSE(says("cucb-ldp2", "1"));
  EXPECT_FALSE(says("omm", "1e-4"));
  document_of(play("dpucb-mat", "1e-4", vectors));  // one document, nothing on stderr
}

}  // namespace
}  // namespace tacit::cli_test
