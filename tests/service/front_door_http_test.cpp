// `tacit audit` through the front door: neighbouring reports over HTTP, to the program as it is put together, with its own noise;
// what is read over HTTP does not refute the claim, and does where the noise is half.
#include <gtest/gtest.h>

#include <future>

#include <fmt/format.h>

#include "service/front_door_evidence.hpp"
#include "service/non_interference_play.hpp"
#include "tacit/service/api_keys.hpp"
#include "tacit/service/demo/client.hpp"
#include "tacit/service/serving.hpp"

namespace tacit::service {
namespace {

class FrontDoor : public testing::Test {
 protected:
  void open(Releaser* releaser) {
    Configuration configuration;
    configuration.store = folder_.file("audited.db");
    configuration.keys = folder_.file("state.key");
    configuration.log = folder_.file("serve.log");
    configuration.listen.path = folder_.file("door.sock");
    serving_ =
        std::make_unique<Serving>(configuration, Injected{.releaser = releaser, .clock = &clock_});
    for (const char* role : {"app", "operator", "viewer"}) {
      const NewApiKey key = new_api_key(role, "", clock_.now());
      std::promise<void> done;
      serving_->service().submit(
          Lane::kOperate,
          [&](Engine& engine, Time now) {
            engine.put_key(key.row, "test", now);
            return Answer{};
          },
          [&](Answer&&) { done.set_value(); });
      done.get_future().wait();
      clients_.push_back(std::make_unique<demo::Client>(serving_->address(), key.text));
    }
    ask(1, "/v1/populations", R"({"name":"people","epsilon":100})", 201);
    ask(1, "/v1/experiments", audited_spec().dump(), 201);
  }

  Json ask(std::size_t client, const std::string& path, const std::string& body, int status) {
    const demo::Reply reply = clients_[client]->post(path, body);
    EXPECT_EQ(reply.status, status) << reply.body;
    return Json::parse(reply.body);
  }

  double certified() {
    return certified_by([&](const std::vector<bool>& ones) {
      Json outcomes = Json::array();
      for (std::size_t arm = 0; arm < ones.size(); ++arm) {
        const Json decision = ask(0, "/v1/experiments/audited/decisions",
                                  fmt::format(R"({{"eligible":["arm{}"]}})", arm), 200);
        outcomes.push_back({{"event", decision["event"]}, {"value", ones[arm] ? 1 : 0}});
      }
      ask(0, "/v1/outcomes", Json{{"outcomes", outcomes}}.dump(), 202);
      return released(ones.size());
    });
  }

  std::vector<double> released(std::size_t arms) {
    std::vector<double> values(arms, NAN);
    for (int i = 0; i < 5; ++i) {
      clock_.advance(kSecond);
      // A tick follows the first at the latest, and is over when the second is answered.
      for (int j = 0; j < 2; ++j) clients_[2]->get("/metrics");
    }
    const Json all = Json::parse(
        clients_[2]
            ->get(fmt::format("/v1/experiments/audited/releases?after={}&limit=1000", version_))
            .body);
    for (const Json& each : all.at("releases")) {
      EXPECT_EQ(each.at("n"), 1);
      const auto name = each.at("arm").get<std::string>();
      values.at(std::stoul(name.substr(3))) = each.at("values").at(0);
    }
    version_ = all.at("version");
    for (const double value : values) EXPECT_FALSE(std::isnan(value));
    return values;
  }

  PlayFolder folder_;
  ClockOfPlay clock_;
  std::unique_ptr<Serving> serving_;
  std::vector<std::unique_ptr<demo::Client>> clients_;
  Round version_ = 0;
};

TEST_F(FrontDoor, KeepsItsClaim) {
  open(nullptr);
  EXPECT_LT(certified(), kClaimed);
}

TEST_F(FrontDoor, IsFoundToHaveHalfTheNoise) {
  HalfTheNoise releaser;
  open(&releaser);
  EXPECT_GE(certified(), kClaimed);
}

}  // namespace
}  // namespace tacit::service
