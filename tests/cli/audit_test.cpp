// `tacit audit`: its document, its words and its refusals.
#include <gtest/gtest.h>

#include "documents.hpp"
#include "program.hpp"
#include "refusals.hpp"

namespace tacit::cli_test {
namespace {

Arguments audit_of(const std::string& policy, const std::string& epsilon) {
  return {"audit", "--policy", policy, "--epsilon", epsilon, "--samples", "10000"};
}

TEST(AuditCommand, PrintsItsDocument) {
  const Result result = run_tacit(audit_of("ldp-ucb-bits", "1") + Arguments{"--json"});
  EXPECT_EQ(result.exit, 0) << result.err;
  const Json document = Json::parse(result.out);
  expect_fields(document,
                {{"policy", "string"},
                 {"epsilon", "number"},
                 {"claimed", "number|null"},
                 {"lower_bound", "number"},
                 {"confidence", "number"},
                 {"exact", "boolean"},
                 {"verdict", "string"},
                 {"attack", "object"}},
                "audit");
  EXPECT_EQ(document.at("verdict"), "holds");
  EXPECT_EQ(document.at("claimed"), 1);
  EXPECT_EQ(document.at("confidence"), 0.999);
  EXPECT_EQ(document.at("exact"), false);
  EXPECT_GT(document.at("attack").at("probability_one"),
            document.at("attack").at("probability_other"));
}

TEST(AuditCommand, PassesOnWhatItIsAsked) {
  const auto document = [](const Arguments& arguments) {
    const Result result = run_tacit(arguments + Arguments{"--json"});
    EXPECT_EQ(result.exit, 0) << result.err;
    return Json::parse(result.out);
  };
  const Arguments bits = audit_of("ldp-ucb-bits", "1");
  EXPECT_NE(document(bits).at("lower_bound"),
            document(bits + Arguments{"--seed", "2"}).at("lower_bound"));
  const Arguments gaussian = audit_of("cucb-ldp-gaussian", "1") + Arguments{"--delta", "0.1"};
  EXPECT_EQ(document(gaussian).at("delta"), 0.1);
  const Result said = run_tacit(gaussian);
  EXPECT_NE(said.out.find("75.8%"), std::string::npos) << "(e + 0.1)/(1 + e): " << said.out;
  const Arguments intervals = audit_of("dp-ucb-int", "1");
  EXPECT_GT(document(intervals).at("claimed"),
            document(intervals + Arguments{"--param", "v=1.9"}).at("claimed"));
}

TEST(AuditCommand, EndsWithItsVerdictAndExitsWith0WhateverItFinds) {
  const Result broken = run_tacit(audit_of("cascade-ldp-laplace-as-published", "0.5"));
  EXPECT_EQ(broken.exit, 0);
  EXPECT_TRUE(broken.out.ends_with("\nviolated\n")) << broken.out;
  EXPECT_NE(broken.out.find("62.2%"), std::string::npos) << broken.out;
  EXPECT_NE(broken.out.find("after that event this one is right 99.8%"), std::string::npos)
      << broken.out;
  EXPECT_NE(broken.out.find("100.0% of the runs on the one table, 0.0% on the other"),
            std::string::npos)
      << broken.out;
  const Result baseline = run_tacit(audit_of("ftl", "1"));
  EXPECT_EQ(baseline.exit, 0);
  EXPECT_TRUE(baseline.out.ends_with("\nno claim\n")) << baseline.out;
}

TEST(AuditCommand, ComputesWhereItCan) {
  const Result result = run_tacit(
      {"audit", "--policy", "rnm-ftnl-as-published", "--epsilon", "1", "--exact", "--json"});
  EXPECT_EQ(result.exit, 0) << result.err;
  const Json document = Json::parse(result.out);
  EXPECT_EQ(document.at("exact"), true);
  EXPECT_EQ(document.at("verdict"), "violated");
  EXPECT_GT(document.at("lower_bound"), 1.5);
  EXPECT_EQ(document.at("claimed"), 1);
  EXPECT_EQ(document.at("confidence"), 1);
  EXPECT_EQ(document.at("rounds"), 8);
  EXPECT_GT(document.at("paths"), 8);
  for (const char* epsilon : {"0.3", "1", "3"}) {  // whose worst case is the claim, up to rounding
    const Result kept =
        run_tacit({"audit", "--policy", "pf-ftnl", "--epsilon", epsilon, "--exact"});
    EXPECT_TRUE(kept.out.ends_with("\nholds\n")) << kept.out;
  }
  for (const char* policy : {"mgf-klucb", "ts-cf", "cascade-ldp-stop", "dpts-mat"}) {
    const Result kept = run_tacit({"audit", "--policy", policy, "--epsilon", "4", "--exact"});
    EXPECT_TRUE(kept.out.ends_with("\nholds\n")) << kept.out;
    EXPECT_NE(kept.out.find("worst case        4,"), std::string::npos) << kept.out;
  }
  // Parameters are those that are played.
  const Result tree = run_tacit({"audit", "--policy", "cucb-dp", "--epsilon", "20", "--exact",
                                 "--param", "counter=tree", "--param", "arity=2"});
  EXPECT_TRUE(tree.out.ends_with("\nholds\n")) << tree.out << tree.err;
  expect_refused_either_way({"audit", "--policy", "cucb-dp", "--epsilon", "1", "--exact"},
                            {"exact = cucb-dp", "counter=tree"});
  expect_refused_either_way({"audit", "--policy", "dpucb-mat", "--epsilon", "1e-5", "--exact"},
                            {"epsilon = 1e-05", "at least 0.000485"});
  expect_refused_either_way({"audit", "--policy", "rnm-ftnl", "--epsilon", "101", "--exact"},
                            {"epsilon = 101", "100"});
  expect_refused_either_way({"audit", "--policy", "ucb1", "--epsilon", "1", "--exact"},
                            {"exact = ucb1", "claims no privacy"});
}

TEST(AuditCommand, RefusesBadInput) {
  expect_refused_either_way(audit_of("ldp-ucb-bit", "1"), {"ldp-ucb-bits"});
  expect_refused_either_way(audit_of("ldp-ucb-bits", "-1"), {"epsilon = -1"});
  expect_refused_either_way({"audit", "--policy", "ldp-ucb-bits"}, {"--epsilon is required"});
  expect_refused_either_way(
      {"audit", "--policy", "ldp-ucb-bits", "--epsilon", "1", "--samples", "3"},
      {"samples = 3", "1000"});
  expect_refused_either_way({"audit", "--policy", "ldp-ucb-bits", "--epsilon", "1", "--delta", "2"},
                            {"delta = 2"});
}

TEST(AuditCommand, Replays) {
  const auto replayed = [](const std::string& policy) {
    const Result result =
        run_tacit({"audit", "--policy", policy, "--epsilon", "1", "--replay", "--json"});
    EXPECT_EQ(result.exit, 0) << result.err;
    return Json::parse(result.out);
  };
  for (const char* policy :
       {"mgf-imed", "cucb-dp", "ldp-ucb-bits", "cascade-ldp-stop", "pf-ftnl"}) {
    const Json document = replayed(policy);
    EXPECT_EQ(document.at("verdict"), "not refuted") << document;
    EXPECT_GE(document.at("replay").at("releases"), 3) << policy;
    EXPECT_EQ(document.at("law").at("samples"), 100);
  }
  const Json raw = replayed("cucb-ldp-gaussian-as-published");
  EXPECT_EQ(raw.at("verdict"), "violated");
  EXPECT_NE(raw.at("replay").at("complaint").get<std::string>().find("raw outcomes"),
            std::string::npos);
  const Result words = run_tacit({"audit", "--policy", "mgf-imed", "--epsilon", "1", "--replay"});
  EXPECT_NE(words.out.find("nothing but what was released tells of a user"), std::string::npos);
  expect_refused_either_way({"audit", "--policy", "ucb1", "--epsilon", "1", "--replay"},
                            {"replay = ucb1", "claims no privacy"});
}

}  // namespace
}  // namespace tacit::cli_test
