#include "tacit/service/api/operating.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacit/service/api/asking_test.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service::api {
namespace {

using testing::HasSubstr;

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Problem& problem) {
    return std::to_string(problem.status()) + " " + problem.what();
  }
  return "accepted";
}

Json body(const std::string& text) { return json_of_body(text); }

TEST(OperatorsBodies, SayWhereTheyAreNoJson) {
  EXPECT_EQ(refusal([] { body("{\"name\": secret}"); }), "400 body: is no JSON from byte 10 on");
  EXPECT_EQ(refusal([] { body("[[[[[[[[[[1]]]]]]]]]]"); }), "400 body: is nested deeper than 8");
  EXPECT_EQ(refusal([] { body(R"({"epsilon": 1, "name": "a", "epsilon": 500})"); }),
            "400 body: the key epsilon is there twice");
  EXPECT_EQ(refusal([] { body(R"([{"a": {"x": 1, "x": 1}}])"); }),
            "400 body: the key x is there twice");
  EXPECT_EQ(body(R"([{"a": {"a": 1}}, {"a": 1}])").size(), 2U);
  EXPECT_EQ(body(""), Json::object());
  EXPECT_EQ(refusal([] { body(std::string(60'000, '[')); }), "400 body: is nested deeper than 8");
}

TEST(OperatorsBodies, OfWhatNoDoubleHoldsAreRefusedAsTheClientsMistake) {
  EXPECT_EQ(refusal([] { body(R"({"epsilon":1e999})"); }),
            "400 body: has a number that a double cannot hold");
}

TEST(OperatorsBodies, EndWhereTheyEnd) {
  EXPECT_EQ(refusal([] { body(std::string("{}\0{}", 5)); }), "400 body: is no JSON from byte 3 on");
}

TEST(OperatorsBodies, AreRefusedInALineHoweverLongTheirKeysAre) {
  const std::string key = std::string(50, 'k') + "\n" + std::string(5000, 'k');
  for (const std::string& message : {refusal([&] {
                                       population_request(Json{{key, 1}});
                                     }),
                                     refusal([&] {
                                       key_request(Json{{"role", key}});
                                     }),
                                     refusal([&] {
                                       stop_request(Json{{"why", key}});
                                     })}) {
    EXPECT_LT(message.size(), 300U);
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

TEST(OperatorsBodies, NameTheKeyAndTheNearestRightOne) {
  EXPECT_THAT(refusal([] { population_request(body(R"({"nam":"a","epsilon":1})")); }),
              HasSubstr("422 nam: there is no such key; did you mean name?"));
  EXPECT_EQ(refusal([] { population_request(body(R"({"name":"a"})")); }),
            "422 epsilon: must be given");
  EXPECT_EQ(refusal([] { population_request(body(R"({"name":"a","epsilon":0})")); }),
            "422 epsilon = 0: must be a finite number > 0");
  EXPECT_EQ(refusal([] { population_request(body(R"({"name":["a"],"epsilon":1})")); }),
            "422 name = [\"a\"]: must be a text");
  EXPECT_EQ(
      refusal([] { population_request(body(R"({"name":"a","epsilon":1,"user_level":"yes"})")); }),
      "422 user_level = \"yes\": must be true or false");
  EXPECT_EQ(refusal([] { population_request(body("[1]")); }), "422 body = [1]: must be an object");
  EXPECT_EQ(refusal([] { key_request(body(R"({"role":"operater"})")); }),
            "422 role = \"operater\": there is no such role; did you mean operator? (known: app, "
            "client, viewer, operator)");
  EXPECT_EQ(
      refusal([] { key_request(body(R"({"role":"app","note":"a\nb"})")); }),
      "422 note = \"a\\nb\": must be one line of at most 200 bytes, without control characters");
  EXPECT_EQ(refusal([] { change_request(body("{}")); }),
            "422 body = {}: must be an object that says what is to change");
  EXPECT_EQ(refusal([] { change_request(body(R"({"paused":1})")); }),
            "422 paused = 1: must be true or false");
  EXPECT_EQ(refusal([] { arm_request(body(R"({"value":1})")); }), "422 name: must be given");
  EXPECT_THAT(refusal([] { arm_request(body(R"({"name":"a b"})")); }), HasSubstr("422 name"));
  EXPECT_EQ(arm_request(body(R"({"name":"a"})")).value, "\"a\"");
  EXPECT_EQ(arm_request(body(R"({"name":"a","value":[1]})")).value, "[1]");
}

TEST(Operating, CreatesAnExperimentOnceAndDebitsItsPopulation) {
  ServiceWithAShop shop;
  EXPECT_EQ(shop.created().status, 201) << shop.created().body;
  ASSERT_FALSE(shop.created().headers.empty());
  EXPECT_EQ(shop.created().headers[0].second, "/v1/experiments/shop");
  const Json view = Json::parse(shop.created().body);
  EXPECT_EQ(view["state"], "running");
  EXPECT_EQ(view["arms"][2]["value"]["colour"], "#c00");
  EXPECT_EQ(shop.json("GET /v1/populations")["populations"][1]["spent"], 0.5);
  EXPECT_EQ(shop.ask("POST /v1/experiments", {.body = view["spec"].dump()}).status, 409);
  EXPECT_EQ(shop.json("GET /v1/populations")["populations"][1]["spent"], 0.5);
}

TEST(Operating, RefusesWhatAPopulationCannotPayFor) {
  ServiceWithAShop shop;
  const Answer refused = shop.ask(
      "POST /v1/experiments",
      {.body = R"({"name":"dear","population":"visitors","arms":["a","b"],"epsilon":99.9})"});
  EXPECT_EQ(refused.status, 409);
  EXPECT_THAT(refused.body, HasSubstr("99.5"));
}

TEST(Operating, ChangesAllOrNothing) {
  ServiceWithAShop shop;
  const auto patch = [&](const std::string& text) {
    return shop.ask("PATCH /v1/experiments/{name}", {.parameters = {"shop"}, .body = text});
  };
  EXPECT_EQ(patch(R"({"paused":true,"floor":7})").status, 422);
  EXPECT_EQ(shop.json("GET /v1/experiments/{name}", {.parameters = {"shop"}})["state"], "running");
  const Answer changed =
      patch(R"({"paused":true,"floor":0.1,"values":{"blue":{"colour":"#00c"}}})");
  ASSERT_EQ(changed.status, 200) << changed.body;
  const Json view = Json::parse(changed.body);
  EXPECT_EQ(view["state"], "paused");
  EXPECT_EQ(view["spec"]["floor"], 0.1);
  EXPECT_EQ(view["arms"][0]["value"]["colour"], "#00c");
  EXPECT_EQ(Json::parse(patch(R"({"paused":false})").body)["state"], "running");
  EXPECT_EQ(patch(R"({"epsilon":7})").status, 422);
}

TEST(Operating, StoppedStaysStopped) {
  ServiceWithAShop shop;
  const Given given{.parameters = {"shop"}};
  const Answer early = shop.ask("POST /v1/experiments/{name}/archive", given);
  EXPECT_EQ(early.status, 409);
  EXPECT_THAT(early.body, HasSubstr("POST /v1/experiments/shop/stop first"));
  const Answer stopped = shop.ask("POST /v1/experiments/{name}/stop",
                                  {.parameters = {"shop"}, .body = R"({"why":"too many calls"})"});
  ASSERT_EQ(stopped.status, 200) << stopped.body;
  EXPECT_EQ(Json::parse(stopped.body)["state"], "stopped");
  EXPECT_EQ(Json::parse(stopped.body)["why"], "too many calls");
  EXPECT_EQ(shop.ask("PATCH /v1/experiments/{name}",
                     {.parameters = {"shop"}, .body = R"({"paused":false})"})
                .status,
            409);
  EXPECT_EQ(Json::parse(shop.ask("POST /v1/experiments/{name}/archive", given).body)["state"],
            "archived");
}

TEST(Operating, AddsAndRetiresArms) {
  ServiceWithAShop shop;
  const Answer added = shop.ask("POST /v1/experiments/{name}/arms",
                                {.parameters = {"shop"}, .body = R"({"name":"violet"})"});
  EXPECT_EQ(added.status, 201) << added.body;
  Json view = shop.json("GET /v1/experiments/{name}", {.parameters = {"shop"}});
  ASSERT_EQ(view["arms"].size(), 4U);
  EXPECT_EQ(view["arms"][3]["name"], "violet");
  EXPECT_EQ(shop.ask("DELETE /v1/experiments/{name}/arms/{arm}", {.parameters = {"shop", "violet"}})
                .status,
            200);
  view = shop.json("GET /v1/experiments/{name}", {.parameters = {"shop"}});
  EXPECT_EQ(view["arms"][3]["retired"], true);
  const Answer none =
      shop.ask("DELETE /v1/experiments/{name}/arms/{arm}", {.parameters = {"shop", "viole"}});
  EXPECT_EQ(none.status, 404);
  EXPECT_EQ(Json::parse(none.body)["detail"],
            "arm = viole: there is no such arm; did you mean violet?");
  const Answer longer = shop.ask("DELETE /v1/experiments/{name}/arms/{arm}",
                                 {.parameters = {"shop", std::string(8000, 'v')}});
  EXPECT_EQ(longer.status, 404);
  EXPECT_LT(longer.body.size(), 300U);
}

TEST(Operating, ShowsAKeyOnceAndRevokesIt) {
  ServiceWithAShop shop;
  const Answer made = shop.ask("POST /v1/keys", {.body = R"({"role":"app","note":"the shop"})"});
  ASSERT_EQ(made.status, 201) << made.body;
  const Json key = Json::parse(made.body);
  const auto id = key["id"].get<std::string>();
  const auto text = key["key"].get<std::string>();
  EXPECT_EQ(text.rfind("tacit_app_" + id + "_", 0), 0U);
  ASSERT_TRUE(shop.service().directory()->keys.contains(id));
  const Answer listed = shop.ask("GET /v1/keys");
  EXPECT_THAT(listed.body, HasSubstr(id));
  EXPECT_THAT(listed.body, testing::Not(HasSubstr(text.substr(text.rfind('_') + 1))));
  EXPECT_EQ(shop.ask("DELETE /v1/keys/{id}", {.parameters = {id}}).status, 200);
  EXPECT_FALSE(shop.service().directory()->keys.contains(id));
  EXPECT_EQ(shop.ask("DELETE /v1/keys/{id}", {.parameters = {"nobody"}}).status, 404);
}

TEST(Operating, TellsWhoDidWhat) {
  ServiceWithAShop shop;
  const Json all = shop.json("GET /v1/operations");
  ASSERT_GE(all["operations"].size(), 3U);
  for (const Json& each : all["operations"]) EXPECT_EQ(each["key"], "tester");
  EXPECT_EQ(shop.json("GET /v1/operations", {.query = "limit=1"})["operations"].size(), 1U);
  EXPECT_EQ(shop.ask("GET /v1/operations", {.query = "limit=0"}).status, 422);
}

TEST(Operating, TellsOfOperationsInPages) {
  ServiceWithAShop shop;
  for (int i = 0; i < 20; ++i) {
    shop.ask("PATCH /v1/experiments/{name}",
             {.parameters = {"shop"}, .body = Json{{"paused", i % 2 == 0}}.dump()});
  }
  const Json all = shop.json("GET /v1/operations")["operations"];
  ASSERT_EQ(all.size(), 23U);
  for (const int limit : {1, 7, 23}) {
    Json paged = Json::array();
    std::string query = "limit=" + std::to_string(limit);
    for (int pages = 0; pages < 30; ++pages) {
      const Json page = shop.json("GET /v1/operations", {.query = query});
      for (const Json& each : page["operations"]) paged.push_back(each);
      if (page["next"].is_null()) break;
      const auto next = page["next"].get<std::string>();
      query = next.substr(next.find('?') + 1);
    }
    EXPECT_EQ(paged, all);
  }
}

}  // namespace
}  // namespace tacit::service::api
