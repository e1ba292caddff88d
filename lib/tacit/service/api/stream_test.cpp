#include "tacit/service/api/stream.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacit/service/api/asking_test.hpp"

namespace tacit::service::api {
namespace {

using testing::HasSubstr;

/// Everything that a listener hears.
class Heard {
 public:
  explicit Heard(const std::shared_ptr<http::Channel>& channel)
      : subscription_(channel, [this](const http::Channel::Event& event) { all_ += *event; }) {}
  /// Since it was asked last.
  std::string take() { return std::exchange(all_, {}); }

 private:
  std::string all_;
  http::Channel::Subscription subscription_;
};

TEST(Stream, HasSeatsForEveryKeyAndNotAllForOne) {
  const auto seats = std::make_shared<StreamSeats>();
  const auto status_of = [&](const std::string& key) {
    try {
      StreamSeats::take(seats, key);
    } catch (const Problem& problem) {
      return problem.status();
    }
    return 0;
  };
  std::vector<std::shared_ptr<const void>> taken;
  for (const char* key : {"a", "b", "c", "d"}) {
    EXPECT_EQ(status_of(key), 0);
    for (int i = 0; i < StreamSeats::kOfAKey; ++i) taken.push_back(StreamSeats::take(seats, key));
    EXPECT_EQ(status_of(key), 429);
  }
  EXPECT_EQ(status_of("e"), 503);
  taken.pop_back();
  EXPECT_EQ(status_of("e"), 0);
  EXPECT_EQ(status_of("d"), 0);
}

TEST(Stream, TellsOfStatesOnce) {
  ServiceWithAShop shop;
  Heard heard(shop.stream().channel());
  shop.ask("PATCH /v1/experiments/{name}", {.parameters = {"shop"}, .body = R"({"paused":true})"});
  EXPECT_EQ(heard.take(), http::event_text("state", R"({"experiment":"shop","state":"paused",)"
                                                    R"("arms":["blue","green","red"]})"));
  shop.ask("POST /v1/keys", {.body = R"({"role":"app"})"});
  EXPECT_EQ(heard.take(), "");
  shop.ask("POST /v1/experiments/{name}/stop", {.parameters = {"shop"}});
  EXPECT_THAT(heard.take(), HasSubstr("\"stopped\""));
}

TEST(Stream, TellsNothingOfWhatIsAsItWasWhenItsServiceBegan) {
  ServiceWithAShop shop;
  shop.end();
  shop.start();
  Heard heard(shop.stream().channel());
  shop.ask("POST /v1/keys", {.body = R"({"role":"app"})"});
  EXPECT_EQ(heard.take(), "");
}

TEST(Stream, TellsOfReleasesAndOfNothingBefore) {
  ServiceWithAShop shop;
  Heard heard(shop.stream().channel());
  shop.decide_often(100);
  shop.wait(4 * kSecond);
  EXPECT_EQ(heard.take(), "");
  shop.wait(6 * kSecond);
  const std::string releases = heard.take();
  EXPECT_THAT(releases, HasSubstr("event: release"));
  EXPECT_THAT(releases, HasSubstr(R"({"experiment":"shop","version":1,"arm":")"));
}

TEST(Stream, BeginsWithTheStateOfEverything) {
  ServiceWithAShop shop;
  const Answer answer = shop.ask("GET /v1/stream");
  EXPECT_EQ(answer.type, "text/event-stream");
  EXPECT_EQ(answer.stream, shop.stream().channel());
  EXPECT_THAT(answer.opening(), HasSubstr(R"({"experiment":"shop","state":"running",)"));
}

TEST(Stream, BeginsWithWhatIsSoWhenItsEventsAreHeard) {
  ServiceWithAShop shop;
  const Answer answer = shop.ask("GET /v1/stream");
  shop.ask("PATCH /v1/experiments/{name}", {.parameters = {"shop"}, .body = R"({"paused":true})"});
  EXPECT_THAT(answer.opening(), HasSubstr(R"({"experiment":"shop","state":"paused",)"))
      << "it changed between the answer and the first event that could be heard";
}

}  // namespace
}  // namespace tacit::service::api
