#include "tacit/service/spec.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "service/rig.hpp"
#include "tacit/service/serving_rules.hpp"

namespace tacit::service {
namespace {

std::string refusal_of(const Json& json) {
  try {
    servable(spec_of(json));
  } catch (const Problem& problem) {
    const std::string text = problem.what();
    EXPECT_EQ(problem.status(), 422) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    return text;
  }
  return "accepted";
}

Json with(const char* key, const Json& value) {
  Json json = small_spec();
  json[key] = value;
  return json;
}

TEST(Spec, SaysAgainWhatItWasTold) {
  Json json = small_spec();
  json["arms"] = {"a",
                  {{"name", "b"}, {"value", {{"colour", "red"}}}},
                  {{"name", "c"}, {"retired", true}},
                  {{"name", "d"}, {"value", nullptr}}};
  json["parameters"] = {{"alpha", "3.5"}};
  json["default"] = 0.25;
  json["phase_max_age"] = "1d";
  json["sticky_for"] = "90m";
  json["units_from_clients"] = "any";
  json["floor"] = 0.05;
  json["holdout"] = 0.1;
  json["control"] = "b";
  json["fallback"] = {"b"};
  const Spec spec = spec_of(json);
  EXPECT_EQ(spec.sticky_for, 90 * kMinute);
  EXPECT_EQ(spec.arms[1].value, "{\"colour\":\"red\"}");
  EXPECT_TRUE(spec.arms[2].retired);
  EXPECT_EQ(spec.arms[2].value, "\"c\"");
  EXPECT_EQ(spec.arms[3].value, "null");
  EXPECT_EQ(spec.control, 1);
  const Json said = json_of(spec);
  EXPECT_EQ(json_of(spec_of(said)), said);
  Json of_users = small_spec();
  of_users.erase("epsilon");
  of_users["user"] = {{"epsilon", 1}, {"cap", 7}, {"period", "7d"}};
  EXPECT_EQ(json_of(spec_of(json_of(spec_of(of_users)))), json_of(spec_of(of_users)));
}

TEST(Spec, NeverSpendsMoreThanAUserWasPromised) {
  for (int cap = 1; cap < 1000; ++cap) {
    for (const double epsilon : {0.1, 1.0, 1.7, 3.3}) {
      Json json = small_spec();
      json.erase("epsilon");
      json["user"] = {{"epsilon", epsilon}, {"cap", cap}};
      const Spec spec = spec_of(json);
      EXPECT_LE(spec.epsilon * cap, epsilon);
      EXPECT_GE(spec.epsilon * cap, epsilon * (1 - 1e-15));
    }
  }
}

TEST(Spec, IsRefusedInALineThatNamesTheKeyAndTheNearestRightThing) {
  struct Case {
    const char* key;
    Json value;
    const char* says;
  };
  for (const Case& c : std::vector<Case>{{"name", "", "1 to 64"},
                                         {"name", "a/b", "letters"},
                                         {"population", "", "1 to 64"},
                                         {"population", 7, "text"},
                                         {"arms", Json::array(), "1 to"},
                                         {"arms", {"a", "a"}, "twice"},
                                         {"arms", {1}, "arms[0]"},
                                         {"epsilon", 0, "> 0"},
                                         {"epsilon", "1", "> 0"},
                                         {"epsilon", -1, "> 0"},
                                         {"epsilon", nullptr, "must be given"},
                                         {"polcy", "ucb", "did you mean policy"},
                                         {"policy", "mgf-imd", "did you mean mgf-imed"},
                                         {"policy", "ucb1", "protects nobody"},
                                         {"policy", "dp-se", "how many decisions"},
                                         {"policy", "ldp-ucb-laplace", "exact"},
                                         {"policy", "rnm-ftnl-as-published", "no guarantee"},
                                         {"actions", "top:9", "actions"},
                                         {"actions", "paths:/etc/passwd:a:b", "single, or top:K"},
                                         {"actions", "top:2", "single arm at a time"},
                                         {"parameters", {{"nonsense", 1}}, "nonsense"},
                                         {"wait", "soon", "90s"},
                                         {"wait", -1, "90s"},
                                         {"wait", "99999d", "ten years"},
                                         {"default", 1.5, "from 0 to 1"},
                                         {"floor", 0.5, "from 0 to"},
                                         {"holdout", 0.9, "from 0 to 0.5"},
                                         {"control", "d", "did you mean"},
                                         {"fallback", {"a", "z"}, "did you mean"},
                                         {"user", {{"epsilon", 1}, {"cap", 2}}, "one of them"}}) {
    const std::string said = refusal_of(with(c.key, c.value));
    EXPECT_NE(said.find(c.says), std::string::npos) << c.key << ": " << said;
  }
  Json long_lists = with("policy", "dpucb-mat");
  long_lists["arms"] = Json::array();
  for (int arm = 0; arm < 1500; ++arm) long_lists["arms"].push_back("a" + std::to_string(arm));
  long_lists["actions"] = "top:1000";
  EXPECT_EQ(refusal_of(long_lists), "accepted");
  long_lists["actions"] = "top:1001";
  EXPECT_EQ(refusal_of(long_lists), "actions = top:1001: must be lists of at most 1000 arms");
  Json guesses = with("policy", "dp-se");
  guesses["parameters"] = {{"horizon", "doubling"}};
  EXPECT_NE(refusal_of(guesses).find("or guesses it"), std::string::npos);
  Json identifies = with("floor", 0.1);
  identifies["policy"] = "mgf-tt";
  EXPECT_NE(refusal_of(identifies).find("plans how long"), std::string::npos);
  EXPECT_NE(refusal_of(Json::array()).find("object"), std::string::npos);
  EXPECT_EQ(refusal_of(small_spec()), "accepted");
}

TEST(Spec, IsRefusedInALineWhateverWasGiven) {
  const std::string given = "a\nb\x1b[2J" + std::string(5000, 'x');
  for (const Json& json :
       {with("policy", given), with("actions", given), with("parameters", {{given, "1"}}),
        with("parameters", {{"alpha", given}}), with("control", given), with("name", given),
        with("population", given), with(given.c_str(), 1), with("wait", given),
        with("actions", "top:" + given)}) {
    const std::string text = refusal_of(json);
    EXPECT_LT(text.size(), 500U) << text;
    for (const char c : text) EXPECT_GE(static_cast<unsigned char>(c), 0x20) << text;
  }
}

TEST(Spec, SaysItsGuaranteeInWordsAnybodyMayCheck) {
  const Spec spec = spec_of(small_spec());
  const auto guarantee = guarantee_of(servable(spec), setting_of(spec), spec);
  const std::string words = in_words(guarantee, spec);
  EXPECT_NE(words.find("73.1 %"), std::string::npos) << words;  // e/(1 + e)
  EXPECT_NE(words.find("epsilon 1"), std::string::npos) << words;
}

TEST(Durations, AreReadAsTheyAreWritten) {
  for (const auto& [text, time] : std::vector<std::pair<Json, Time>>{{"90s", 90 * kSecond},
                                                                     {"1.5h", 90 * kMinute},
                                                                     {"1500ms", 1500},
                                                                     {"7d", 7 * kDay},
                                                                     {"0s", 0},
                                                                     {30, 30 * kSecond},
                                                                     {0.25, 250}}) {
    EXPECT_EQ(duration_of("wait", text), time) << text;
    EXPECT_EQ(duration_of("wait", text_of_duration(time)), time) << text;
  }
  for (const Json& wrong :
       std::vector<Json>{"", ".", "5", "5x", "s", "1.2.3s", "-5s", "1e3s", true, {}}) {
    EXPECT_THROW(duration_of("wait", wrong), Problem) << wrong;
  }
}

}  // namespace
}  // namespace tacit::service
