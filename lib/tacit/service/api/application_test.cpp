#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tacit/service/api/door_test.hpp"
#include "tacit/service/log.hpp"

namespace tacit::service::api {
namespace {

// ---- decisions

TEST(Application, AnswersADecision) {
  Door door;
  const Answer answer = door.ask("app", Door::kDecide, "{}");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.type, "application/json");
  const Json decision = Json::parse(answer.body);
  std::vector<std::string> keys;
  for (const auto& [key, value] : decision.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"event", "action", "value", "observe", "deadline",
                                            "version"}));
  const auto action = decision.at("action").get<std::string>();
  const Json value = action == "red" ? Json{{"colour", "#c00"}} : Json(action);
  EXPECT_EQ(decision.at("value"), value);
  EXPECT_EQ(decision.at("observe"), Json::array({action}));
  EXPECT_EQ(decision.at("deadline"), text_of_time(door.shop().clock().now() + 5 * kSecond));
  EXPECT_EQ(decision.at("version"), 0);
}

TEST(Application, AnswersManyDecisionsAtOnce) {
  Door door;
  const Json answer = door.decide(R"({"count":7,"eligible":["green"]})");
  ASSERT_EQ(answer.at("decisions").size(), 7U);
  std::vector<std::string> events;
  for (const Json& each : answer.at("decisions")) {
    EXPECT_EQ(each.at("action"), "green");
    events.push_back(each.at("event").get<std::string>());
  }
  std::sort(events.begin(), events.end());
  EXPECT_EQ(std::unique(events.begin(), events.end()), events.end());
}

