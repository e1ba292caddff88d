// What a server puts up with, and for how long.
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include <gtest/gtest.h>

#include "tacit/service/http/handlers_test.hpp"
#include "tacit/service/http/raw_client_test.hpp"
#include "tacit/service/http/server.hpp"

namespace tacit::service::http {
namespace {

using namespace std::chrono_literals;

TEST(ServerLimits, LetsAClientAskBeforeItSends) {
  Server server({}, echo);
  RawClient client(server.port());
  client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.read().status, 100);
  client.send("hi");
  EXPECT_EQ(client.read().body, "POST / hi");
  client.send(
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9999999\r\n\r\n");
  EXPECT_EQ(client.read().status, 413);
}

TEST(ServerLimits, SaysWhyItRefusesWhileTheClientStillSends) {
  Server server(quick(), echo);
  for (int i = 0; i < 20; ++i) {
    RawClient client(server.port());
    std::thread sender([&] { client.post("/", std::string(4'000'000, 'x')); });
    const Got got = client.read();
    EXPECT_EQ(got.status, 413);
    EXPECT_TRUE(got.has("application/problem+json"));
    EXPECT_TRUE(got.has("Connection: close"));
    EXPECT_EQ(got.body,
              R"({"type":"about:blank","title":"Content Too Large","status":413,)"
              R"("detail":"the body is longer than the 65536 bytes that this path takes"})");
    sender.join();
  }
}

TEST(ServerLimits, TakesLongBodiesWhereTheyAreAllowed) {
  Settings settings;
  settings.body_limit = [](std::string_view path) {
    return path == "/batch" ? 1U << 20U : 1U << 16U;
  };
  Server server(settings, [](const Request& request, const Respond& respond) {
    respond(text(std::to_string(request.body().size())));
  });
  RawClient client(server.port());
  client.post("/batch", std::string(1U << 20U, 'x'));
  EXPECT_EQ(client.read().body, "1048576");
  client.post("/other", std::string(1U << 16U, 'x'));
  EXPECT_EQ(client.read().body, "65536");
}

TEST(ServerLimits, CutsOffWhoTrickles) {
  Server server(quick(), echo);
  RawClient client(server.port());
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<bool> heard{false};
  std::thread trickle([&] {
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n");
    while (!heard && client.send("x")) std::this_thread::sleep_for(5ms);  // the loris' own pace
  });
  const Got got = client.read();
  heard = true;
  trickle.join();
  EXPECT_EQ(got.status, 408);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, quick().request_time);
  EXPECT_TRUE(client.is_closed());
}

TEST(ServerLimits, CutsOffWhoTricklesAheadOfAnAnswer) {
  Server server(quick(), echo);
  RawClient client(server.port());
  client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HT");
  EXPECT_EQ(client.read().body, "GET /a ");
  EXPECT_EQ(client.read().status, 408);
}

TEST(ServerLimits, ClosesWhoIsIdleWithoutAWord) {
  Server server(quick(), echo);
  RawClient fresh(server.port());
  EXPECT_EQ(fresh.read_all(), "");
  RawClient used(server.port());
  used.get("/");
  EXPECT_EQ(used.read().status, 200);
  EXPECT_EQ(used.read_all(), "");
}

TEST(ServerLimits, TakesALineBehindABodyForNoRequest) {
  Settings settings = quick();
  settings.idle_time = 20s;
  Server server(settings, echo);
  RawClient client(server.port());
  client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi\r\n");
  EXPECT_EQ(client.read().body, "POST /a hi");
  std::this_thread::sleep_for(3 * settings.request_time);
  client.get("/b");
  EXPECT_EQ(client.read().body, "GET /b ");
}

TEST(ServerLimits, LetsWhoTakesItSlowlyReadItsLastAnswerToTheEnd) {
  Settings settings = quick();
  settings.write_time = 20s;
  constexpr std::size_t kSize = 200'000;
  Server server(settings, [](const Request&, const Respond& respond) {
    respond(text(std::string(kSize, 'x')));
  });
  RawClient client(server.port(), 4096);
  // Refused, so that it is the last: what it takes is less than what the system has taken over for it.
  client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n");
  std::this_thread::sleep_for(3 * settings.farewell_time);
  const Got got = client.read();
  EXPECT_EQ(got.body.size(), kSize);
  EXPECT_EQ(client.read().status, 400);
}

TEST(ServerLimits, ClosesWhoDoesNotTakeHisAnswer) {
  std::atomic<int> asked{0};
  Server server(quick(), [&](const Request&, const Respond& respond) {
    ++asked;
    respond(text(std::string(64U << 20U, 'x')));
  });
  RawClient client(server.port());
  client.get("/");
  while (asked == 0) std::this_thread::yield();
  pollfd gone{.fd = client.descriptor(), .events = POLLRDHUP, .revents = 0};
  EXPECT_EQ(poll(&gone, 1, 20000), 1);
  EXPECT_LT(client.read_all().size(), 64U << 20U);
}

TEST(ServerLimits, TurnsAwayWhoIsTooManyAndTakesThemAgain) {
  Settings settings = quick();
  settings.idle_time = 20s;
  settings.connections = 2;
  Server server(settings, echo);
  auto first = std::make_unique<RawClient>(server.port());
  RawClient second(server.port());
  first->get("/");
  second.get("/");
  EXPECT_EQ(first->read().status, 200);
  EXPECT_EQ(second.read().status, 200);
  RawClient third(server.port());
  const Got got = third.read();
  EXPECT_EQ(got.status, 503);
  EXPECT_TRUE(got.has("Retry-After"));
  EXPECT_TRUE(third.is_closed());
  third.leave();
  first.reset();
  Got again;
  while (again.status != 200) {  // until the server has seen that they left
    RawClient fourth(server.port());
    fourth.get("/");
    again = fourth.read();
  }
}

}  // namespace
}  // namespace tacit::service::http
