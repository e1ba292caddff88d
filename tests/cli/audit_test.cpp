// `tacit audit`: its document, its words and its refusals.
#include <gtest/gtest.h>

#include "documents.hpp"
#include "program.hpp"
#include "refusals.hpp"

namespace tacit::cli_test {
namespace {

Arguments audit_of(const std::string& policy, const std::string& epsilon) {
  return {"audit", "--policy", policy, "--epsilon", epsilon};
}

Json document(const Arguments& arguments) {
  const Result result = run_tacit(arguments + Arguments{"--json"});
  EXPECT_EQ(result.exit, 0) << result.err;
  return Json::parse(result.out);
}

TEST(AuditCommand, PrintsItsDocument) {
  const Json found = document(audit_of("ldp-ucb-bits", "1") + Arguments{"--samples", "5000"});
  expect_fields(found,
                {{"policy", "string"},
                 {"notion", "string"},
                 {"epsilon", "number"},
                 {"delta", "number|null"},
                 {"claimed", "number|null"},
                 {"rounds", "number"},
                 {"seed", "number"},
                 {"lower_bound", "number|null"},
                 {"confidence", "number"},
                 {"samples", "number"},
                 {"exact", "boolean"},
                 {"verdict", "string"},
                 {"replay", "object"},
                 {"law", "object"},
                 {"guesses", "object"}},
                "audit");
  EXPECT_EQ(found.at("verdict"), "not refuted");
  EXPECT_EQ(found.at("claimed"), 1);
  EXPECT_EQ(found.at("confidence"), 0.999);
  EXPECT_EQ(found.at("exact"), false);
  EXPECT_EQ(found.at("samples"), 5000) << "as many as it may take";
  EXPECT_EQ(found.at("replay").at("complaint"), "");
  EXPECT_EQ(found.at("law").at("complaint"), "");
}

TEST(AuditCommand, PassesOnWhatItIsAsked) {
  const Arguments few{"--samples", "2000"};
  const Arguments bits = audit_of("dp-ucb-int", "1") + few;
  EXPECT_NE(document(bits).at("lower_bound"),
            document(bits + Arguments{"--seed", "2"}).at("lower_bound"));
  EXPECT_EQ(document(bits + Arguments{"--threads", "2"}), document(bits));
  const Arguments gaussian = audit_of("cucb-ldp-gaussian", "1") + few + Arguments{"--delta", "0.1"};
  EXPECT_EQ(document(gaussian).at("delta"), 0.1);
  const Result said = run_tacit(gaussian);
  EXPECT_NE(said.out.find("75.8%"), std::string::npos) << "(e + 0.1)/(1 + e): " << said.out;
  EXPECT_GT(document(bits).at("claimed"),
            document(bits + Arguments{"--param", "v=1.9"}).at("claimed"));
  const Json longer = document(bits + Arguments{"--rounds", "32"});
  EXPECT_EQ(longer.at("rounds"), 32);
  EXPECT_GT(longer.at("claimed"), document(bits).at("claimed"));
}

TEST(AuditCommand, StopsWhenItKnowsAndExitsWith0WhateverItFinds) {
  const Json broken = document(audit_of("rnm-ftnl-as-published", "0.5"));
  EXPECT_EQ(broken.at("verdict"), "violated");
  EXPECT_GE(broken.at("lower_bound"), 0.5);
  EXPECT_LT(broken.at("samples"), 40000);
  EXPECT_EQ(broken.at("replay").at("complaint"), "") << "it is the claim that is wrong";

  const Result stops = run_tacit(audit_of("cascade-ldp-laplace-as-published", "0.5"));
  EXPECT_EQ(stops.exit, 0);
  EXPECT_NE(stops.out.find("\nviolated: "), std::string::npos) << stops.out;
  EXPECT_NE(stops.out.find("62.2%"), std::string::npos) << stops.out;
  EXPECT_NE(stops.out.find("starts from raw outcomes"), std::string::npos) << stops.out;

  const Result baseline = run_tacit(audit_of("ftl", "1"));
  EXPECT_EQ(baseline.exit, 0);
  EXPECT_NE(baseline.out.find("\nno claim: "), std::string::npos) << baseline.out;
}

TEST(AuditCommand, SaysWhenNothingWasSeenAndHowLongItWouldTake) {
  const Json nothing = document(audit_of("mgf-imed", "0.003"));
  EXPECT_EQ(nothing.at("verdict"), "nothing seen");
  EXPECT_EQ(nothing.at("samples"), 0);
  EXPECT_EQ(nothing.at("rounds"), 4096);
  EXPECT_EQ(nothing.at("rounds_until_seen"), 16384);
  const Result words = run_tacit(audit_of("mgf-imed", "1") + Arguments{"--rounds", "8"});
  EXPECT_NE(words.out.find("nothing seen: nothing leaves within 8 rounds; try --rounds 64"),
            std::string::npos)
      << words.out;
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
    EXPECT_NE(kept.out.find("\nholds: "), std::string::npos) << kept.out;
  }
  for (const char* policy : {"mgf-klucb", "ts-cf", "cascade-ldp-stop", "dpts-mat"}) {
    const Result kept = run_tacit({"audit", "--policy", policy, "--epsilon", "4", "--exact"});
    EXPECT_NE(kept.out.find("\nholds: "), std::string::npos) << kept.out;
    EXPECT_NE(kept.out.find("worst case        4,"), std::string::npos) << kept.out;
  }
  // Parameters are those that are played.
  const Result tree = run_tacit({"audit", "--policy", "cucb-dp", "--epsilon", "20", "--exact",
                                 "--param", "counter=tree", "--param", "arity=2"});
  EXPECT_NE(tree.out.find("\nholds: "), std::string::npos) << tree.out << tree.err;
  expect_refused_either_way({"audit", "--policy", "cucb-dp", "--epsilon", "1", "--exact"},
                            {"exact = cucb-dp", "counter=tree"});
  expect_refused_either_way({"audit", "--policy", "dpucb-mat", "--epsilon", "1e-5", "--exact"},
                            {"epsilon = 1e-05", "at least 0.000485"});
  expect_refused_either_way({"audit", "--policy", "rnm-ftnl", "--epsilon", "101", "--exact"},
                            {"epsilon = 101", "100"});
  expect_refused_either_way({"audit", "--policy", "ucb1", "--epsilon", "1", "--exact"},
                            {"policy = ucb1", "claims no privacy"});
}

TEST(AuditCommand, TriesOneActionAtATime) {
  const Arguments instantaneous{"--notion", "instantaneous"};
  const Json sampled =
      document(audit_of("ldp-ucb-bits", "1") + instantaneous + Arguments{"--samples", "4000"});
  EXPECT_EQ(sampled.at("notion"), "instantaneous");
  EXPECT_EQ(sampled.at("claimed"), 2) << "twice the local one";
  EXPECT_EQ(sampled.at("verdict"), "not refuted");
  const Json computed =
      document(audit_of("anytime-lazy-ucb", "2") + instantaneous + Arguments{"--exact"});
  EXPECT_EQ(computed.at("verdict"), "holds");
  EXPECT_EQ(computed.at("claimed"), 4);
  const Json published =
      document(audit_of("dp-ucb-int", "0.1") + instantaneous + Arguments{"--exact"});
  EXPECT_EQ(published.at("verdict"), "violated") << published;
  EXPECT_EQ(published.at("claimed"), 0.1);
  const Result words =
      run_tacit(audit_of("dp-ucb-int", "0.1") + instantaneous + Arguments{"--exact"});
  EXPECT_NE(words.out.find("\nviolated: epsilon is more than is claimed"), std::string::npos);
  expect_refused_either_way(
      audit_of("cucb-ldp-gaussian", "1") + instantaneous + Arguments{"--exact"},
      {"notion = instantaneous", "delta"});
  expect_refused_either_way(audit_of("dpucb-mat", "1") + instantaneous + Arguments{"--exact"},
                            {"exact = dpucb-mat", "more than one arm"});
  expect_refused_either_way(audit_of("mgf-imed", "1") + instantaneous + Arguments{"--replay"},
                            {"replay", "leave --notion out"});
}

TEST(AuditCommand, TriesReleasedMeansWithoutAPolicy) {
  const Arguments means{"audit", "--notion", "environment", "--epsilon", "2"};
  const Json sampled = document(means + Arguments{"--samples", "2000"});
  EXPECT_EQ(sampled.at("notion"), "environment");
  EXPECT_EQ(sampled.at("metric"), "L1");
  EXPECT_EQ(sampled.at("verdict"), "not refuted") << sampled;
  EXPECT_EQ(sampled.at("claimed"), 2);
  EXPECT_GT(sampled.at("for_cutting"), 0);
  const Json computed = document(means + Arguments{"--exact"});
  EXPECT_EQ(computed.at("verdict"), "holds");
  EXPECT_NEAR(computed.at("lower_bound"), 2, 1e-4);
  const Result words = run_tacit(means + Arguments{"--exact"});
  EXPECT_NE(words.out.find("L1 distance of 1"), std::string::npos) << words.out;
  for (const Arguments& other :
       {Arguments{"--policy", "ucb1"}, Arguments{"--rounds", "8"}, Arguments{"--delta", "0.1"},
        Arguments{"--param", "v=1.2"}, Arguments{"--replay"}}) {
    expect_refused_either_way(means + other, {other[0].substr(2), "leave it out"});
  }
  expect_refused_either_way({"audit", "--notion", "environment", "--epsilon", "1e-5"},
                            {"epsilon = 1e-5", "2^-10"});
}

TEST(AuditCommand, RefusesNotionsThatMakeNoSense) {
  expect_refused_either_way(audit_of("ts-cf", "1") + Arguments{"--notion", "central"},
                            {"notion = central", "ts-cf is local"});
  expect_refused_either_way(audit_of("mgf-imed", "1") + Arguments{"--notion", "local"},
                            {"notion = local", "mgf-imed is central"});
  expect_refused_either_way(audit_of("mgf-imed", "1") + Arguments{"--notion", "global"},
                            {"notion = global", "central, local, instantaneous or environment"});
  expect_refused_either_way({"audit", "--epsilon", "1"}, {"policy", "tacit list"});
  EXPECT_EQ(
      document(audit_of("ts-cf", "1") + Arguments{"--notion", "local", "--replay"}).at("notion"),
      "local");
}

TEST(AuditCommand, PlaysWithoutExactNoiseWhereThereIsNone) {
  const Arguments toeplitz =
      audit_of("cucb-dp", "1") + Arguments{"--param", "counter=toeplitz", "--samples", "1000"};
  EXPECT_EQ(document(toeplitz).at("verdict"), "not refuted");
  const Result words = run_tacit(toeplitz);
  EXPECT_NE(words.out.find("exact noise       not played: counter = toeplitz"), std::string::npos)
      << words.out;
}

TEST(AuditCommand, RefusesBadInput) {
  expect_refused_either_way(audit_of("ldp-ucb-bit", "1"), {"ldp-ucb-bits"});
  expect_refused_either_way(audit_of("ldp-ucb-bits", "-1"), {"epsilon = -1"});
  expect_refused_either_way({"audit", "--policy", "ldp-ucb-bits"}, {"--epsilon is required"});
  expect_refused_either_way(audit_of("ldp-ucb-bits", "1") + Arguments{"--samples", "3"},
                            {"samples = 3", "100"});
  expect_refused_either_way(audit_of("ldp-ucb-bits", "1") + Arguments{"--rounds", "3"},
                            {"rounds = 3", "4"});
  expect_refused_either_way(audit_of("ldp-ucb-bits", "1e7"), {"epsilon = 10000000", "1000000"});
  for (const char* other : {"--replay", "--exact"}) {
    expect_refused_either_way(audit_of("ldp-ucb-bits", "1") + Arguments{"--samples", "1000", other},
                              {other, "--samples"});
  }
  expect_refused_either_way({"audit", "--policy", "ldp-ucb-bits", "--epsilon", "1", "--delta", "2"},
                            {"delta = 2"});
}

TEST(AuditCommand, Replays) {
  const auto replayed = [](const std::string& policy) {
    return document(audit_of(policy, "1") + Arguments{"--replay"});
  };
  for (const char* policy :
       {"mgf-imed", "cucb-dp", "ldp-ucb-bits", "cascade-ldp-stop", "pf-ftnl"}) {
    const Json found = replayed(policy);
    EXPECT_EQ(found.at("verdict"), "not refuted") << found;
    EXPECT_GE(found.at("replay").at("releases"), 3) << policy;
    EXPECT_EQ(found.at("law").at("samples"), 500) << "a hundred in each way of playing";
    EXPECT_EQ(found.at("samples"), 0) << "nothing is guessed";
    EXPECT_TRUE(found.at("lower_bound").is_null());
  }
  const Json raw = replayed("cucb-ldp-gaussian-as-published");
  EXPECT_EQ(raw.at("verdict"), "violated");
  EXPECT_NE(raw.at("replay").at("complaint").get<std::string>().find("raw outcomes"),
            std::string::npos);
  const Result words = run_tacit({"audit", "--policy", "mgf-imed", "--epsilon", "1", "--replay"});
  EXPECT_NE(words.out.find("nothing but what was released tells of a user"), std::string::npos);
  expect_refused_either_way({"audit", "--policy", "ucb1", "--epsilon", "1", "--replay"},
                            {"policy = ucb1", "claims no privacy"});
}

}  // namespace
}  // namespace tacit::cli_test