TEST(Application, RefusesAnAnswerThatCouldBeFarTooLong) {
  const std::string value(50'000, 'x');
  Door door(Json{{"arms", {"short", {{"name", "long"}, {"value", value}}}}});
  ASSERT_EQ(door.shop().created().status, 201) << door.shop().created().body;
  const Answer refused = door.ask("app", Door::kDecide, R"({"count":100,"eligible":["short"]})");
  EXPECT_EQ(refused.status, 422);
  const Json problem = Json::parse(refused.body);
  EXPECT_EQ(problem.at("field"), "count");
  const auto detail = problem.at("detail").get<std::string>();
  EXPECT_TRUE(detail.starts_with("count: 100 decisions")) << detail;
  EXPECT_NE(detail.find("at most 20,"), std::string::npos) << detail;
  EXPECT_EQ(door.ask("app", Door::kDecide, R"({"count":21})").status, 422);
  const Answer most = door.ask("app", Door::kDecide, R"({"count":20,"eligible":["long"]})");
  EXPECT_EQ(most.status, 200) << most.body.substr(0, 200);
  EXPECT_LE(most.body.size(), std::size_t{1} << 20U);
  EXPECT_GT(most.body.size(), 20 * value.size());
}

TEST(Application, GivesOneDecisionHoweverLongItIs) {
  Door door(Json{{"arms", {{{"name", "a"}, {"value", std::string(2 << 20, 'x')}}, "b"}}});
  ASSERT_EQ(door.shop().created().status, 201) << door.shop().created().body;
  EXPECT_EQ(door.ask("app", Door::kDecide, "{}").status, 200);
  EXPECT_EQ(door.ask("app", Door::kDecide, R"({"count":2})").status, 422);
}

TEST(Application, ShowsSetsAsLists) {
  Door door(Json{{"policy", "lazy-kl-cucb"}, {"actions", "top:2"}});
  ASSERT_EQ(door.shop().created().status, 201) << door.shop().created().body;
  const Json decision = door.decide();
  ASSERT_EQ(decision.at("action").size(), 2U);
  EXPECT_EQ(decision.at("value").size(), 2U);
  Json values = Json::object();
  for (const Json& arm : decision.at("observe")) values[arm.get<std::string>()] = 0.5;
  const Answer answer = door.ask("app", "POST /v1/outcomes",
                                 Json{{"event", decision.at("event")}, {"values", values}}.dump());
  EXPECT_EQ(answer.status, 202) << answer.body;
}

TEST(Application, TakesTheStopOfAListForItsFirstItem) {
  Door door(Json{{"policy", "cascade-dp"}, {"actions", "top:2"}});
  ASSERT_EQ(door.shop().created().status, 201) << door.shop().created().body;
  const Json decision = door.decide();
  EXPECT_EQ(decision.at("observe"), Json::array({decision.at("action").at(0)}));
  for (const Json& stop : {Json(0), Json(1), Json(nullptr)}) {
    const Json body{{"event", decision.at("event")}, {"stop", stop}};
    EXPECT_EQ(door.ask("app", "POST /v1/outcomes", body.dump()).status, 202) << stop;
  }
  const Json beyond{{"event", decision.at("event")}, {"stop", 2}};
  EXPECT_EQ(door.ask("app", "POST /v1/outcomes", beyond.dump()).status, 422);
}

TEST(Application, TakesAnOutcomeOfEveryArm) {
  Door door(Json{{"policy", "ftnl"}});
  ASSERT_EQ(door.shop().created().status, 201) << door.shop().created().body;
  const Json decision = door.decide();
  EXPECT_EQ(decision.at("observe"), (Json{"blue", "green", "red"}));
  const Json values{{"red", 1}, {"blue", 0}, {"green", 0.5}};
  const Json body{{"event", decision.at("event")}, {"values", values}};
  EXPECT_EQ(door.ask("app", "POST /v1/outcomes", body.dump()).status, 202);
  EXPECT_EQ(door.ask("app", "POST /v1/outcomes", outcome(decision, 1)).status, 422);
}

TEST(Application, LearnsFromWhatIsReported) {
  Door door(Json{{"arms", {"only", "other"}}, {"epsilon", 50}});
  ASSERT_EQ(door.shop().created().status, 201) << door.shop().created().body;
  for (int round = 0; round < 20 && door.version() == 0; ++round) {
    Json many = Json::array();
    const Json decisions = door.decide(R"({"count":100})");
    for (const Json& each : decisions.at("decisions")) {
      many.push_back({{"event", each.at("event")}, {"value", each.at("action") == "only" ? 1 : 0}});
    }
    EXPECT_EQ(door.ask("app", "POST /v1/outcomes", Json{{"outcomes", many}}.dump()).status, 202);
    door.shop().wait(10 * kSecond);
  }
  EXPECT_GT(door.version(), 0);
}

TEST(Application, ActivatesWhatWasDeferred) {
  Door door;
  const Json deferred = door.decide(R"({"defer":true})");
  const std::string event = Json{{"event", deferred.at("event")}}.dump();
  EXPECT_EQ(door.ask("app", "POST /v1/outcomes", outcome(deferred, 1)).status, 422);
  const Json active = door.json("client", "POST /v1/activations", event);
  EXPECT_NE(active.at("event"), deferred.at("event"));
  EXPECT_EQ(door.json("app", "POST /v1/activations", event), active);
  EXPECT_EQ(door.ask("client", "POST /v1/outcomes", outcome(active, 1)).status, 202);
}

// ---- reports

TEST(Application, HasOneAnswerToEveryWellFormedReport) {
  Door door;
  const Json decision = door.decide();
  const Json unrecorded = door.decide(R"({"record":false})");
  const auto same = [&](const std::string& body) {
    const Answer answer = door.ask("app", "POST /v1/outcomes", body);
    EXPECT_EQ(answer.status, 202);
    EXPECT_EQ(answer.body, "{}");
    EXPECT_TRUE(answer.headers.empty());
    EXPECT_EQ(answer.retry_after, 0);
  };
  same(outcome(decision, 1));
  same(outcome(decision, 1));
  same(outcome(decision, 0));
  same(outcome(unrecorded, 1));
  door.shop().wait(kMinute);
  same(outcome(decision, 1));
}

TEST(Application, RefusesForgedEventsBySealAlone) {
  Door door;
  const Json decision = door.decide();
  auto forged = decision.at("event").get<std::string>();
  forged[forged.size() / 2] = forged[forged.size() / 2] == 'A' ? 'B' : 'A';
  const Answer answer = door.ask("app", "POST /v1/outcomes", outcome({{"event", forged}}, 1));
  EXPECT_EQ(answer.status, 422);
  const Json problem = Json::parse(answer.body);
  EXPECT_EQ(problem.at("field"), "event");
  EXPECT_EQ(problem.at("detail"), "event: is no event that this service has given out");
}

TEST(Application, TakesReportsOfDevicesAllOrNone) {
  Door door(Json{{"policy", "ldp-ucb-bits"}});
  ASSERT_EQ(door.shop().created().status, 201) << door.shop().created().body;
  const auto report = [&](double value) {
    return Json{{"event", door.decide().at("event")}, {"report", value}};
  };
  EXPECT_EQ(door.ask("client", "POST /v1/reports", report(1).dump()).status, 202);
  const Json both{{"reports", {report(0), report(1)}}};
  EXPECT_EQ(door.ask("client", "POST /v1/reports", both.dump()).status, 202);
  const Answer refused = door.ask("client", "POST /v1/reports",
                                  Json{{"reports", {report(0), report(0.7310581)}}}.dump());
  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(refused.body.find("7310581"), std::string::npos) << refused.body;
  EXPECT_EQ(door.ask("app", "POST /v1/outcomes", outcome(door.decide(), 1)).status, 422);
}

TEST(Application, TakesWhateverADeviceSaysOfADecisionThatAsksForNothing) {
  Door door(Json{{"policy", "ldp-ucb-bits"}});
  ASSERT_EQ(door.shop().created().status, 201) << door.shop().created().body;
  ASSERT_EQ(door.ask("operator", "POST /v1/experiments/shop/stop", "").status, 200);
  const Json decision = door.decide();
  EXPECT_TRUE(decision.at("observe").empty());
  const Json report{{"event", decision.at("event")}, {"report", 1}};
  EXPECT_EQ(door.ask("client", "POST /v1/reports", report.dump()).status, 202);
}

TEST(Application, NeitherLogsNorCountsReports) {
  Door door;
  const Json decision = door.decide();
  door.ask("app", "POST /v1/outcomes", outcome(decision, 1));
  door.ask("app", "POST /v1/outcomes", "{");
  door.ask("app", "POST /v1/outcomes", R"({"event":"x","value":1})");
  door.ask("viewer", "POST /v1/outcomes", outcome(decision, 1));
  door.knock("POST /v1/outcomes", outcome(decision, 1), {});
  door.ask("app", "POST /v1/outcome", outcome(decision, 1));
  door.ask("app", "POST /v1/reports", "{}");
  EXPECT_TRUE(door.log().empty()) << Json(door.log());
  const auto rows = door.api().counts().rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].path, "/v1/experiments/{name}/decisions");
  EXPECT_EQ(rows[0].requests, 1U);
}

