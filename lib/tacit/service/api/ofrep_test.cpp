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
  const auto unit = [&](std::string body) -> std::optional<UnitHash> {
    const auto named = unit_of_context(body, directory);
    if (!named) return {};
    return named->unit;
  };
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

std::string context(const std::string& targeting_key) {
  return Json{{"context", {{"targetingKey", targeting_key}}}}.dump();
}

std::string signed_name(ServiceInAFolder& service, const std::string& user) {
  const Json json = service.json("POST /v1/units", {.body = Json{{"unit", user}}.dump()});
  return user + "." + json.at("signature").get<std::string>();
}

TEST(OfrepUnits, AreAskedForWithAPublicKeyBySignedNamesAlone) {
  ServiceWithAShop shop(Json{{"sticky_for", "1d"}});
  const auto ask = [&](Role role, const std::string& key) {
    return shop.ask(kOne, {.parameters = {"shop"}, .body = context(key), .role = role});
  };
  const std::string signed_alice = signed_name(shop, "alice@example.com");
  const Answer alices = ask(Role::kApp, "alice@example.com");
  ASSERT_EQ(alices.status, 200) << alices.body;

  // Whether she was there is not told to who can only name her.
  const Answer there = ask(Role::kClient, "alice@example.com");
  const Answer not_there = ask(Role::kClient, "bob@example.com");
  EXPECT_EQ(there.status, 400);
  EXPECT_EQ(there.body, not_there.body);
  EXPECT_EQ(Json::parse(there.body)["errorCode"], "INVALID_CONTEXT");
  EXPECT_THAT(there.body, HasSubstr("POST /v1/units"));
  for (std::size_t at = signed_alice.rfind('.') + 1; at < signed_alice.size(); ++at) {
    std::string forged = signed_alice;
    forged[at] = forged[at] == 'A' ? 'B' : 'A';
    EXPECT_EQ(ask(Role::kClient, forged).body, there.body) << at;
  }
  std::string of_another = signed_alice;
  of_another.replace(0, 5, "bobby");
  EXPECT_EQ(ask(Role::kClient, of_another).body, there.body);

  // Her own page has her name signed, and it is she.
  EXPECT_EQ(ask(Role::kClient, signed_alice).body, alices.body);
  EXPECT_EQ(ask(Role::kApp, signed_alice).body, alices.body);
}

TEST(OfrepUnits, NeedNoSignatureWhereNothingIsKeptOfThem) {
  ServiceWithAShop shop(Json{{"holdout", 0.5}});
  for (const std::string& name : {std::string("alice"), signed_name(shop, "alice")}) {
    const Answer one =
        shop.ask(kOne, {.parameters = {"shop"}, .body = context(name), .role = Role::kClient});
    EXPECT_EQ(one.status, 200) << one.body;
  }
}

TEST(OfrepUnits, NeedASignatureWhereTheyAreCounted) {
  ServiceWithAShop shop(with_user());
  const Json flag = Json::parse(
      shop.ask(kAll, {.body = context("alice"), .role = Role::kClient}).body)["flags"][0];
  EXPECT_EQ(flag["errorCode"], "INVALID_CONTEXT");
  const std::string name = context(signed_name(shop, "alice"));
  const Answer all = shop.ask(kAll, {.body = name, .role = Role::kClient});
  EXPECT_EQ(Json::parse(all.body)["flags"][0]["reason"], "SPLIT") << all.body;
  // Whoever has the tag of another's flags is not told by it that nothing has changed.
  const Answer unsigned_one = shop.ask(
      kAll,
      {.body = context("alice"), .headers = {{"If-None-Match", all.etag}}, .role = Role::kClient});
  EXPECT_EQ(unsigned_one.status, 200);
}

TEST(OfrepUnits, MayBeAnyWhereTheExperimentSaysSo) {
  ServiceWithAShop shop(Json{{"sticky_for", "1d"}});
  const auto ask = [&] {
    return shop.ask(kOne,
                    {.parameters = {"shop"}, .body = context("e5f1c0"), .role = Role::kClient});
  };
  EXPECT_EQ(ask().status, 400);
  const Answer opened =
      shop.ask("PATCH /v1/experiments/{name}",
               {.parameters = {"shop"}, .body = R"({"units_from_clients":"any"})"});
  ASSERT_EQ(opened.status, 200) << opened.body;
  EXPECT_EQ(ask().status, 200);
  EXPECT_EQ(shop.ask("PATCH /v1/experiments/{name}",
                     {.parameters = {"shop"}, .body = R"({"units_from_clients":"some"})"})
                .status,
            422);
}

TEST(OfrepUnits, AreNoMoreThanAPublicKeyMayName) {
  ServiceWithAShop shop(Json{{"sticky_for", "1h"}, {"units_from_clients", "any"}});
  shop.set_quotas({.units_a_day = 2});
  const auto ask = [&](const std::string& name, Role role = Role::kClient) {
    return shop.ask(kOne, {.parameters = {"shop"}, .body = context(name), .role = role});
  };
  EXPECT_EQ(ask("a").status, 200);
  EXPECT_EQ(ask("b").status, 200);
  const Answer beyond = ask("c");
  EXPECT_EQ(beyond.status, 429) << beyond.body;
  EXPECT_GT(beyond.retry_after, 0);
  EXPECT_EQ(ask("a").status, 200) << "it is known";
  EXPECT_EQ(ask("c", Role::kApp).status, 200);
  EXPECT_EQ(ask("c").status, 200);
  EXPECT_THAT(shop.ask("GET /metrics").body, HasSubstr("\ntacit_client_units_total 2\n"));
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
  const std::vector<RouteRow> routes =
      ofrep_routes(rig.service, std::make_shared<Quotas>(Quotas::Settings{}));
  const auto all = std::find_if(routes.begin(), routes.end(), [](const RouteRow& row) {
    return row.path == std::string(kAll).substr(std::string(kAll).find(' ') + 1);
  });
  ASSERT_NE(all, routes.end());
  const auto ask = [&](const std::string& seen) {
    const SentRequest request("POST", "", "", kUser, {{"If-None-Match", seen}});
    const std::vector<std::string> none;
    Answer got{.status = 0};
    all->route({request, none, "tester", rig.service.directory(), Role::kApp},
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
