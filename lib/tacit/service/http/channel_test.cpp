#include "tacit/service/http/channel.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/service/http/raw_client_test.hpp"
#include "tacit/service/http/server.hpp"

namespace tacit::service::http {
namespace {

using namespace std::chrono_literals;

Handler listen_to(const std::shared_ptr<Channel>& channel) {
  return [channel](const Request&, const Respond& respond) {
    Answer answer;
    answer.body = "event: state\ndata: {}\n\n";
    answer.stream = channel;
    respond(std::move(answer));
  };
}

void wait_for_listeners(const Channel& channel, std::size_t count) {
  while (channel.listeners() != count) std::this_thread::yield();
}

TEST(Channel, WritesEveryLineOfAnEvent) {
  EXPECT_EQ(event_text("release", "{\"a\":1}"), "event: release\ndata: {\"a\":1}\n\n");
  EXPECT_EQ(event_text("state", "a\nb"), "event: state\ndata: a\ndata: b\n\n");
}

TEST(Channel, ReachesAllWhoListen) {
  const auto channel = std::make_shared<Channel>();
  Server server({}, listen_to(channel));
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 5; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->get("/v1/stream");
  }
  for (const auto& client : clients) {
    const Got got = client->read_head();
    EXPECT_TRUE(got.has("Content-Type: text/event-stream"));
    EXPECT_TRUE(got.has("Connection: close"));
    EXPECT_FALSE(got.has("Content-Length"));
    EXPECT_TRUE(client->read_until("event: state\ndata: {}\n\n"));
  }
  for (int i = 0; i < 3; ++i) channel->publish("release", std::to_string(i));
  for (const auto& client : clients) {
    EXPECT_TRUE(client->read_until("event: release\ndata: 0\n\nevent: release\ndata: 1\n\n"));
    EXPECT_TRUE(client->read_until("event: release\ndata: 2\n\n"));
  }
}

TEST(Channel, BeatsItsHeartAndSeesWhoLeaves) {
  const auto channel = std::make_shared<Channel>();
  Settings settings;
  settings.heartbeat = 100ms;
  Server server(settings, listen_to(channel));
  RawClient client(server.port());
  client.get("/");
  EXPECT_TRUE(client.read_until("{}\n\n"));
  EXPECT_TRUE(client.read_until(":\n\n"));
  EXPECT_TRUE(client.read_until(":\n\n"));
  client.leave();
  wait_for_listeners(*channel, 0);
}

TEST(Channel, DropsWhoDoesNotRead) {
  const auto channel = std::make_shared<Channel>();
  Settings settings;
  settings.stream_backlog = 100'000;
  Server server(settings, listen_to(channel));
  RawClient deaf(server.port());
  RawClient reader(server.port());
  deaf.get("/");
  reader.get("/");
  EXPECT_TRUE(reader.read_until("{}\n\n"));
  wait_for_listeners(*channel, 2);
  const std::string much(50'000, 'x');
  while (channel->listeners() == 2) {
    channel->publish("state", much);
    ASSERT_TRUE(reader.read_until("x\n\n"));
  }
  channel->publish("state", "last");
  EXPECT_TRUE(reader.read_until("data: last\n\n"));
}

TEST(Channel, SendsAnEventHoweverLongItIs) {
  const auto channel = std::make_shared<Channel>();
  Settings settings;
  settings.stream_backlog = 1000;
  Server server(settings, listen_to(channel));
  RawClient reader(server.port());
  reader.get("/");
  EXPECT_TRUE(reader.read_until("{}\n\n"));
  wait_for_listeners(*channel, 1);
  for (int i = 0; i < 3; ++i) {
    channel->publish("state", std::string(5000, 'x') + std::to_string(i));
    EXPECT_TRUE(reader.read_until("x" + std::to_string(i) + "\n\n"));
  }
}

TEST(Channel, BeginsWithWhatIsAskedForWhenEventsAreHeard) {
  const auto channel = std::make_shared<Channel>();
  std::size_t listeners = 0;
  Server server({}, [&](const Request&, const Respond& respond) {
    Answer answer;
    answer.stream = channel;
    answer.opening = [&] {
      listeners = channel->listeners();
      return std::string("event: state\ndata: now\n\n");
    };
    respond(std::move(answer));
  });
  RawClient client(server.port());
  client.get("/");
  EXPECT_TRUE(client.read_until("event: state\ndata: now\n\n"));
  EXPECT_EQ(listeners, 1U) << "what happens from then on is not missed";
}

TEST(Channel, GivesASeatBackWhenItsStreamEnds) {
  const auto channel = std::make_shared<Channel>();
  const auto seat = std::make_shared<int>(0);
  Server server({}, [&channel, seat](const Request&, const Respond& respond) {
    Answer answer;
    answer.stream = channel;
    answer.seat = seat;
    respond(std::move(answer));
  });
  {
    RawClient client(server.port());
    client.get("/");
    EXPECT_TRUE(client.read_until("\r\n\r\n"));
    wait_for_listeners(*channel, 1);
    EXPECT_EQ(seat.use_count(), 3);  // this one, the handler's and the stream's
  }
  while (seat.use_count() > 2)
    channel->publish("state", "{}");  // until the server has seen that it left
}

TEST(Channel, EndsWithTheServerAndOutlivesIt) {
  const auto channel = std::make_shared<Channel>();
  {
    Server server({}, listen_to(channel));
    RawClient client(server.port());
    client.get("/");
    EXPECT_TRUE(client.read_until("{}\n\n"));
    std::atomic<bool> done{false};
    std::thread publisher([&] {
      while (!done) channel->publish("state", "{}");
    });
    std::thread stopper([&] { server.stop(20s); });
    client.read_all();
    client.leave();
    stopper.join();
    done = true;
    publisher.join();
    EXPECT_EQ(channel->listeners(), 0U);
  }
  channel->publish("state", "{}");
}

}  // namespace
}  // namespace tacit::service::http