// ---- asked again

TEST(Application, AnswersTheSameRequestWithTheSameBytes) {
  Door door;
  const Headers once = door.as("app", {{"Idempotency-Key", "order-1"}});
  const std::string body = R"({"unit":"us\u0065r-1","count":3})";
  const Answer first = door.knock(Door::kDecide, body, once);
  ASSERT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(door.knock(Door::kDecide, body, once).body, first.body);
  door.shop().wait(kMinute);
  EXPECT_EQ(door.knock(Door::kDecide, body, once).body, first.body);
  const Headers another = door.as("app", {{"Idempotency-Key", "order-2"}});
  EXPECT_NE(door.knock(Door::kDecide, body, another).body, first.body);
}

TEST(Application, RefusesAnotherRequestUnderTheSameIdempotencyKey) {
  Door door;
  const Headers once = door.as("app", {{"Idempotency-Key", "order-1"}});
  EXPECT_EQ(door.knock(Door::kDecide, R"({"unit":"user-1"})", once).status, 200);
  const Answer answer = door.knock(Door::kDecide, R"({"unit":"user-2"})", once);
  EXPECT_EQ(answer.status, 422);
  EXPECT_EQ(Json::parse(answer.body).at("field"), "Idempotency-Key");
}

TEST(Application, AnswersTheSameRequestOnTheWayWithTheSameBytes) {
  Door door;
  const Headers once = door.as("app", {{"Idempotency-Key", "order-1"}});
  const auto first = door.send(Door::kDecide, "{}", once);
  const auto second = door.send(Door::kDecide, "{}", once);
  EXPECT_FALSE(first->has_value());
  door.shop().service().turn();
  EXPECT_EQ(first->value().status, 200);
  EXPECT_EQ(first->value().body, second->value().body);
}

