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
}

TEST(AuditCommand, EndsWithItsVerdictAndExitsWith0WhateverItFinds) {
  const Result broken = run_tacit(audit_of("cascade-ldp-laplace-as-published", "0.5"));
  EXPECT_EQ(broken.exit, 0);
  EXPECT_TRUE(broken.out.ends_with("\nviolated\n")) << broken.out;
  EXPECT_NE(broken.out.find("62.2%"), std::string::npos) << broken.out;
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
  expect_refused_either_way({"audit", "--policy", "ucb1", "--epsilon", "1", "--exact"},
                            {"exact = ucb1", "rnm-ftnl", "dpucb-mat"});
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

}  // namespace
}  // namespace tacit::cli_test
