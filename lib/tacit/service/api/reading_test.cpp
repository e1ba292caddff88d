#include "tacit/service/api/reading.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacit/service/api/asking_test.hpp"

namespace tacit::service::api {
namespace {

using testing::HasSubstr;

const Given kShop{.parameters = {"shop"}};

TEST(NumbersInQueries, AreWholeAndInRange) {
  EXPECT_EQ(number_in_query("", "after", 0, 9, 3), 3);
  EXPECT_EQ(number_in_query("limit=5&after=7", "after", 0, 9, 3), 7);
  for (const char* query : {"after=10", "after=-1", "after=x", "after=1x", "after=", "after"}) {
    EXPECT_THROW(number_in_query(query, "after", 0, 9, 3), Problem) << query;
  }
}

TEST(NumbersInQueries, AreRepeatedInShortWhereTheyAreRefused) {
  const auto refusal = [](const std::string& query) -> std::string {
    try {
      number_in_query(query, "after", 0, 9, 3);
    } catch (const Problem& problem) {
      return problem.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("after=10"), "after = 10: must be a whole number from 0 to 9");
  EXPECT_EQ(refusal("after="), "after: must be a whole number from 0 to 9");
  EXPECT_LT(refusal("after=" + std::string(8000, '1')).size(), 200U);
}

TEST(Queries, AreDecoded) {
  EXPECT_EQ(number_in_query("after=%31", "after", 0, 9, 3), 1);
  EXPECT_EQ(number_in_query("%61fter=1", "after", 0, 9, 3), 1);
  EXPECT_THROW(number_in_query("after=%3", "after", 0, 9, 3), Problem);
}

TEST(Queries, HaveKnownKeysOnceEach) {
  ServiceWithAShop shop;
  const auto refusal = [&](const std::string& what, const std::string& query) {
    const Answer answer = shop.ask(what, {.parameters = {"shop"}, .query = query});
    return answer.status == 200 ? "accepted" : std::string(Json::parse(answer.body)["detail"]);
  };
  const std::string releases = "GET /v1/experiments/{name}/releases";
  EXPECT_EQ(refusal(releases, "limit=1&after=0"), "accepted");
  EXPECT_EQ(refusal(releases, ""), "accepted");
  EXPECT_EQ(refusal(releases, "limt=1"),
            "limt: there is no such key; did you mean limit? (known: after, limit)");
  EXPECT_EQ(refusal(releases, "limit=1&limit=2"), "limit: is there twice");
  EXPECT_EQ(refusal(releases, "limit=1&%6cimit=2"), "limit: is there twice");
  EXPECT_EQ(refusal("GET /v1/experiments", "foo=1"), "foo: nothing is asked for in this address");
  for (const RouteRow& row : shop.routes()) {
    if (!row.path.starts_with("/v1/") || row.method != "GET") continue;
    EXPECT_NE(refusal(std::string(row.method) + " " + std::string(row.path), "foo=1"), "accepted")
        << row.path;
  }
}

TEST(Reading, SaysWhatAStopWouldShowNow) {
  ServiceWithAShop shop(Json{{"fallback", "green"}});
  const auto fallback = [&] { return shop.json("GET /v1/experiments/{name}", kShop)["fallback"]; };
  EXPECT_EQ(fallback(), Json::array({"green"}));
  shop.ask("DELETE /v1/experiments/{name}/arms/{arm}", {.parameters = {"shop", "green"}});
  EXPECT_EQ(fallback(), Json::array({"blue"}));
  shop.ask("POST /v1/experiments/{name}/stop", kShop);
  EXPECT_EQ(shop.decide().arms, std::vector<Arm>{0});
}

TEST(Reading, SaysWhatIsKnownBeforeAnythingIsReleased) {
  ServiceWithAShop shop;
  const Json list = shop.json("GET /v1/experiments");
  ASSERT_EQ(list["experiments"].size(), 1U);
  EXPECT_EQ(list["experiments"][0]["name"], "shop");
  const Json view = shop.json("GET /v1/experiments/{name}", kShop);
  EXPECT_EQ(view["version"], 0);
  EXPECT_EQ(view["arms"].size(), 3U);
  EXPECT_TRUE(view["arms"][0]["mean"].is_null());
  EXPECT_TRUE(view["next_release"].is_null());
  EXPECT_TRUE(view["holdout"].is_null());
  EXPECT_EQ(view["guarantee"]["epsilon"], 0.5);
  EXPECT_EQ(view["guarantee"]["population"]["left"], 99.5);
  EXPECT_EQ(shop.ask("GET /v1/experiments/{name}", {.parameters = {"shopp"}}).status, 404);
}

TEST(Reading, TellsOfReleasesInPages) {
  ServiceWithAShop shop;
  shop.decide_often(3000);
  shop.wait(10 * kSecond);
  const Json view = shop.json("GET /v1/experiments/{name}", kShop);
  const int version = view["version"];
  ASSERT_GE(version, 3);
  EXPECT_TRUE(view["arms"][0]["mean"].is_number());
  Json all = Json::array();
  std::string query = "limit=2";
  for (int pages = 0; pages <= version; ++pages) {
    const Json page =
        shop.json("GET /v1/experiments/{name}/releases", {.parameters = {"shop"}, .query = query});
    for (const Json& release : page["releases"]) all.push_back(release);
    if (page["next"].is_null()) break;
    const auto next = page["next"].get<std::string>();
    query = next.substr(next.find('?') + 1);
  }
  ASSERT_EQ(all.size(), static_cast<std::size_t>(version));
  for (int i = 0; i < version; ++i) {
    EXPECT_EQ(all[static_cast<std::size_t>(i)]["version"], i + 1);
    EXPECT_THAT(all[static_cast<std::size_t>(i)]["arm"].get<std::string>(),
                testing::AnyOf("blue", "green", "red"));
  }
}

TEST(Reading, CountsDecisionsByHour) {
  ServiceWithAShop shop;
  shop.decide_often(30);
  shop.wait(2 * kSecond);
  const Json traffic = shop.json("GET /v1/experiments/{name}/traffic", kShop);
  ASSERT_EQ(traffic["hours"].size(), 1U);
  int sum = 0;
  for (const auto& [arm, decisions] : traffic["hours"][0]["decisions"].items()) {
    sum += decisions.get<int>();
  }
  EXPECT_EQ(sum, 30);
  EXPECT_EQ(
      shop.ask("GET /v1/experiments/{name}/traffic", {.parameters = {"shop"}, .query = "hours=0"})
          .status,
      422);
  const Answer most = shop.ask("GET /v1/experiments/{name}/traffic",
                               {.parameters = {"shop"}, .query = "hours=8784"});
  EXPECT_EQ(most.status, 422);
  EXPECT_THAT(most.body, HasSubstr("hours = 8784: must be at most 6666 for 3 arms"));
}

TEST(Reading, PutsTheGuaranteeIntoWords) {
  ServiceWithAShop shop(Json{{"population", "members"}, {"user", {{"epsilon", 2}, {"cap", 4}}}});
  const Json told = shop.json("GET /v1/experiments/{name}/guarantee", kShop);
  EXPECT_THAT(told["words"].get<std::string>(), HasSubstr("62.2 %"));
  EXPECT_EQ(told["epsilon"], 0.5);
  EXPECT_EQ(told["user"]["epsilon"], 2);
  EXPECT_EQ(told["user"]["cap"], 4);
  EXPECT_EQ(told["population"]["spent"], 2);
}

TEST(Reading, SaysNothingTwiceToWhoHasIt) {
  ServiceWithAShop shop;
  for (const char* path :
       {"GET /v1/experiments", "GET /v1/experiments/{name}", "GET /v1/experiments/{name}/releases",
        "GET /v1/experiments/{name}/traffic", "GET /v1/experiments/{name}/guarantee",
        "GET /v1/populations"}) {
    const Answer first = shop.ask(path, kShop);
    ASSERT_FALSE(first.etag.empty()) << path;
    const Answer second =
        shop.ask(path, {.parameters = {"shop"}, .headers = {{"If-None-Match", first.etag}}});
    EXPECT_EQ(second.status, 304) << path;
    EXPECT_TRUE(second.body.empty()) << path;
    EXPECT_EQ(second.etag, first.etag) << path;
  }
  const std::string before = shop.ask("GET /v1/experiments/{name}", kShop).etag;
  shop.decide();
  EXPECT_NE(shop.ask("GET /v1/experiments/{name}", kShop).etag, before);
}

// Outcomes of the same decisions, or none: nothing that is read tells which, before a release.
TEST(Reading, DoesNotMoveWhenOutcomesCome) {
  ServiceWithAShop shop;
  const Decision decision = shop.decide();
  std::vector<std::string> before;
  const std::vector<std::string> paths{"GET /v1/experiments", "GET /v1/experiments/{name}",
                                       "GET /v1/experiments/{name}/releases",
                                       "GET /v1/experiments/{name}/traffic", "GET /metrics"};
  for (const auto& path : paths) before.push_back(shop.ask(path, kShop).body);
  shop.service().submit(
      Lane::kReport,
      [&](Engine& engine, Time now) {
        const auto event = engine.directory()->tokens.read(decision.event);
        EXPECT_TRUE(event && event->recorded);
        const privacy::Secret<Sum> outcome(Sum(Outcome::nearest(1)));
        engine.report(event.value(), std::span(&outcome, 1), now);
        return Answer{};
      },
      [](Answer&& answer) { EXPECT_EQ(answer.status, 200); });
  shop.service().turn();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    EXPECT_EQ(shop.ask(paths[i], kShop).body, before[i]) << paths[i];
  }
}

}  // namespace
}  // namespace tacit::service::api