TEST(Application, KeepsIdempotencyKeysApartByApiKey) {
  Door door;
  const NewApiKey other = new_api_key("app", "", 0);
  door.put(other.row);
  const Answer first = door.knock(Door::kDecide, "{}", door.as("app", {{"Idempotency-Key", "1"}}));
  const Answer second = door.knock(Door::kDecide, "{}",
                                   {{"Authorization", "Bearer " + other.text},
                                    {"Content-Type", "application/json"},
                                    {"Idempotency-Key", "1"}});
  EXPECT_EQ(second.status, 200);
  EXPECT_NE(first.body, second.body);
}

TEST(Application, TakesNoEmptyIdempotencyKey) {
  Door door;
  const Answer answer = door.knock(Door::kDecide, "{}", door.as("app", {{"Idempotency-Key", ""}}));
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(Json::parse(answer.body).at("field"), "Idempotency-Key");
}

TEST(Application, KeepsNoMoreThanAKeyMay) {
  Api::Settings settings;
  settings.quotas.answer_bytes = 1 << 20;
  settings.quotas.idempotency_for = kHour;
  const std::string large(9000, 'x');
  Door door({{"arms", {{{"name", "a"}, {"value", large}}, {{"name", "b"}, {"value", large}}}}},
            settings);
  const auto ask = [&](int number) {
    return door.knock(Door::kDecide, R"({"count":50})",
                      door.as("app", {{"Idempotency-Key", std::to_string(number)}}));
  };
  const Answer first = ask(0);
  ASSERT_EQ(first.status, 200) << first.body.substr(0, 300);
  EXPECT_EQ(ask(1).status, 200);
  const Json before = door.json("viewer", "GET /v1/experiments/shop", "");
  const Answer beyond = ask(2);
  EXPECT_EQ(beyond.status, 429);
  EXPECT_GT(beyond.retry_after, 0);
  EXPECT_EQ(door.json("viewer", "GET /v1/experiments/shop", "")["decisions"], before["decisions"])
      << "what is not kept was not decided";
  // What is kept is given again, and what is not to be kept is decided.
  EXPECT_EQ(ask(0).body, first.body);
  EXPECT_EQ(door.ask("app", Door::kDecide, R"({"count":50})").status, 200);
  const std::string metrics = door.ask("viewer", "GET /metrics", "").body;
  EXPECT_NE(metrics.find("\ntacit_kept_answers_total 2\n"), std::string::npos) << metrics;
  door.shop().clock().go(kHour);
  EXPECT_EQ(ask(2).status, 200);
  EXPECT_NE(ask(0).body, first.body) << "an hour is over";
}

TEST(Application, DoesNotKeepWhatWasRefused) {
  Door door;
  const Headers once = door.as("app", {{"Idempotency-Key", "order-1"}});
  EXPECT_EQ(door.knock(Door::kDecide, R"({"eligible":["x"]})", once).status, 422);
  EXPECT_EQ(door.knock(Door::kDecide, R"({"eligible":["red"]})", once).status, 200);
}

}  // namespace
}  // namespace tacit::service::api
