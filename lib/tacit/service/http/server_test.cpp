#include "tacit/service/http/server.hpp"

#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/service/http/raw_client_test.hpp"

namespace tacit::service::http {
namespace {

using namespace std::chrono_literals;

Answer text(std::string body) {
  Answer answer;
  answer.body = std::move(body);
  answer.type = "text/plain";
  return answer;
}

void echo(const Request& request, const Respond& respond) {
  const std::span<char> body = request.body();
  respond(text(std::string(request.method()) + " " + std::string(request.path()) + " " +
               std::string(body.data(), body.size())));
}

/// So short that a test waits for them, and so long that a busy machine keeps them.
Settings quick() {
  Settings settings;
  settings.request_time = 300ms;
  settings.idle_time = 300ms;
  settings.write_time = 300ms;
  settings.farewell_time = 300ms;
  return settings;
}

/// Answers when it is told to, in another thread.
class Later {
 public:
  Handler handler() {
    return [this](const Request& request, Respond respond) {
      const std::lock_guard lock(mutex_);
      waiting_.emplace_back(std::string(request.path()), std::move(respond));
      came_.notify_all();
    };
  }
  void wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] { return waiting_.size() >= count; });
  }
  void answer_all() {
    std::deque<std::pair<std::string, Respond>> all;
    {
      const std::lock_guard lock(mutex_);
      all.swap(waiting_);
    }
    std::thread([&] {
      for (auto& [path, respond] : all) respond(text(path));
    }).join();
  }
  void forget_all() {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<std::pair<std::string, Respond>> waiting_;
};

TEST(Server, AnswersOneAfterTheOtherOnOneConnection) {
  Server server({}, echo);
  RawClient client(server.port());
  for (int i = 0; i < 3; ++i) {
    client.post("/a", "body " + std::to_string(i));
    EXPECT_EQ(client.read().body, "POST /a body " + std::to_string(i));
  }
}

TEST(Server, AnswersInOrderWhatIsSentAhead) {
  Server server({}, echo);
  RawClient client(server.port());
  std::string all;
  for (int i = 0; i < 300; ++i) {
    const std::string body = std::to_string(i);
    all += "POST /" + body +
           " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
           body;
  }
  std::thread sender([&] { client.send(all); });
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(client.read().body, "POST /" + std::to_string(i) + " " + std::to_string(i));
  }
  sender.join();
}

TEST(Server, SaysWhatAnAnswerSays) {
  Server server({}, [](const Request& request, const Respond& respond) {
    Answer answer;
    answer.body = "{}";
    answer.etag = "\"7\"";
    answer.retry_after = 3;
    answer.headers = {{"Allow", "GET"}};
    if (request.path() == "/cached") answer.headers.emplace_back("cache-control", "max-age=60");
    if (request.path() == "/same") answer.status = 304;
    if (request.path() == "/split") answer.headers.emplace_back("A", "b\r\nSet-Cookie: c");
    respond(std::move(answer));
  });
  RawClient client(server.port());
  client.get("/");
  EXPECT_EQ(
      client.read_head().head,
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nETag: \"7\"\r\n"
      "Retry-After: 3\r\nAllow: GET\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\n\r\n");
  EXPECT_TRUE(client.read_until("{}"));
  client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_TRUE(client.read_head().has("Content-Length: 2"));  // and no body:
  client.get("/cached");
  const Got cached = client.read();
  EXPECT_TRUE(cached.has("cache-control: max-age=60"));
  EXPECT_FALSE(cached.has("no-store"));
  client.get("/same");
  const Got same = client.read();
  EXPECT_EQ(same.status, 304);
  EXPECT_FALSE(
      same.has("Content-"
               "Length"));
  client.get("/split");
  EXPECT_EQ(client.read().status, 500);
}

TEST(Server, ClosesWhenTheClientWantsItTo) {
  Server server({}, echo);
  RawClient modern(server.port());
  modern.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(modern.read().has("Connection: close"));
  EXPECT_TRUE(modern.is_closed());
  RawClient old(server.port());
  old.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_TRUE(old.read().has("Connection: keep-alive"));
  old.send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(old.read().has("Connection: close"));
  EXPECT_TRUE(old.is_closed());
}

