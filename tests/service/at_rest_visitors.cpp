#include "service/at_rest_visitors.hpp"

namespace tacit::service {

void AtRest::send_marked() {
  const auto shop = decide("shop", {{"count", 80}, {"unit", unit("a decision")}});
  const auto all = decide("everything", {{"count", 30}});
  const auto members = decide("members", {{"unit", unit("a member")}});
  const auto alone = decide("alone", {{"count", 2}, {"eligible", {"left"}}});
  decide("members", {{"unit", unit("one who asks twice")}},
         "Idempotency-Key: order-" + unit("an idempotency key") + "\r\n");
  const std::string deferred =
      decide("members", {{"unit", unit("a deferred")}, {"defer", true}})[0];
  const std::string active =
      body_of(ask("/v1/activations", Json{{"event", deferred}}.dump())).at("event");
  for (const char* path : {"/ofrep/v1/evaluate/flags/members", "/ofrep/v1/evaluate/flags"}) {
    const Json context{{"targetingKey", unit("a flag")},
                       {"email", unit("a context")},
                       {"deep", {{"er", {unit("a deep context")}}}}};
    EXPECT_EQ(status_of(ask(path, Json{{"context", context}}.dump())), 200);
  }
  tell(value(alone[0], lonely_outcome("one alone in its phase")));
  for (std::size_t i = 0; i < 40; ++i)
    tell(value(shop[2 * i], i % 3 == 0 ? "0.375" : outcome("a report")));
  std::string batch;
  for (std::size_t i = 0; i < 20; ++i) {
    batch += (i == 0 ? "" : ",") + value(shop[2 * i + 1], outcome("a batch"));
  }
  tell(R"({"outcomes":[)" + batch + "]}");
  for (std::size_t i = 0; i < 20; ++i) {
    tell(fmt::format(R"({{"event":"{}","values":{{"left":{},"right":{}}}}})", all[i],
                     outcome("one of two"), outcome("the other of two")));
  }
  tell(value(shop[0], outcome("a duplicate")));
  tell(value(members[0], outcome("a member")));
  tell(value(active, outcome("an activated one")));
  send_marked_and_wrong(shop[79]);
}

void AtRest::send_marked_and_wrong(const std::string& event) {
  constexpr int kBad = 400;
  constexpr int kUnprocessable = 422;
  int report = 0;
  const auto wrong = [&] { return outcome(fmt::format("wrong report {}", ++report)); };
  tell(value(event, "1" + wrong().substr(1)), kUnprocessable);
  tell(value(event, "-" + wrong()), kUnprocessable);
  tell(value(event, '"' + wrong() + '"'), kUnprocessable);
  tell(value(event, wrong() + "x"), kBad);
  tell(value(event, wrong()) + "}", kBad);
  tell(fmt::format(R"({{"event":"{}","{}":1}})", event, wrong()), kUnprocessable);
  tell(fmt::format(R"({{"event":"{}","values":{{"{}":1}}}})", event, wrong()), kUnprocessable);
  tell(value(event.substr(1) + "A", wrong()), kUnprocessable);
  tell(value(wrong(), wrong()), kUnprocessable);
  tell("{\"outcomes\":[" + value(event, wrong()) + "," + value(event, "2") + "]}", kUnprocessable);
  ask("/v1/outcome", value(event, wrong()));
  ask("/v1/outcomes?value=" + wrong(), value(event, wrong()));
  ask("/v1/outcomes/" + wrong(), value(event, wrong()));
  ask(kOutcomes, value(event, wrong()), "Content-Type: text/" + wrong() + "\r\n");
  ask(kOutcomes, value(event, wrong()), "Cookie: value=" + wrong() + "\r\n");
  ask(kOutcomes, value(event, wrong()) + std::string(2 << 20, ' '));
  ask(kOutcomes, value(event, wrong()), "X-API-Key: " + wrong() + "\r\n");
  const std::string body = value(event, wrong());
  exchange(
      served_->port(),
      fmt::format("POST {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-API-Key: {}\r\n"
                  "Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{}\r\n{:x}\r\n{}\r\n0\r\n\r\n",
                  kOutcomes, keys_[0], 10, body.substr(0, 10), body.size() - 10, body.substr(10)));
  // Cut off in the middle.
  http::RawClient(served_->port()).send(request(kOutcomes, value(event, wrong())).substr(0, 260));

  int number = 0;
  const auto name = [&] { return unit(fmt::format("wrong request {}", ++number)); };
  for (const std::string& decision :
       {fmt::format(R"({{"unit":["{}"]}})", name()),
        fmt::format(R"({{"unit":"{}","x":1}})", name()),
        fmt::format(R"({{"unit":"{}"}})", name() + std::string(2000, 'x')),
        fmt::format(R"({{"eligible":["{}"]}})", name()), fmt::format(R"({{"{}":1}})", name()),
        fmt::format(R"({{"unit":"{})", name()), fmt::format(R"({{"unit":"\u0061{}"}})", name())}) {
    ask(kDecide, decision);
  }
  ask("/v1/experiments/" + name() + "/decisions", "{}");
  // (A flag's name is no secret, and OFREP's answers repeat it.)
  ask("/ofrep/v1/evaluate/flags",
      fmt::format(R"({{"context":{{"targetingKey":["{}"]}}}})", name()));
  ask("/ofrep/v1/evaluate/flags", fmt::format(R"({{"context":"{}"}})", name()));
  ask("/v1/activations", fmt::format(R"({{"event":"{}"}})", name()));
}

}  // namespace tacit::service
