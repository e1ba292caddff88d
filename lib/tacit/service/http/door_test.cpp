// Who may ask is decided before anything is read of a body.
#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tacit/service/http/handlers_test.hpp"
#include "tacit/service/http/raw_client_test.hpp"
#include "tacit/service/http/server.hpp"

namespace tacit::service::http {
namespace {

/// Lets in who says please; tells all others what it has seen of their body.
Door polite(std::size_t bodies = 1 << 20) {
  return [budget = std::make_shared<BodyBudget>(bodies)](const Request& header) -> Entry {
    if (header.header("Please") == "yes") return {.handler = echo, .bodies = budget};
    Answer refusal = text("say please");
    refusal.status = 401;
    if (!header.body().empty()) refusal.status = 500;
    return {
        .handler = [refusal](const Request&, const Respond& respond) { respond(Answer(refusal)); },
        .bodies = nullptr};
  };
}

std::string post(std::string_view fields, std::string_view body) {
  return "POST / HTTP/1.1\r\nHost: a\r\n" + std::string(fields) + "\r\n" + std::string(body);
}

TEST(ServerDoor, RefusesAHeaderAndReadsNoBody) {
  Server server(quick(), polite());
  for (const std::string_view fields :
       {"Content-Length: 1000\r\n", "Transfer-Encoding: chunked\r\n",
        "Expect: 100-continue\r\nContent-Length: 1000\r\n"}) {
    for (const std::string_view some : {"", "3\r\nabc\r\n", "broken"}) {
      RawClient client(server.port());
      client.send(post(fields, some));
      const Got got = client.read();
      EXPECT_EQ(got.status, 401) << fields << some;
      EXPECT_TRUE(got.has("Connection: close"));
      // What it sends now is no request, and is not answered.
      client.send("GET / HTTP/1.1\r\nHost: a\r\nPlease: yes\r\n\r\n");
      EXPECT_TRUE(client.is_closed());
    }
  }
}

TEST(ServerDoor, LetsWhoIsRefusedAskAgainWhenAllOfItHasCome) {
  Server server(quick(), polite());
  RawClient client(server.port());
  const std::string again = post("Please: yes\r\nContent-Length: 2\r\n", "hi");
  for (const std::string& first :
       {post("Content-Length: 5\r\n", "hello"), post("", ""),
        post("Transfer-Encoding: chunked\r\n", "2\r\nhi\r\n0\r\n\r\n")}) {
    client.send(first + again);
    const Got refused = client.read();
    EXPECT_EQ(refused.status, 401);
    EXPECT_FALSE(refused.has("Connection: close"));
    EXPECT_EQ(client.read().body, "POST / hi");
  }
}

TEST(ServerDoor, LetsWhoWaitsForAWordSendItsBody) {
  Server server(quick(), polite());
  RawClient client(server.port());
  client.send(post("Please: yes\r\nExpect: 100-continue\r\nContent-Length: 2\r\n", ""));
  EXPECT_EQ(client.read().status, 100);
  client.send("hi");
  EXPECT_EQ(client.read().body, "POST / hi");
}

TEST(ServerDoor, TurnsAwayLongBodiesBeyondTheirBudget) {
  Server server({}, polite(80'000));
  const std::string body(60'000, 'x');
  RawClient first(server.port());
  first.send(post("Please: yes\r\nContent-Length: 60000\r\n", body.substr(1)));
  Got got;
  while (got.status != 503) {  // until the server has read what the first one sent
    RawClient second(server.port());
    second.send(post("Please: yes\r\nContent-Length: 60000\r\n", body));
    got = second.read();
  }
  EXPECT_TRUE(got.has("Retry-After: 1\r\n"));
  RawClient small(server.port());
  small.send(post("Please: yes\r\nContent-Length: 8000\r\n", body.substr(0, 8000)));
  EXPECT_EQ(small.read().status, 200);
  first.send("x");
  EXPECT_EQ(first.read().status, 200);
  RawClient third(server.port());
  third.send(post("Please: yes\r\nContent-Length: 60000\r\n", body));
  EXPECT_EQ(third.read().status, 200);
}

TEST(ServerDoor, AnswersWhereItCannotBeOpened) {
  Server server({}, Door([](const Request&) -> Entry { throw std::runtime_error("stuck"); }));
  RawClient client(server.port());
  client.get("/");
  EXPECT_EQ(client.read().status, 500);
}

}  // namespace
}  // namespace tacit::service::http
