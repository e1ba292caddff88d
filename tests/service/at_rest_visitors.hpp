// Visitors of a service that runs apart, all of whom send something that can be told from everything else; and where to look for it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "service/at_rest_apart.hpp"
#include "service/at_rest_search.hpp"
#include "service/non_interference_play.hpp"
#include "tacit/random/sodium.hpp"
#include "tacit/service/api_keys.hpp"
#include "tacit/service/http/raw_client_test.hpp"
#include "tacit/service/http/tls_client_test.hpp"
#include "tacit/service/spec.hpp"

namespace tacit::service {

inline constexpr const char* kDecide = "/v1/experiments/shop/decisions";
inline constexpr const char* kOutcomes = "/v1/outcomes";

class AtRest : public testing::TestWithParam<bool> {
 protected:
  AtRest() {
    random::need_sodium();
    configuration_.store = folder_.file("shop.db");
    configuration_.keys = folder_.file("state.key");
    configuration_.log = folder_.file("serve.log");
    configuration_.listen.port = 0;
    if (GetParam()) {
      const auto files = http::make_self_signed(folder_.file(""));
      configuration_.tls_cert = files.certificate;
      configuration_.tls_key = files.private_key;
    }
    std::vector<ApiKeyRow> rows;
    for (const char* role : {"app", "operator"}) {
      const NewApiKey made = new_api_key(role, "", 1);
      keys_.push_back(made.text);
      rows.push_back(made.row);
    }
    served_ = std::make_unique<ServedApart>(configuration_, rows, true);
  }

  void SetUp() override {
    if (::access(fmt::format("/proc/{}/mem", served_->process()).c_str(), R_OK) != 0) {
      GTEST_SKIP() << "the memory of a process that keeps it to itself can be read by root alone";
    }
    make("shop", "mgf-imed", {{"population", "people"}, {"epsilon", 1}});
    make("everything", "ftnl", {{"population", "people"}, {"epsilon", 1}});
    make("alone", "anytime-lazy-ucb", {{"population", "people"}, {"epsilon", 1}});
    make("members", "mgf-imed",
         {{"population", "members"},
          {"user", {{"epsilon", 50}, {"cap", 50}}},
          {"sticky_for", "5s"}});
    // Until a phase has several places, so that its sum is nobody's outcome.
    for (int i = 0; i < 4; ++i) {
      for (const char* name : {"shop", "everything", "members"})
        decide(name, {{"count", 40}, {"unit", "warm"}});
      served_->advance(20 * kSecond);
    }
  }

  void make(const std::string& name, const std::string& policy, Json more) {
    for (const char* population : {R"({"name":"people","epsilon":100})",
                                   R"({"name":"members","epsilon":100,"user_level":true})"}) {
      ask("/v1/populations", population, {}, 1);
    }
    more.update({{"name", name}, {"policy", policy}, {"wait", "10s"}, {"arms", {"left", "right"}}});
    ASSERT_EQ(status_of(ask("/v1/experiments", more.dump(), {}, 1)), 201);
  }

  // ---- requests, over connections of their own

  std::string exchange(std::uint16_t port, const std::string& text) const {
    if (!GetParam() || port == served_->port_that_keeps()) {
      http::RawClient client(port);
      client.send(text);
      return client.read_all();
    }
    http::TlsClient client(port);
    client.send(text);
    return client.read_until(std::string("\0", 1));
  }
  std::string ask(const std::string& path, const std::string& body, const std::string& headers = {},
                  std::size_t key = 0) const {
    return exchange(served_->port(), request(path, body, headers, key));
  }
  std::string request(const std::string& path, const std::string& body,
                      const std::string& headers = {}, std::size_t key = 0) const {
    return fmt::format(
        "POST {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-API-Key: {}\r\n"
        "Content-Type: application/json\r\n{}Content-Length: {}\r\n\r\n{}",
        path, keys_[key], headers, body.size(), body);
  }
  static int status_of(const std::string& answer) {
    return answer.size() > 12 ? std::stoi(answer.substr(9, 3)) : 0;
  }
  static Json body_of(const std::string& answer) {
    return Json::parse(answer.substr(answer.find("\r\n\r\n") + 4));
  }

  /// Its events.
  std::vector<std::string> decide(const std::string& name, const Json& body,
                                  const std::string& headers = {}) const {
    const std::string answer = ask("/v1/experiments/" + name + "/decisions", body.dump(), headers);
    EXPECT_EQ(status_of(answer), 200) << answer;
    const Json decided = body_of(answer);
    std::vector<std::string> events;
    for (const Json& each :
         decided.contains("decisions") ? decided["decisions"] : Json::array({decided})) {
      events.push_back(each["event"]);
    }
    return events;
  }
  void tell(const std::string& body, int status = 202) const {
    const std::string answer = ask(kOutcomes, body);
    EXPECT_EQ(status_of(answer), status) << answer;
  }
  static std::string value(const std::string& event, const std::string& x) {
    return fmt::format(R"({{"event":"{}","value":{}}})", event, x);
  }

  // ---- marks

  std::string unit(const std::string& what) {
    units_.push_back(Mark::unit("unit of " + what));
    open_.add(units_.back());
    closed_.add(units_.back());
    return units_.back().text();
  }
  std::string outcome(const std::string& what) {
    const Mark mark = Mark::outcome("outcome of " + what);
    open_.add(mark);
    closed_.add(mark);
    return mark.text();
  }
  /// Alone in its phase: while that is open, it is the sum.
  std::string lonely_outcome(const std::string& what) {
    const Mark mark = Mark::outcome("outcome of " + what);
    lonely_.add(mark);
    closed_.add(mark);
    return mark.text();
  }

  void send_marked();
  void send_marked_and_wrong(const std::string& event);

  std::set<std::string> found(const Search& search) const {
    std::set<std::string> all = search.in_memory(served_->process());
    all.merge(found_in_files(search));
    all.merge(found_in_a_core(search));
    return all;
  }
  /// As somebody with all rights on the machine would make one: with registers, and what libraries of threads keep.
  std::set<std::string> found_in_a_core(const Search& search) const {
    const std::string gcore = TACIT_GCORE;
    if (gcore.empty()) return {};
    const std::string core = folder_.file("core");
    const std::string made = fmt::format("{}.{}", core, served_->process());
    const int status = std::system(
        fmt::format("{} -o {} {} > /dev/null 2>&1", gcore, core, served_->process()).c_str());
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(std::filesystem::exists(made));
    const std::set<std::string> found = search.in_file(made);
    std::filesystem::remove(made);
    return found;
  }
  std::set<std::string> found_in_files(const Search& search) const {
    std::set<std::string> all;
    for (const char* end : {"", "-wal", "-shm", ".lock"}) {
      all.merge(search.in_file(configuration_.store + end));
    }
    all.merge(search.in_file(configuration_.keys));
    all.merge(search.in_file(configuration_.log));
    return all;
  }

  PlayFolder folder_;
  Configuration configuration_;
  std::vector<std::string> keys_;
  std::unique_ptr<ServedApart> served_;
  std::vector<Mark> units_;
  Search open_, lonely_, closed_;
};

}  // namespace tacit::service
