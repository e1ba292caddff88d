// A shop behind its door: requests as a server hands them in, with keys of every role.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tacit/service/api/api.hpp"
#include "tacit/service/api/asking_test.hpp"
#include "tacit/service/api_keys.hpp"

namespace tacit::service::api {
using Headers = std::map<std::string, std::string>;

/// A shop behind its door, with a key of each role.
class Door {
 public:
  explicit Door(const Json& more = Json::object(), Api::Settings settings = {}) : shop_(more) {
    settings.log = [this](const Json& line) { log_.push_back(line); };
    settings.now = [this] { return shop_.clock().now(); };
    api_ = std::make_unique<Api>(shop_.service(), settings);
    for (const std::string_view role : kRoles) {
      const NewApiKey made = new_api_key(std::string(role), "", 0);
      keys_[std::string(role)] = made;
      put(made.row);
    }
  }

  void put(const ApiKeyRow& row) {
    shop_.service().submit(
        Lane::kOperate,
        [row](Engine& engine, Time now) {
          engine.put_key(row, "tester", now);
          return Answer{};
        },
        [](Answer&&) {});
    shop_.service().turn();
  }

  /// Whose answer may not have come yet.
  std::shared_ptr<std::optional<Answer>> send(const std::string& what, const std::string& body,
                                              const Headers& headers) {
    const std::size_t space = what.find(' ');
    const auto answer = std::make_shared<std::optional<Answer>>();
    SentRequest request(what.substr(0, space), what.substr(space + 1), "", body, headers);
    request.set_peer(peer_);
    api_->handle(request, [answer](Answer&& given) {
      EXPECT_FALSE(answer->has_value());
      *answer = std::move(given);
    });
    return answer;
  }
  /// What is sent from now on comes from there.
  void move_to(const std::string& peer) { peer_ = peer; }
  Answer knock(const std::string& what, const std::string& body, const Headers& headers) {
    const auto answer = send(what, body, headers);
    if (!*answer) shop_.service().turn();
    return answer->value();
  }
  /// With the key of a role.
  Headers as(const std::string& role, Headers more = {}) const {
    more["Authorization"] = "Bearer " + keys_.at(role).text;
    more["Content-Type"] = "application/json";
    return more;
  }
  Answer ask(const std::string& role, const std::string& what, const std::string& body) {
    return knock(what, body, as(role));
  }
  Json json(const std::string& role, const std::string& what, const std::string& body) {
    return Json::parse(ask(role, what, body).body);
  }

  Json decide(const std::string& body = "{}") { return json("app", kDecide, body); }

  static constexpr const char* kDecide = "POST /v1/experiments/shop/decisions";

  ServiceWithAShop& shop() { return shop_; }
  Api& api() { return *api_; }
  const NewApiKey& key(const std::string& role) const { return keys_.at(role); }
  const std::vector<Json>& log() const { return log_; }
  Round version() {
    return json("viewer", "GET /v1/experiments/shop", "").at("version").get<Round>();
  }

 private:
  std::vector<Json> log_;
  ServiceWithAShop shop_;
  std::unique_ptr<Api> api_;
  std::map<std::string, NewApiKey> keys_;
  std::string peer_;
};

inline std::string header_of(const Answer& answer, const std::string& name) {
  for (const auto& [each, value] : answer.headers) {
    if (each == name) return value;
  }
  return "";
}

inline std::string outcome(const Json& decision, double value) {
  return Json{{"event", decision.at("event")}, {"value", value}}.dump();
}

}  // namespace tacit::service::api
