#include "tacit/service/api/ofrep.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacit/service/api/asking_test.hpp"
#include "tacit/service/service_rig_test.hpp"

namespace tacit::service::api {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kOne = "POST /ofrep/v1/evaluate/flags/{key}";
constexpr const char* kAll = "POST /ofrep/v1/evaluate/flags";
constexpr const char* kUser = R"({"context":{"targetingKey":"user-1"}})";

Json with_user() { return {{"population", "members"}, {"user", {{"epsilon", 2}, {"cap", 4}}}}; }

Answer one(ServiceInAFolder& service, const std::string& body, const std::string& flag = "shop") {
  return service.ask(kOne, {.parameters = {flag}, .body = body});
}

TEST(OfrepContext, IsReadForItsTargetingKeyAlone) {
  const Directory directory;
  const auto unit = [&](std::string body) { return unit_of_context(body, directory); };
  const UnitHash user = directory.unit("user-1");
  EXPECT_EQ(unit(kUser), user);
  EXPECT_EQ(
      unit(R"({"more":[1],"context":{"age":7,"deep":{"a":[{}]},"targetingKey":"\u0075ser-1"}})"),
      user);
  for (const char* nobody :
       {R"({"context":{}})", "{}", R"({"context":null})", R"({"context":{"targetingKey":null}})",
        R"({"context":{"targetingKey":""}})"}) {
    EXPECT_EQ(unit(nobody), std::nullopt) << nobody;
  }
}

TEST(OfrepContext, IsOverwrittenHoweverItIsRead) {
  const Directory directory;
  std::string good = kUser;
  unit_of_context(good, directory);
  EXPECT_THAT(good, Not(HasSubstr("user-1")));
  std::string bad = R"({"context":{"targetingKey":"user-1"}]])";
  EXPECT_THROW(unit_of_context(bad, directory), OfrepError);
  EXPECT_THAT(bad, Not(HasSubstr("user-1")));
}

TEST(Ofrep, EvaluatesAFlag) {
  ServiceWithAShop shop;
  const Answer answer = one(shop, kUser);
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.type, "application/json");
  const Json json = Json::parse(answer.body);
  EXPECT_EQ(json["key"], "shop");
  EXPECT_EQ(json["reason"], "SPLIT");
  const auto variant = json["variant"].get<std::string>();
  const Json red{{"colour", "#c00"}};
  EXPECT_EQ(json["value"], variant == "red" ? red : Json(variant));
  const Json& metadata = json["metadata"];
  EXPECT_EQ(metadata["tacit.epsilon"], 0.5);
  EXPECT_EQ(metadata["tacit.version"], 0);
  EXPECT_EQ(metadata["tacit.deadline"].get<std::string>().size(), 24U);
  const auto event =
      shop.service().directory()->tokens.read(metadata["tacit.event"].get<std::string>());
  ASSERT_TRUE(event);
  EXPECT_TRUE(event->recorded);
  EXPECT_FALSE(event->deferred);
  EXPECT_EQ(event->deadline, shop.clock().now() + 5 * kSecond);
}

TEST(Ofrep, FailsInTheProtocolsWords) {
  ServiceWithAShop shop(with_user());
  const auto check = [&](const Answer& answer, int status, const char* code) {
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_EQ(answer.type, "application/json");
    const Json json = Json::parse(answer.body);
    EXPECT_EQ(json["errorCode"], code);
    EXPECT_TRUE(json["errorDetails"].is_string());
    EXPECT_THAT(answer.body, Not(HasSubstr("user-1")));
    return json;
  };
  EXPECT_EQ(
      check(one(shop, "{\"context\":{\"targetingKey\":\"user-1\""), 400, "PARSE_ERROR")["key"],
      "shop");
  check(one(shop, ""), 400, "PARSE_ERROR");
  check(one(shop, "[]"), 400, "PARSE_ERROR");
  check(one(shop, R"({"context":["user-1"]})"), 400, "INVALID_CONTEXT");
  check(one(shop, R"({"context":{"targetingKey":["user-1"]}})"), 400, "INVALID_CONTEXT");
  const auto long_key = [](std::size_t bytes) {
    return Json{{"context", {{"targetingKey", std::string(bytes, 'u')}}}}.dump();
  };
  check(one(shop, long_key(1025)), 400, "INVALID_CONTEXT");
  EXPECT_EQ(one(shop, long_key(1024)).status, 200);
  check(one(shop, R"({"context":{"name":"user-1"}})"), 400, "TARGETING_KEY_MISSING");
  const Json unknown = check(one(shop, kUser, "sho\"p"), 404, "FLAG_NOT_FOUND");
  EXPECT_EQ(unknown["key"], "sho\"p");
  EXPECT_EQ(unknown["errorDetails"],
            "key: there is no experiment of this name; did you mean shop?");
  ServiceInAFolder empty;
  EXPECT_EQ(check(one(empty, kUser), 404, "FLAG_NOT_FOUND")["errorDetails"],
            "key: there is no experiment yet");
  EXPECT_FALSE(check(shop.ask(kAll, {.body = "{"}), 400, "PARSE_ERROR").contains("key"));
}

TEST(Ofrep, GivesTheSameEventAgainWhileItSticks) {
  ServiceWithAShop shop(Json{{"sticky_for", "3s"}});
  const Json first = Json::parse(one(shop, kUser).body);
  shop.clock().go(kSecond);
  EXPECT_EQ(Json::parse(one(shop, kUser).body), first);
  EXPECT_NE(Json::parse(one(shop, R"({"context":{"targetingKey":"user-2"}})").body)["metadata"],
            first["metadata"]);
  shop.clock().go(3 * kSecond);
  EXPECT_NE(Json::parse(one(shop, kUser).body)["metadata"]["tacit.event"],
            first["metadata"]["tacit.event"]);
}

