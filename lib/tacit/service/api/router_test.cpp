#include "tacit/service/api/router.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tacit/service/problem.hpp"

namespace tacit::service::api {
namespace {

Router some_routes() {
  Router router;
  router.add("POST", "/v1/outcomes");
  router.add("GET", "/v1/experiments");
  router.add("POST", "/v1/experiments");
  router.add("POST", "/v1/experiments/{name}/decisions");
  router.add("GET", "/v1/experiments/{name}");
  router.add("PATCH", "/v1/experiments/{name}");
  return router;
}

TEST(Router, FindsByMethodAndPath) {
  const Router router = some_routes();
  EXPECT_EQ(router.find("POST", "/v1/outcomes").route, 0U);
  EXPECT_EQ(router.find("POST", "/v1/experiments").route, 2U);
  const Router::Found found = router.find("POST", "/v1/experiments/shop/decisions");
  EXPECT_EQ(found.route, 3U);
  EXPECT_EQ(found.parameters, std::vector<std::string>{"shop"});
  EXPECT_EQ(router.find("PATCH", "/v1/experiments/shop").route, 5U);
}

TEST(Router, DecodesParameters) {
  const Router router = some_routes();
  EXPECT_EQ(router.find("GET", "/v1/experiments/a%2fb%20c+d").parameters,
            std::vector<std::string>{"a/b c+d"});
  for (const char* path : {"/v1/experiments/a%2", "/v1/experiments/%", "/v1/experiments/%g0"}) {
    EXPECT_THROW(router.find("GET", path), Problem) << path;
  }
}

TEST(Router, FindsNothingElse) {
  const Router router = some_routes();
  for (const char* path :
       {"", "/", "v1/outcomes", "/v1/outcomes/", "/v1/outcome", "/v1", "//v1/outcomes",
        "/v1/experiments//decisions", "/v1/experiments/", "/v1/outcomes/x"}) {
    const Router::Found found = router.find("POST", path);
    EXPECT_EQ(found.route, Router::kNone) << path;
    EXPECT_EQ(found.allow, "") << path;
  }
}

TEST(Router, TellsWhichMethodsThereAre) {
  EXPECT_EQ(some_routes().find("DELETE", "/v1/experiments").allow, "GET, POST");
  EXPECT_EQ(some_routes().find("GET", "/v1/outcomes").allow, "POST");
}

TEST(Router, NamesTheNearestPath) {
  EXPECT_EQ(some_routes().nearest("/v1/outcome"), "POST /v1/outcomes");
  EXPECT_EQ(some_routes().nearest("/v1/experiment/shop/decision"),
            "POST /v1/experiments/{name}/decisions");
}

}  // namespace
}  // namespace tacit::service::api