TEST(Server, LetsAClientAskBeforeItSends) {
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

TEST(Server, SaysWhyItRefusesWhileTheClientStillSends) {
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

TEST(Server, TakesLongBodiesWhereTheyAreAllowed) {
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

TEST(Server, CutsOffWhoTrickles) {
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

TEST(Server, CutsOffWhoTricklesAheadOfAnAnswer) {
  Server server(quick(), echo);
  RawClient client(server.port());
  client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HT");
  EXPECT_EQ(client.read().body, "GET /a ");
  EXPECT_EQ(client.read().status, 408);
}

TEST(Server, ClosesWhoIsIdleWithoutAWord) {
  Server server(quick(), echo);
  RawClient fresh(server.port());
  EXPECT_EQ(fresh.read_all(), "");
  RawClient used(server.port());
  used.get("/");
  EXPECT_EQ(used.read().status, 200);
  EXPECT_EQ(used.read_all(), "");
}

TEST(Server, ClosesWhoDoesNotTakeHisAnswer) {
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

TEST(Server, TellsTheHandlersFailureInOneLine) {
  Server server({}, [](const Request& request, const Respond& respond) {
    if (request.path() == "/late") respond(text("answered"));
    throw std::runtime_error("a secret");
  });
  RawClient client(server.port());
  for (const char* path : {"/", "/late"}) {
    client.get(path);
    const Got got = client.read();
    EXPECT_EQ(got.status, 500);
    EXPECT_EQ(got.body.find("secret"), std::string::npos);
  }
}

TEST(Server, TakesAnswersFromOtherThreads) {
  Later later;
  Server server({}, later.handler());
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 50; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->get("/" + std::to_string(i));
  }
  later.wait_for(50);
  later.answer_all();
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(clients[static_cast<std::size_t>(i)]->read().body, "/" + std::to_string(i));
  }
}

TEST(Server, TellsWhoIsForgotten) {
  Later later;
  Server server({}, later.handler());
  RawClient client(server.port());
  client.get("/");
  later.wait_for(1);
  later.forget_all();
  EXPECT_EQ(client.read().status, 503);
}

TEST(Server, DropsAnswersToWhoHasLeft) {
  Later later;
  {
    Server server({}, later.handler());
    for (int i = 0; i < 20; ++i) RawClient(server.port()).get("/");
    later.wait_for(20);
    later.answer_all();
    RawClient client(server.port());
    client.get("/still");
    later.wait_for(1);
    later.answer_all();
    EXPECT_EQ(client.read().body, "/still");
    client.get("/after");
    later.wait_for(1);
  }
  later.answer_all();  // the server is gone
}

TEST(Server, ServesManyAtOnce) {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  const std::size_t count = std::min<std::size_t>(1000, files.rlim_cur / 2 - 100);
  Settings settings;
  settings.threads = 2;
  Server server(settings, echo);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (std::size_t i = 0; i < count; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
  }
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < count; ++i) clients[i]->post("/", std::to_string(i));
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(clients[i]->read().body, "POST / " + std::to_string(i));
    }
  }
}

TEST(Server, TurnsAwayWhoIsTooManyAndTakesThemAgain) {
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

TEST(Server, ListensOnAUnixSocket) {
  Settings settings;
  settings.unix_socket = std::filesystem::path(testing::TempDir()) /
                         ("tacit_test_" + std::to_string(getpid()) + ".socket");
  {
    Server server(settings, echo);
    struct stat status {};
    ASSERT_EQ(stat(settings.unix_socket.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0660U);
    RawClient client(settings.unix_socket.string());
    client.post("/", "hi");
    EXPECT_EQ(client.read().body, "POST / hi");
    EXPECT_THROW(Server(settings, echo), std::runtime_error);  // it lives
  }
  EXPECT_FALSE(std::filesystem::exists(settings.unix_socket));
}

TEST(Server, SaysInOneLineWhereItCannotListen) {
  const auto why = [](const Settings& settings) {
    try {
      Server server(settings, echo);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  Server server({}, echo);
  Settings settings;
  settings.port = server.port();
  EXPECT_EQ(why(settings), "cannot listen on 127.0.0.1:" + std::to_string(server.port()) +
                               ": Address already in use");
  settings.host = "192.0.2.1";
  EXPECT_NE(why(settings).find("192.0.2.1:"), std::string::npos);
  settings = {};
  settings.unix_socket = "/nowhere/at/all/tacit.socket";
  EXPECT_EQ(why(settings),
            "cannot listen on unix:/nowhere/at/all/tacit.socket: No such file or directory");
  settings = {};
  settings.certificate = "/nowhere/cert.pem";
  settings.private_key = "/nowhere/key.pem";
  EXPECT_NE(why(settings).find("/nowhere/cert.pem"), std::string::npos);
}

TEST(Server, AnswersWhatIsUnderWayWhenItStops) {
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

TEST(Server, CutsOffWhatIsNotAnsweredWhenItStops) {
  Later later;
  Server server({}, later.handler());
  RawClient client(server.port());
  client.get("/");
  later.wait_for(1);
  server.stop(10ms);
  EXPECT_EQ(client.read().status, 0);
  server.stop(10ms);  // once more does nothing
}

TEST(Server, LosesNoRequestThatItTookWhenItStopsUnderLoad) {
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
