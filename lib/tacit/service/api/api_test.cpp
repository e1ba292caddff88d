#include "tacit/service/api/api.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tacit/core/version.hpp"
#include "tacit/service/api/door_test.hpp"

namespace tacit::service::api {
namespace {

// ---- who may

TEST(Api, LetsInWhoHasAKey) {
  Door door;
  const std::string text = door.key("app").text;
  EXPECT_EQ(door.knock(Door::kDecide, "", {{"Authorization", "Bearer " + text}}).status, 200);
  EXPECT_EQ(door.knock(Door::kDecide, "", {{"Authorization", "bearer  " + text}}).status, 200);
  EXPECT_EQ(door.knock(Door::kDecide, "", {{"X-API-Key", text}}).status, 200);
}

TEST(Api, AsksWhoHasNoneForAKey) {
  Door door;
  std::string forged = door.key("app").text;
  forged.back() = forged.back() == 'A' ? 'B' : 'A';
  std::string another_role = door.key("viewer").text;
  another_role.replace(0, 12, "tacit_app");
  const std::vector<Headers> none{{},
                                  {{"Authorization", "Basic abc"}},
                                  {{"Authorization", "Bearer "}},
                                  {{"Authorization", "Bearer " + forged}},
                                  {{"Authorization", "Bearer " + another_role}},
                                  {{"X-API-Key", "tacit_app_00000000_x"}}};
  for (const Headers& headers : none) {
    const Answer answer = door.knock(Door::kDecide, "{}", headers);
    EXPECT_EQ(answer.status, 401);
    EXPECT_EQ(header_of(answer, "WWW-Authenticate").find("Bearer realm=\"tacit\""), 0U);
    EXPECT_EQ(answer.type, "application/problem+json");
    EXPECT_EQ(answer.body.find(forged), std::string::npos);
  }
}

TEST(Api, ForgetsKeysThatAreRevoked) {
  Door door;
  ApiKeyRow row = door.key("app").row;
  row.revoked = door.shop().clock().now();
  door.put(row);
  EXPECT_EQ(door.ask("app", Door::kDecide, "{}").status, 401);
}

TEST(Api, NamesTheRoleThatIsNeeded) {
  Door door;
  const Answer answer = door.ask("viewer", Door::kDecide, "{}");
  EXPECT_EQ(answer.status, 403);
  EXPECT_EQ(Json::parse(answer.body).at("detail"), "Authorization: needs a key of the role app");
  EXPECT_EQ(door.ask("client", Door::kDecide, "{}").status, 403);
  EXPECT_EQ(door.ask("operator", "GET /v1/experiments/shop", "").status, 200);
  EXPECT_EQ(door.ask("viewer", "GET /v1/experiments/shop", "").status, 200);
  EXPECT_EQ(door.ask("app", "GET /v1/experiments/shop", "").status, 403);
  EXPECT_EQ(door.ask("viewer", "POST /v1/experiments/shop/stop", "{}").status, 403);
}

TEST(Api, ReadsNoBodyOfWhoMayNotSendOne) {
  Api::Settings settings;
  settings.report = {.per_second = 1, .burst = 1};
  settings.origins = {"https://shop.example"};
  Door door(Json::object(), settings);
  // Null: none is read.
  const auto budget = [&](const std::string& method, const std::string& path, Headers headers) {
    const SentRequest header(method, path, "", "", std::move(headers));
    return door.api().enter(header).bodies;
  };
  EXPECT_EQ(budget("POST", "/v1/outcomes", {}), nullptr);
  EXPECT_EQ(budget("POST", "/v1/outcomes", {{"X-API-Key", "tacit_app_00000000_x"}}), nullptr);
  EXPECT_EQ(budget("POST", "/v1/outcomes", door.as("viewer")), nullptr);
  EXPECT_EQ(budget("POST", "/v1/nowhere", door.as("app")), nullptr);
  EXPECT_EQ(budget("PUT", "/v1/outcomes", door.as("app")), nullptr);
  EXPECT_EQ(budget("GET", "/healthz", {}), nullptr);
  EXPECT_EQ(budget("GET", "/openapi.json", {}), nullptr);
  EXPECT_EQ(budget("OPTIONS", "/v1/outcomes",
                   {{"Origin", "https://shop.example"}, {"Access-Control-Request-Method", "POST"}}),
            nullptr);
  const auto of_app = budget("POST", "/v1/outcomes", door.as("app"));
  EXPECT_NE(of_app, nullptr);
  EXPECT_EQ(budget("POST", "/v1/outcomes", door.as("app")), nullptr);  // one a second
  EXPECT_EQ(budget("POST", "/v1/activations", {{"X-API-Key", door.key("app").text}}), of_app);
  // Everybody has the key of a page.
  const auto of_pages = budget("POST", "/v1/activations", door.as("client"));
  EXPECT_NE(of_pages, nullptr);
  EXPECT_NE(of_pages, of_app);
}

// ---- how often

TEST(Api, TurnsAwayWhoAsksTooOften) {
  Api::Settings settings;
  settings.decide = {.per_second = 1, .burst = 2};
  settings.report = {.per_second = 1, .burst = 1};
  Door door(Json::object(), settings);
  const Json decision = door.decide();
  EXPECT_EQ(door.ask("app", Door::kDecide, "{}").status, 200);
  const Answer answer = door.ask("app", Door::kDecide, "{}");
  EXPECT_EQ(answer.status, 429);
  EXPECT_EQ(answer.retry_after, 1);
  EXPECT_EQ(door.ask("app", "POST /v1/outcomes", outcome(decision, 1)).status, 202);
  EXPECT_EQ(door.ask("app", "POST /v1/outcomes", outcome(decision, 1)).status, 429);
  EXPECT_EQ(door.ask("client", "POST /v1/outcomes", outcome(decision, 1)).status, 202);
  door.shop().wait(kSecond);
  EXPECT_EQ(door.ask("app", Door::kDecide, "{}").status, 200);
}

/// How many of so many reports with the key that all visitors have are answered 202, when others have reported with it from there.
int reports_taken(int of_others, const std::string& from) {
  Api::Settings settings;
  settings.report = settings.client = settings.decide = {.per_second = 20, .burst = 40};
  Door door(Json::object(), settings);
  const auto report = [&] {
    return door.ask("client", "POST /v1/outcomes", R"({"outcomes":[]})").status;
  };
  door.move_to(from);
  for (int i = 0; i < of_others; ++i) report();
  door.move_to("203.0.113.9");
  int taken = 0;
  for (int i = 0; i < 40; ++i) taken += report() == 202 ? 1 : 0;
  return taken;
}

TEST(Api, TellsNobodyThatAnotherVisitorHasReported) {
  const int alone = reports_taken(0, "");
  for (const int others : {1, 2, 40, 100}) {
    for (const char* from : {"198.51.100.1", "203.0.113.9", "127.0.0.1"}) {
      EXPECT_EQ(reports_taken(others, from), alone) << others << " from " << from;
    }
  }
}

TEST(Api, CountsThePublicKeyByAddress) {
  Api::Settings settings;
  settings.client = {.per_second = 1, .burst = 2};
  Door door(Json::object(), settings);
  const auto ask = [&](const Headers& more = {}) {
    return door
        .knock("POST /ofrep/v1/evaluate/flags/shop", R"({"context":{"targetingKey":"u"}})",
               door.as("client", more))
        .status;
  };
  door.move_to("198.51.100.1");
  EXPECT_EQ(ask(), 200);
  EXPECT_EQ(ask(), 200);
  EXPECT_EQ(ask(), 429);
  EXPECT_EQ(ask({{"X-Forwarded-For", "203.0.113.7"}}), 429) << "anybody can say that";
  door.move_to("198.51.100.2");
  EXPECT_EQ(ask(), 200);
  EXPECT_EQ(door.ask("app", Door::kDecide, "{}").status, 200);
  // Of processes of this machine nobody knows for whom they ask.
  for (const char* here : {"127.0.0.1", "::1", ""}) {
    door.move_to(here);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(ask(), 200) << here;
  }
}

TEST(Api, KnowsAddressesFromItsProxyAlone) {
  Api::Settings settings;
  settings.client = {.per_second = 1, .burst = 1};
  settings.behind_proxy = true;
  Door door(Json::object(), settings);
  const auto ask = [&](const std::string& forwarded) {
    return door
        .knock("POST /ofrep/v1/evaluate/flags/shop", R"({"context":{"targetingKey":"u"}})",
               door.as("client", {{"X-Forwarded-For", forwarded}}))
        .status;
  };
  door.move_to("10.0.0.1");
  EXPECT_EQ(ask("198.51.100.1"), 200);
  EXPECT_EQ(ask("198.51.100.1"), 429);
  EXPECT_EQ(ask("203.0.113.1, 198.51.100.1"), 429) << "what comes first was said by who asks";
  EXPECT_EQ(ask("198.51.100.1, 203.0.113.1"), 200);
}

TEST(Api, SaysWhoItIsAndWhereToReadOn) {
  Door door;
  const Answer answer = door.knock("GET /", "", {});
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(Json::parse(answer.body),
            (Json{{"name", "tacit"}, {"version", kVersion}, {"description", "/openapi.json"}}));
}

// ---- paths

TEST(Api, NamesTheNearestPath) {
  Door door;
  const Answer answer = door.ask("app", "POST /v1/experiment/shop/decision", "{}");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(Json::parse(answer.body).at("detail"),
            "nothing is served at this path; did you mean POST "
            "/v1/experiments/{name}/decisions?");
}

TEST(Api, NamesTheMethodsOfAPath) {
  Door door;
  const Answer answer = door.ask("app", "GET /v1/outcomes", "");
  EXPECT_EQ(answer.status, 405);
  EXPECT_EQ(header_of(answer, "Allow"), "POST");
}

TEST(Api, NamesTheNearestExperiment) {
  Door door;
  const Answer answer = door.ask("app", "POST /v1/experiments/shp/decisions", "{}");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(Json::parse(answer.body).at("detail"),
            "name: there is no such experiment; did you mean shop?");
}

TEST(Api, TellsPagesNothingOfWhatIsArchived) {
  Door door;
  door.ask("operator", "POST /v1/experiments/shop/stop", "");
  const std::string guarantee = "GET /v1/experiments/shop/guarantee";
  const std::string mistyped = "GET /v1/experiments/shp/guarantee";
  EXPECT_EQ(door.ask("client", guarantee, "").status, 200);
  EXPECT_NE(door.ask("client", mistyped, "").body.find("shop"), std::string::npos);
  door.ask("operator", "POST /v1/experiments/shop/archive", "");
  for (const std::string& what : {guarantee, mistyped}) {
    const Answer answer = door.ask("client", what, "");
    EXPECT_EQ(answer.status, 404);
    EXPECT_EQ(Json::parse(answer.body).at("detail"), "name: there is no experiment yet");
  }
  const std::string flag = "POST /ofrep/v1/evaluate/flags/shp";
  EXPECT_EQ(door.ask("client", flag, "{}").body.find("shop"), std::string::npos);
  EXPECT_EQ(door.ask("viewer", guarantee, "").status, 200);
  EXPECT_NE(door.ask("viewer", mistyped, "").body.find("shop"), std::string::npos);
}

TEST(Api, TakesJsonAlone) {
  Door door;
  Headers headers = door.as("app");
  for (const char* type : {"", "text/plain", "application/jsonp"}) {
    headers["Content-Type"] = type;
    EXPECT_EQ(door.knock(Door::kDecide, "{}", headers).status, 415) << type;
  }
  for (const char* type : {"application/json; charset=utf-8", "Application/JSON"}) {
    headers["Content-Type"] = type;
    EXPECT_EQ(door.knock(Door::kDecide, "{}", headers).status, 200) << type;
  }
}

TEST(Api, LogsWhatItRefusesByRule) {
  Door door;
  door.ask("viewer", Door::kDecide, "{}");
  door.ask("app", "POST /v1/experiments/nothing-like-it/decisions", "{}");
  door.ask("app", Door::kDecide, R"({"unit":"user-1","eligible":["x"]})");
  door.ask("app", Door::kDecide, "{");
  door.knock(Door::kDecide, "{}", {});
  door.ask("app", "GET /v1/whatever", "");
  const std::string pattern = "/v1/experiments/{name}/decisions";
  const auto line = [&](int status, const std::string& role) {
    Json refused{{"event", "refused"}, {"status", status}, {"method", "POST"}, {"path", pattern}};
    if (!role.empty()) refused["key"] = door.key(role).row.id;
    return refused;
  };
  const std::vector<Json> expected{
      line(403, "viewer"), line(404, "app"), line(422, "app"), line(401, ""),
      Json{{"event", "refused"}, {"status", 404}, {"method", "GET"}, {"path", ""}}};
  EXPECT_EQ(door.log(), expected);
}

TEST(Api, SaysWhetherItIsThere) {
  Door door;
  EXPECT_EQ(door.knock("GET /healthz", "", {}).status, 200);
  EXPECT_EQ(door.knock("GET /readyz", "", {}).status, 200);
  door.shop().service().drain();
  EXPECT_EQ(door.knock("GET /healthz", "", {}).status, 200);
  EXPECT_EQ(door.knock("GET /readyz", "", {}).status, 503);
  EXPECT_EQ(door.ask("app", Door::kDecide, "{}").status, 503);
}

}  // namespace
}  // namespace tacit::service::api
