#include "tacit/lab/document.hpp"

#include <exception>
#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacit/lab/small_plans_test.hpp"

namespace tacit::lab {
namespace {

/// With something in every field.
Document full() {
  return {.problem_label = "paths of 4",
          .problem_family = "paths of {K}",
          .policy_label = "the usual one",
          .variables = {{"K", 4.0}, {"file", "cut"}},
          .setting = {.policy = "cucb-dp",
                      .epsilon = 0.5,
                      .delta = 1e-6,
                      .feedback = "semi",
                      .actions = "top:2",
                      .problem = "three arms",
                      .parameters = {{"b", "2"}, {"a", "1"}},
                      .horizon = 9007199254740992,
                      .seed = 18446744073709551615U,
                      .against = simulation::Against::kBest},
          .noise = "exact",
          .set_size = 2,
          .means = {0.7, 1, 0.1 + 0.2},
          .best_set = std::vector<Arm>{0, 1},
          .promises = {.guarantee = {.notion = privacy::Notion::kCentral,
                                     .epsilon = 1,
                                     .delta = 0,
                                     .neighbours = "one round",
                                     .arithmetic = privacy::Arithmetic::kExact,
                                     .randomness = privacy::Randomness::kSecure,
                                     .because = "it is so"},
                       .published = {.notion = privacy::Notion::kLocal, .epsilon = 2, .delta = 0}},
          .checkpoints = {10, 100},
          .bounds = {{.name = "b",
                      .kind = theory::Kind::kMinimax,
                      .side = theory::Side::kLower,
                      .values = {std::nullopt, 5}}}};
}

TEST(Document, IsWrittenInTheOrderThatFilesHave) {
  EXPECT_EQ(
      on_one_line(to_json(full())),
      R"({"problem_label":"paths of 4","problem_family":"paths of {K}","policy_label":"the usual one",)"
      R"("variables":{"K":4.0,"file":"cut"},"policy":"cucb-dp","epsilon":0.5,"delta":1e-06,)"
      R"("feedback":"semi","actions":"top:2","problem":"three arms","params":{"b":"2","a":"1"},)"
      R"("horizon":9007199254740992,"seed":18446744073709551615,"against":"best","noise":"exact","set_size":2,)"
      R"("means":[0.7,1.0,0.30000000000000004],"best_set":[0,1],)"
      R"("guarantee":{"notion":"central","epsilon":1.0,"delta":0.0,"arithmetic":"exact",)"
      R"("randomness":"secure","neighbours":"one round","because":"it is so"},)"
      R"("published":{"notion":"local","epsilon":2.0,"delta":0.0},"checkpoints":[10,100],)"
      R"("bounds":[{"name":"b","kind":"minimax","side":"lower","values":[null,5.0]}]})");
}

TEST(Document, IsTheSameAfterReading) {
  Document open = full();  // what has no value is null, or left out
  open.setting.epsilon = open.setting.delta = {};
  open.best_set = {};
  open.variables = {};
  open.promises = {};
  for (const Document& document : {full(), open, plan(kTwo, 1).tasks[1].document}) {
    const std::string text = on_one_line(to_json(document));
    EXPECT_EQ(on_one_line(to_json(read_document(text))), text);
  }
}

TEST(Document, OfWhoProtectsNobodyHasNoEpsilon) {
  Document document = full();
  document.promises = {};
  const Document read = read_document(on_one_line(to_json(document)));
  EXPECT_EQ(read.promises.guarantee.epsilon, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(read.promises.guarantee.is_private());
  EXPECT_EQ(guarantee_text(read.promises.guarantee), "none");
  EXPECT_EQ(guarantee_text(full().promises.guarantee), "central 1");
}

TEST(Document, ThatLacksSomethingOrNamesAnUnknownIsRefused) {
  Json json = to_json(full());
  json.erase("noise");
  EXPECT_THROW(read_document(on_one_line(json)), std::exception);
  json = to_json(full());
  json["guarantee"]["notion"] = "psychic";
  EXPECT_THROW(read_document(on_one_line(json)), std::exception);
}

TEST(Document, OfBeforeThereWasAChoiceIsMeasuredAgainstTheOracle) {
  Json json = to_json(full());
  EXPECT_EQ(read_document(on_one_line(json)).setting.against, simulation::Against::kBest);
  json.erase("against");
  EXPECT_EQ(read_document(on_one_line(json)).setting.against, simulation::Against::kOracle);
}

TEST(Variables, AreNumbersWhereTheyCan) {
  EXPECT_EQ(full().variable("K")->number(), 4);
  EXPECT_EQ(full().variable("file")->number(), std::nullopt);
  EXPECT_EQ(full().variable("L"), nullptr);
  EXPECT_EQ(full().variable("file")->text(), "\"cut\"");
}

}  // namespace
}  // namespace tacit::lab
