#include "tacit/service/api/metrics.hpp"

#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacit/service/api/asking_test.hpp"

namespace tacit::service::api {
namespace {

using testing::HasSubstr;

bool is_name(const std::string& text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
  });
}

/// name{label="value",...} number: where the name ends, or npos for what is none.
std::size_t end_of_name(const std::string& line) {
  const std::size_t end = line.find_first_of("{ ");
  if (end == std::string::npos || !is_name(line.substr(0, end))) return std::string::npos;
  std::size_t at = end;
  if (line[at] == '{') {
    do {
      const std::size_t equals = line.find("=\"", ++at);
      if (equals == std::string::npos || !is_name(line.substr(at, equals - at)))
        return std::string::npos;
      at = line.find('"', equals + 2);
      if (at == std::string::npos) return std::string::npos;
    } while (line[++at] == ',');
    if (line[at++] != '}') return std::string::npos;
  }
  if (at >= line.size() || line[at] != ' ') return std::string::npos;
  std::size_t read = 0;
  try {
    (void)std::stod(line.substr(at + 1), &read);
  } catch (const std::exception&) {
    return std::string::npos;
  }
  return at + 1 + read == line.size() ? end : std::string::npos;
}

/// What is wrong with a text in the exposition format; "": nothing.
std::string complaint_of(const std::string& text) {
  if (text.empty() || text.back() != '\n') return "does not end with a line's end";
  std::set<std::string> begun;
  std::set<std::string> series;
  std::string now;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("# HELP ", 0) == 0) {
      now = line.substr(7, line.find(' ', 7) - 7);
      if (!is_name(now) || !begun.insert(now).second) return "begins again: " + line;
    } else if (line.rfind("# TYPE ", 0) == 0) {
      if (line != "# TYPE " + now + " counter" && line != "# TYPE " + now + " gauge") return line;
      const bool total = now.size() > 6 && now.substr(now.size() - 6) == "_total";
      if ((line.substr(line.rfind(' ') + 1) == "counter") != total) {
        return "counters end in _total, and they alone: " + line;
      }
    } else {
      const std::size_t end = end_of_name(line);
      if (end == std::string::npos || line.substr(0, end) != now) return "no sample: " + line;
      if (!series.insert(line.substr(0, line.rfind(' '))).second) return "twice: " + line;
    }
  }
  return "";
}

TEST(MetricsFormat, IsHeldToByItsChecker) {
  const std::string head = "# HELP a Some.\n# TYPE a gauge\n";
  EXPECT_EQ(complaint_of(head + "a 1\n"), "");
  EXPECT_EQ(complaint_of(head + "a{b=\"c\",d=\"e\"} 1.5e-3\n"), "");
  for (const char* bad : {"a 1", "a\n", "a x\n", "b 1\n", "a{b=c} 1\n", "a{b=\"c\" 1\n", "a{} 1\n",
                          "a 1\na 2\n", "a 1 \n", "a{b=\"c\",} 1\n"}) {
    EXPECT_NE(complaint_of(head + bad), "") << bad;
  }
  EXPECT_NE(complaint_of(head + "a 1\n" + head + "a 2\n"), "");
}

TEST(Metrics, TellWhatTheViewMayTell) {
  ServiceWithAShop shop;
  shop.decide_often(1000);
  shop.wait(10 * kSecond);
  shop.counts().count(shop.counts().add("GET", "/v1/experiments/{name}"), 200);
  const Answer answer = shop.ask("GET /metrics");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_EQ(complaint_of(answer.body), "") << answer.body;
  for (const char* line :
       {"tacit_store_up 1\n", "tacit_guarantee_epsilon{experiment=\"shop\"} 0.5\n",
        "tacit_population_epsilon_spent{population=\"visitors\"} 0.5\n",
        "tacit_population_epsilon_budget{population=\"visitors\"} 100\n",
        "tacit_experiment_running{experiment=\"shop\"} 1\n",
        "# HELP tacit_phases_under_way Phases that are full and not released yet.\n",
        "tacit_requests_total{method=\"GET\",path=\"/v1/experiments/{name}\",status=\"200\"} 1\n",
        "tacit_decisions_total{experiment=\"shop\",arm=\"blue\"} ",
        "tacit_build_info{version=\""}) {
    EXPECT_THAT(answer.body, HasSubstr(line));
  }
  const Json view = shop.json("GET /v1/experiments/{name}", {.parameters = {"shop"}});
  EXPECT_THAT(answer.body, HasSubstr("tacit_releases_total{experiment=\"shop\"} " +
                                     view["version"].dump() + "\n"));
}

// What would count reports, by name or in the numbers, is not there to be read.
TEST(Metrics, KnowNothingOfReports) {
  ServiceWithAShop shop;
  std::string body = shop.ask("GET /metrics").body;
  const std::string of_decisions = "tacit_kept_answer_bytes_total";
  for (std::size_t at = 0; (at = body.find(of_decisions)) != std::string::npos;) {
    body.erase(at, of_decisions.size());
  }
  for (const char* word :
       {"outcome", "report_", "reward", "latency", "seconds", "commit", "bytes"}) {
    EXPECT_EQ(body.find(word), std::string::npos) << word;
  }
}

TEST(Metrics, SayThatTheStoreIsAway) {
  const std::string body = metrics_of(nullptr, RequestCounts(), Quotas({}), 0);
  EXPECT_EQ(complaint_of(body), "") << body;
  EXPECT_THAT(body, HasSubstr("tacit_store_up 0\n"));
}

TEST(Metrics, SayWhenAPeriodCannotBePaidFor) {
  ServiceInAFolder service;
  service.ask("POST /v1/populations", {.body = R"({"name":"few","epsilon":5,"user_level":true})"});
  const Answer created = service.ask("POST /v1/experiments", {.body = R"({
      "name":"u","population":"few","arms":["a","b"],"user":{"epsilon":2,"cap":2,"period":"1h"}})"});
  EXPECT_EQ(Json::parse(created.body)["guarantee"]["user"]["periods_left"], 1);
  const auto says = [&](const std::string& line) {
    return service.ask("GET /metrics").body.find(line + "\n") != std::string::npos;
  };
  const auto ask = [&] {
    service.ask("POST /v1/experiments/{name}/decisions",
                {.parameters = {"u"}, .body = R"({"unit":"somebody"})"});
    return service.json("GET /v1/experiments/{name}", {.parameters = {"u"}});
  };
  for (int period = 1; period <= 2; ++period) {
    EXPECT_EQ(ask()["recording"], true);
    EXPECT_TRUE(says(fmt::format("tacit_recorded_total{{experiment=\"u\"}} {}", period)));
    EXPECT_TRUE(says("tacit_experiment_running{experiment=\"u\"} 1"));
    service.clock().go(kHour);
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(says("tacit_experiment_running{experiment=\"u\"} 0"))
        << "whether somebody asks or not";
    const Json view = ask();
    EXPECT_EQ(view["state"], "running");
    EXPECT_EQ(view["recording"], false);
    EXPECT_EQ(view["why"], "nothing is recorded: population few has 1 left, and a period takes 2");
    EXPECT_EQ(service.json("GET /v1/experiments")["experiments"][0]["recording"], false);
  }
  EXPECT_TRUE(says("tacit_recorded_total{experiment=\"u\"} 2"));
}

}  // namespace
}  // namespace tacit::service::api
