#include "tacit/service/http/server.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <cstdint>
#include <ctime>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/service/http/answer_text.hpp"
#include "tacit/service/http/handlers_test.hpp"
#include "tacit/service/http/raw_client_test.hpp"

namespace tacit::service::http {
namespace {

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
  Settings settings;
  settings.now = [] { return std::int64_t{784111777} * 1000 + 999; };
  Server server(settings, [](const Request& request, const Respond& respond) {
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
  EXPECT_EQ(client.read_head().head,
            "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
            "Content-Type: application/json\r\nContent-Length: 2\r\nETag: \"7\"\r\n"
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

TEST(Server, SaysTheDateOfItsClockAndTheMachinesWithoutOne) {
  EXPECT_EQ(text_of_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(text_of_date(1709210096), "Thu, 29 Feb 2024 12:34:56 GMT");
  Server server({}, echo);
  RawClient client(server.port());
  const std::int64_t before = std::time(nullptr);
  client.get("/");
  const std::string head = client.read().head;
  bool found = false;
  for (std::int64_t at = before; at <= std::time(nullptr); ++at) {
    found = found || head.find("\r\nDate: " + text_of_date(at) + "\r\n") != std::string::npos;
  }
  EXPECT_TRUE(found) << head;
}

TEST(Server, TellsWhoeverIsRefusedWhatPagesNeedToReadIt) {
  Settings settings = quick();
  settings.refusal_fields = [](std::optional<std::string_view> origin) {
    return Fields{{"Seen", origin ? std::string(*origin) : "nothing"}};
  };
  settings.connections = 1;
  Server server(settings, echo);
  const auto told = [&](const std::string& request) {
    RawClient client(server.port());
    client.send(request);
    const Got got = client.read();
    client.read_all();  // it has left, and there is room for another
    return std::to_string(got.status) + got.head.substr(got.head.find("Seen: "));
  };
  const std::string with = " HTTP/1.1\r\nHost: a\r\nOrigin: https://shop.example\r\n";
  EXPECT_EQ(told("POST /" + with + "Content-Length: 999999\r\n\r\n").substr(0, 30),
            "413Seen: https://shop.example\r");
  EXPECT_EQ(told("POST /" + with + "Content-Length: 9\r\n\r\n").substr(0, 30),
            "408Seen: https://shop.example\r");
  EXPECT_EQ(told("POST / HTTP/1.1\r\nHost: a\r\n").substr(0, 16), "408Seen: nothing");
  EXPECT_EQ(told("nonsense\r\n\r\n").substr(0, 16), "400Seen: nothing");
  RawClient first(server.port());
  first.get("/");
  EXPECT_EQ(first.read().status, 200);
  EXPECT_EQ(told("GET /" + with + "\r\n").substr(0, 16), "503Seen: nothing");
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

}  // namespace
}  // namespace tacit::service::http
