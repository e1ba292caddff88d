// How a server ends.
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/service/http/handlers_test.hpp"
#include "tacit/service/http/raw_client_test.hpp"
#include "tacit/service/http/server.hpp"

namespace tacit::service::http {
namespace {

using namespace std::chrono_literals;

TEST(ServerStop, AnswersWhatIsUnderWayWhenItStops) {
  Later later;
  auto server = std::make_unique<Server>(Settings{}, later.handler());
  RawClient idle(server->port());
  RawClient asked(server->port());
  asked.get("/asked");
  later.wait_for(1);
  std::thread stopper([&] { server->stop(20s); });
  EXPECT_TRUE(idle.is_closed());  // so it is stopping
  const std::uint16_t port = server->port();
  EXPECT_THROW(RawClient{port}, std::runtime_error);
  later.answer_all();
  const Got got = asked.read();
  EXPECT_EQ(got.body, "/asked");
  EXPECT_TRUE(got.has("Connection: close"));
  asked.leave();
  stopper.join();
}

TEST(ServerStop, CutsOffWhatIsNotAnsweredWhenItStops) {
  Later later;
  Server server({}, later.handler());
  RawClient client(server.port());
  client.get("/");
  later.wait_for(1);
  server.stop(10ms);
  EXPECT_EQ(client.read().status, 0);
  server.stop(10ms);  // once more does nothing
}

TEST(ServerStop, LosesNoRequestThatItTookWhenItStopsUnderLoad) {
  std::atomic<int> handled{0};
  std::atomic<int> answered{0};
  Settings settings;
  settings.threads = 2;
  Server server(settings, [&](const Request&, const Respond& respond) {
    ++handled;
    respond(text("yes"));
  });
  std::vector<std::thread> threads;
  const std::uint16_t port = server.port();
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      RawClient client(port);
      for (Got got; client.get("/") && (got = client.read()).status == 200;) {
        ++answered;
        if (got.has("Connection: close")) break;
      }
    });
  }
  while (handled < 1000) std::this_thread::yield();
  server.stop(20s);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(handled, answered);
}

}  // namespace
}  // namespace tacit::service::http
