// A whole service in a folder of its own, on a clock that a test turns, and routes called as the door calls them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "tacit/service/api/routes.hpp"
#include "tacit/service/api/stream.hpp"
#include "tacit/service/folder_test.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/keys.hpp"
#include "tacit/service/service.hpp"

namespace tacit::service::api {

class HandClock final : public Clock {
 public:
  Time now() override { return now_; }
  void go(Time by) { now_ += by; }

 private:
  Time now_ = 20'000 * kDay;
};

class SentRequest final : public http::Request {
 public:
  SentRequest(std::string_view method, std::string path, std::string query, std::string body,
              std::map<std::string, std::string> headers)
      : method_(method),
        path_(std::move(path)),
        query_(std::move(query)),
        body_(std::move(body)),
        headers_(std::move(headers)) {}

  std::string_view method() const override { return method_; }
  std::string_view path() const override { return path_; }
  std::string_view query() const override { return query_; }
  std::string_view header(std::string_view name) const override {
    const auto found = headers_.find(std::string(name));
    return found == headers_.end() ? std::string_view() : std::string_view(found->second);
  }
  bool has(std::string_view header) const override {
    return headers_.contains(std::string(header));
  }
  std::string_view last_header(std::string_view name) const override { return header(name); }
  std::string_view peer() const override { return peer_; }
  std::span<char> body() const override { return body_; }

  /// It comes from there.
  void set_peer(std::string peer) { peer_ = std::move(peer); }

 private:
  std::string method_;
  std::string path_;
  std::string query_;
  mutable std::string body_;
  std::map<std::string, std::string> headers_;
  std::string peer_;
};

/// Of a request.
struct Given {
  std::vector<std::string> parameters = {};
  std::string body = {};
  std::string query = {};
  std::map<std::string, std::string> headers = {};
  Role role = Role::kOperator;  // of the key
};

class ServiceInAFolder {
 public:
  ServiceInAFolder() { start(); }
  ServiceInAFolder(const ServiceInAFolder&) = delete;
  ServiceInAFolder& operator=(const ServiceInAFolder&) = delete;
  ~ServiceInAFolder() { end(); }

  void start() {
    store_ = std::make_unique<SqliteStore>(folder_.file("tacit.db"));
    keys_ = std::make_unique<KeyFile>(folder_.file("state.key"), store_->is_new());
    stream_.emplace();
    Service::Settings settings;
    settings.own_thread = false;
    stream_->listen_to(settings);
    service_ = std::make_unique<Service>(
        Engine::Parts{*store_, *keys_, releaser_,
                      [](Id id) { return random::Dice::numbered(static_cast<std::uint64_t>(id)); }},
        clock_, settings);
    for (auto routes :
         {operating_routes(*service_), reading_routes(*service_), ofrep_routes(*service_, quotas_),
          metrics_routes(*service_, counts_, quotas_), application_routes(*service_, quotas_),
          health_routes(*service_), stream_routes(*service_, stream_->channel())}) {
      for (RouteRow& row : routes) routes_.push_back(std::move(row));
    }
  }
  void end() {
    routes_.clear();
    service_.reset();
    keys_.reset();
    store_.reset();
  }

  /// "GET /v1/experiments/{name}".
  Answer ask(const std::string& what, const Given& given = {}) {
    const std::size_t space = what.find(' ');
    for (const RouteRow& row : routes_) {
      if (row.method != what.substr(0, space) || row.path != what.substr(space + 1)) continue;
      const SentRequest request(row.method, "", given.query, given.body, given.headers);
      const Call call{request, given.parameters, "tester", service_->directory(), given.role};
      std::optional<Answer> got;
      try {
        row.route(call, [&got](Answer&& answer) { got = std::move(answer); });
      } catch (const Problem& problem) {
        return answer_of(problem);
      }
      if (!got) service_->turn();
      return got.value();
    }
    throw std::invalid_argument("no route " + what);
  }
  Json json(const std::string& what, const Given& given = {}) {
    return Json::parse(ask(what, given).body);
  }

  /// Lets ticks go by.
  void wait(Time time) {
    for (Time gone = 0; gone < time; gone += kSecond) {
      clock_.go(kSecond);
      service_->turn();
    }
  }

  Service& service() { return *service_; }
  HandClock& clock() { return clock_; }
  const std::vector<RouteRow>& routes() const { return routes_; }
  RequestCounts& counts() { return counts_; }
  void set_quotas(const Quotas::Settings& settings) {
    quotas_ = std::make_shared<Quotas>(settings);
    end();
    start();
  }
  const Stream& stream() const { return *stream_; }

 private:
  Folder folder_;
  HandClock clock_;
  std::unique_ptr<SqliteStore> store_;
  std::unique_ptr<KeyFile> keys_;
  SecureReleaser releaser_;
  RequestCounts counts_;
  std::shared_ptr<Quotas> quotas_ = std::make_shared<Quotas>(Quotas::Settings{});
  std::optional<Stream> stream_;
  std::unique_ptr<Service> service_;
  std::vector<RouteRow> routes_;
};

/// With a population of visitors and an experiment "shop" of three arms that is theirs.
class ServiceWithAShop : public ServiceInAFolder {
 public:
  explicit ServiceWithAShop(const Json& more = Json::object()) {
    ask("POST /v1/populations", {.body = R"({"name":"visitors","epsilon":100})"});
    ask("POST /v1/populations", {.body = R"({"name":"members","epsilon":100,"user_level":true})"});
    Json spec{{"name", "shop"},
              {"population", "visitors"},
              {"arms", {"blue", "green", {{"name", "red"}, {"value", {{"colour", "#c00"}}}}}},
              {"epsilon", 0.5},
              {"wait", "5s"}};
    spec.update(more);
    if (spec.contains("user")) spec.erase("epsilon");
    created_ = ask("POST /v1/experiments", {.body = spec.dump()});
  }
  const Answer& created() const { return created_; }

  Decision decide(std::optional<UnitHash> unit = {}, const std::string& experiment = "shop",
                  bool defer = false) {
    std::optional<Decision> made;
    service().submit(
        Lane::kDecide,
        [&](Engine& engine, Time now) {
          made = engine.decide({.experiment = engine.find(experiment)->row().id,
                                .unit = unit,
                                .eligible = {},
                                .defer = defer},
                               now);
          return Answer{};
        },
        [](Answer&&) {});
    service().turn();
    return made.value();
  }
  void decide_often(int times) {
    service().submit(
        Lane::kDecide,
        [times](Engine& engine, Time now) {
          const Id id = engine.find("shop")->row().id;
          for (int i = 0; i < times; ++i) {
            engine.decide({.experiment = id, .unit = {}, .eligible = {}}, now);
          }
          return Answer{};
        },
        [](Answer&&) {});
    service().turn();
  }

 private:
  Answer created_;
};

}  // namespace tacit::service::api