TEST(Ofrep, IsDisabledWithTheFallbackOnceItIsStopped) {
  ServiceWithAShop shop(Json{{"fallback", "green"}});
  shop.ask("POST /v1/experiments/{name}/stop", {.parameters = {"shop"}});
  const Json json = Json::parse(one(shop, kUser).body);
  EXPECT_EQ(json["reason"], "DISABLED");
  EXPECT_EQ(json["variant"], "green");
  EXPECT_EQ(json["value"], "green");
  shop.ask("POST /v1/experiments/{name}/archive", {.parameters = {"shop"}});
  EXPECT_EQ(one(shop, kUser).status, 404);
  EXPECT_EQ(Json::parse(shop.ask(kAll, {.body = kUser}).body)["flags"].size(), 0U);
}

TEST(OfrepBulk, DefersEveryFlag) {
  ServiceWithAShop shop;
  const Answer answer = shop.ask(kAll, {.body = kUser});
  ASSERT_EQ(answer.status, 200) << answer.body;
  const Json json = Json::parse(answer.body);
  ASSERT_EQ(json["flags"].size(), 1U);
  const auto token = json["flags"][0]["metadata"]["tacit.event"].get<std::string>();
  const auto event = shop.service().directory()->tokens.read(token);
  ASSERT_TRUE(event);
  EXPECT_TRUE(event->deferred);
  EXPECT_THAT(shop.ask("GET /metrics").body, Not(HasSubstr("tacit_decisions_total{")));
}

TEST(OfrepBulk, FailsFlagByFlag) {
  ServiceWithAShop shop(with_user());
  const Json json = Json::parse(shop.ask(kAll, {.body = R"({"context":{}})"}).body);
  ASSERT_EQ(json["flags"].size(), 1U);
  EXPECT_EQ(json["flags"][0]["key"], "shop");
  EXPECT_EQ(json["flags"][0]["errorCode"], "TARGETING_KEY_MISSING");
}

TEST(OfrepBulk, HasATagThatChangesWithVersionsAndUsers) {
  ServiceWithAShop shop(Json{{"wait", "1h"}, {"phase_max_age", "1s"}});
  const auto ask = [&](const std::string& body, const std::string& seen) {
    return shop.ask(kAll, {.body = body, .headers = {{"If-None-Match", seen}}});
  };
  const std::string tag = ask(kUser, "").etag;
  ASSERT_FALSE(tag.empty());
  const Answer same = ask(kUser, tag);
  EXPECT_EQ(same.status, 304);
  EXPECT_TRUE(same.body.empty());
  EXPECT_EQ(ask(R"({"context":{"targetingKey":"user-2"}})", tag).status, 200);
  shop.ask("PATCH /v1/experiments/{name}",
           {.parameters = {"shop"}, .body = R"({"values":{"blue":7}})"});
  EXPECT_EQ(ask(kUser, tag).status, 200);
  const std::string changed = ask(kUser, "").etag;
  shop.ask("DELETE /v1/experiments/{name}/arms/{arm}", {.parameters = {"shop", "red"}});
  EXPECT_EQ(ask(kUser, changed).status, 200) << "it may have been decided";
}

TEST(OfrepBulk, HasNoTagWhileNothingIsRecorded) {
  Turned rig;
  const std::vector<RouteRow> routes = ofrep_routes(rig.service);
  const auto all = std::find_if(routes.begin(), routes.end(), [](const RouteRow& row) {
    return row.path == std::string(kAll).substr(std::string(kAll).find(' ') + 1);
  });
  ASSERT_NE(all, routes.end());
  const auto ask = [&](const std::string& seen) {
    const SentRequest request("POST", "", "", kUser, {{"If-None-Match", seen}});
    const std::vector<std::string> none;
    Answer got{.status = 0};
    all->route({request, none, "tester", rig.service.directory()},
               [&](Answer&& answer) { got = std::move(answer); });
    rig.service.turn();
    return got;
  };
  const std::string tag = ask("").etag;
  ASSERT_FALSE(tag.empty());
  EXPECT_EQ(ask(tag).status, 304);
  rig.store.away = true;
  rig.submit_decision();
  rig.service.turn();
  ASSERT_FALSE(rig.service.store_is_up());
  const Answer meanwhile = ask(tag);
  EXPECT_EQ(meanwhile.status, 200) << meanwhile.body;
  EXPECT_EQ(meanwhile.etag, "");
}

TEST(OfrepBulk, HasATagThatChangesBeforeEventsAreTooOld) {
  ServiceWithAShop shop;
  const std::string tag = shop.ask(kAll, {.body = kUser}).etag;
  shop.clock().go(5 * kSecond);
  EXPECT_NE(shop.ask(kAll, {.body = kUser}).etag, tag);
}

TEST(OfrepBulk, HasATagThatChangesWithReleases) {
  ServiceWithAShop shop(Json{{"wait", "5s"}});
  shop.clock().go(kDay - shop.clock().now() % kDay);  // where a span of 5 s begins
  const auto tag = [&] { return shop.ask(kAll, {.body = kUser}).etag; };
  shop.decide_often(100);
  EXPECT_EQ(tag().substr(0, 3), "\"0-");
  shop.wait(10 * kSecond);
  EXPECT_NE(tag().substr(0, 3), "\"0-");
}

}  // namespace
}  // namespace tacit::service::api
