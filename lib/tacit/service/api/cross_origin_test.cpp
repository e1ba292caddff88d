#include "tacit/service/api/cross_origin.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tacit/service/api/door_test.hpp"

namespace tacit::service::api {
namespace {

constexpr const char* kShop = "https://shop.example";
constexpr const char* kForeign = "https://shop.example.evil";

Api::Settings with_a_shop() {
  Api::Settings settings;
  settings.origins = {kShop, "http://localhost:3000"};
  return settings;
}

Headers asking(const std::string& origin, const std::string& method) {
  return {{"Origin", origin},
          {"Access-Control-Request-Method", method},
          {"Access-Control-Request-Headers", "content-type,x-api-key"}};
}

std::string allowed(const Answer& answer) {
  return header_of(answer, "Access-Control-Allow-Origin");
}

TEST(CrossOrigin, LetsAPageAskWhatAClientMay) {
  Door door(Json::object(), with_a_shop());
  for (const char* path : {"/ofrep/v1/evaluate/flags", "/ofrep/v1/evaluate/flags/shop",
                           "/v1/activations", "/v1/outcomes", "/v1/reports"}) {
    const Answer may = door.knock(std::string("OPTIONS ") + path, "", asking(kShop, "POST"));
    EXPECT_EQ(may.status, 204) << path;
    EXPECT_EQ(may.body, "");
    EXPECT_EQ(allowed(may), kShop);
    EXPECT_EQ(header_of(may, "Access-Control-Allow-Methods"), "POST");
    EXPECT_EQ(header_of(may, "Access-Control-Allow-Headers"),
              "Authorization, Baggage, Content-Type, If-None-Match, Traceparent, Tracestate, "
              "X-API-Key");
    EXPECT_EQ(header_of(may, "Vary"), "Origin");
  }
  const Answer read = door.knock("OPTIONS /v1/experiments/shop/guarantee", "",
                                 asking("http://localhost:3000", "GET"));
  EXPECT_EQ(read.status, 204);
  EXPECT_EQ(allowed(read), "http://localhost:3000");
  const Answer head =
      door.knock("OPTIONS /v1/experiments/shop/guarantee", "", asking(kShop, "HEAD"));
  EXPECT_EQ(head.status, 204);
}

TEST(CrossOrigin, LetsItReadTheAnswerAlsoWhereItIsARefusal) {
  Door door(Json::object(), with_a_shop());
  const char* const all = "POST /ofrep/v1/evaluate/flags";
  const std::string body = R"({"context": {"targetingKey": "u"}})";
  const Answer flags = door.knock(all, body, door.as("client", {{"Origin", kShop}}));
  EXPECT_EQ(flags.status, 200);
  EXPECT_EQ(allowed(flags), kShop);
  EXPECT_EQ(header_of(flags, "Access-Control-Expose-Headers"), "ETag, Retry-After");
  EXPECT_EQ(header_of(flags, "Vary"), "Origin");
  const Answer nobody = door.knock(all, body, {{"Origin", kShop}});
  EXPECT_EQ(nobody.status, 401);
  EXPECT_EQ(allowed(nobody), kShop);
  Headers text = door.as("client", {{"Origin", kShop}});
  text["Content-Type"] = "text/plain";
  EXPECT_EQ(allowed(door.knock("POST /v1/outcomes", "{}", text)), kShop);
}

TEST(CrossOrigin, LetsItReadWhyItWasTurnedAwayBeforeItsRequestWasRead) {
  Door door(Json::object(), with_a_shop());
  const auto allowed_to = [&](std::optional<std::string_view> origin) {
    return allowed({.headers = door.api().refusal_fields(origin)});
  };
  EXPECT_EQ(allowed_to(kShop), kShop);
  EXPECT_EQ(allowed_to(kForeign), "");
  EXPECT_EQ(allowed_to(""), "");
  EXPECT_EQ(allowed_to({}), "*") << "all are told the same, and nobody knows yet whom";
  Door nobody;
  EXPECT_TRUE(nobody.api().refusal_fields(kShop).empty());
}

TEST(CrossOrigin, TellsOthersNothing) {
  Door door(Json::object(), with_a_shop());
  for (const char* origin :
       {kForeign, "", "null", "https://shop.example:8443", "HTTPS://shop.example"}) {
    const Answer asked = door.knock("OPTIONS /v1/outcomes", "", asking(origin, "POST"));
    EXPECT_EQ(asked.status, 405) << origin;
    EXPECT_EQ(allowed(asked), "");
    const Answer answer =
        door.knock("POST /v1/outcomes", "{}", door.as("client", {{"Origin", origin}}));
    EXPECT_EQ(allowed(answer), "") << origin;
    EXPECT_EQ(header_of(answer, "Vary"), "Origin");  // nor may a cache, of what it told another
  }
}

TEST(CrossOrigin, KeepsPagesFromWhatIsNotForThem) {
  Door door(Json::object(), with_a_shop());
  for (const auto& [path, method] : {std::pair{"/v1/experiments/shop/decisions", "POST"},
                                     {"/v1/experiments", "POST"},
                                     {"/v1/experiments/shop", "GET"},
                                     {"/v1/keys", "POST"},
                                     {"/metrics", "GET"},
                                     {"/v1/outcomes", "DELETE"},
                                     {"/v1/nothing", "POST"}}) {
    const Answer asked = door.knock(std::string("OPTIONS ") + path, "", asking(kShop, method));
    EXPECT_TRUE(asked.status == 405 || asked.status == 404) << path;
    EXPECT_EQ(allowed(asked), "") << path;
  }
  const Answer read =
      door.knock("GET /v1/experiments/shop", "", door.as("viewer", {{"Origin", kShop}}));
  EXPECT_EQ(read.status, 200);
  EXPECT_EQ(allowed(read), "");
  EXPECT_EQ(door.knock("OPTIONS /v1/experiments/%zz/guarantee", "", asking(kShop, "GET")).status,
            400);
  // What is no question of a browser is a method that nothing is served by.
  EXPECT_EQ(door.knock("OPTIONS /v1/outcomes", "", {{"Origin", kShop}}).status, 405);
}

TEST(CrossOrigin, SaysNothingWhereNobodyIsNamed) {
  Door door;
  const Answer answer =
      door.knock("POST /v1/outcomes", "{}", door.as("client", {{"Origin", kShop}}));
  EXPECT_EQ(allowed(answer), "");
  EXPECT_EQ(header_of(answer, "Vary"), "");
  EXPECT_EQ(door.knock("OPTIONS /v1/outcomes", "", asking(kShop, "POST")).status, 405);
  EXPECT_EQ(door.knock("OPTIONS /v1/outcomes", "", asking("", "POST")).status, 405);
}

TEST(CrossOrigin, KnowsAnOriginAsBrowsersSayIt) {
  for (const char* origin :
       {"https://shop.example", "http://localhost:3000", "http://127.0.0.1:1",
        "https://[2001:db8::1]", "http://[::1]:65535", "https://xn--bcher-kva.example"}) {
    EXPECT_TRUE(is_origin(origin)) << origin;
  }
  for (const char* text : {"",
                           "*",
                           "null",
                           "shop.example",
                           "https://",
                           "https://shop.example/",
                           "https://Shop.example",
                           "HTTPS://shop.example",
                           "ftp://shop.example",
                           "https://shop.example:",
                           "https://shop.example:0",
                           "https://shop.example:0443",
                           "http://...",
                           "http://-",
                           "https://shop.example:65536",
                           "https://shop.example:443",
                           "http://shop.example:80",
                           "https://a b",
                           "https://shop.example:8443x",
                           "https://u@shop.example",
                           "https://::1",
                           "https://[]",
                           "https://shop.example\r\nX: y",
                           " https://shop.example"}) {
    EXPECT_FALSE(is_origin(text)) << text;
  }
}

}  // namespace
}  // namespace tacit::service::api
