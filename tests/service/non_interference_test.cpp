// What can be seen of the service does not depend on what is reported, but through releases: with these replaced by numbers that
// no outcome moved, two worlds in which quite different things are reported are told the same, byte by byte, over the sockets of
// the whole program: answers, logs, metrics and streams. And four services that each tell one thing too much are found out.
#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <set>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "live/held.hpp"
#include "service/non_interference_play.hpp"
#include "tacit/service/engine.hpp"
#include "tacit/service/problem.hpp"
#include "tacit/service/serving_rules.hpp"

namespace tacit::service {
namespace {

std::vector<std::string> served_policies() {
  std::vector<std::string> names;
  for (const std::string& policy : live::held_policies()) {
    Json spec{{"name", "x"},
              {"population", "people"},
              {"policy", policy},
              {"epsilon", 1},
              {"arms", {"a", "b", "c"}}};
    if (policies::find_policy(policy).card.plays_sets()) spec["actions"] = "top:2";
    try {
      servable(spec_of(spec));
      names.push_back(policy);
    } catch (const Problem&) {
    }
  }
  return names;
}

class EveryServedPolicy : public testing::TestWithParam<std::string> {};

TEST_P(EveryServedPolicy, IsSeenTheSameWhateverIsReported) {
  int releases = 0;
  for (std::uint64_t seed = 1; seed <= TACIT_PLAYS; ++seed) {
    for (const Durability durability : {Durability::kStrict, Durability::kFast}) {
      const Game game{.policy = GetParam(), .durability = durability, .seed = seed};
      const Told silence = play(game, {});
      const Told all = play(game, {.at_once = true});
      const Told anything = play(game, {.seed = seed});
      EXPECT_GT(all.reports + anything.reports, 20);
      EXPECT_EQ(silence.reports, 0);
      releases += silence.releases;
      ASSERT_EQ(difference(silence, all), "") << "seed " << seed;
      ASSERT_EQ(difference(silence, anything), "") << "seed " << seed;
    }
  }
  const bool central = policies::find_policy(GetParam()).card.trust == policies::Trust::kCentral;
  EXPECT_EQ(releases > 0, central) << "what is not released says nothing";
}

INSTANTIATE_TEST_SUITE_P(Served, EveryServedPolicy, testing::ValuesIn(served_policies()),
                         live::name_of_suite);

// ---- doors that tell too much

/// How many of so many games tell two worlds apart.
int found_out(const Mutation& mutation) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Game game{.policy = "anytime-lazy-ucb", .seed = seed};
    found += difference(play(game, {}, mutation), play(game, {.at_once = true}, mutation)).empty()
                 ? difference(play(game, {.seed = 1}, mutation), play(game, {.seed = 2}, mutation))
                           .empty()
                       ? 0
                       : 1
                 : 1;
  }
  return found;
}

std::string text_of(std::span<const char> body) { return {body.data(), body.size()}; }

/// The tokens of a report; none of what is no JSON.
std::vector<std::string> tokens_in(const http::Request& request) {
  std::vector<std::string> tokens;
  if (request.path() != "/v1/outcomes") return tokens;
  const Json body = Json::parse(text_of(request.body()), nullptr, false);
  if (body.is_discarded()) return tokens;
  if (body.contains("event")) tokens.push_back(body["event"]);
  if (body.contains("outcomes")) {
    for (const Json& each : body["outcomes"]) tokens.push_back(each["event"]);
  }
  return tokens;
}

/// The same door, without a change.
http::Handler honest(Service&, ClockOfPlay&, http::Handler door) { return door; }

/// Who was answered before is told so.
http::Handler duplicates_are_told(Service&, ClockOfPlay&, http::Handler door) {
  const auto seen = std::make_shared<std::set<std::string>>();
  return [seen, door](const http::Request& request, http::Respond respond) {
    bool again = false;
    for (const std::string& token : tokens_in(request))
      again = !seen->insert(token).second || again;
    door(request, [again, respond = std::move(respond)](Answer&& answer) {
      if (again) answer.headers.emplace_back("Duplicate", "true");
      respond(std::move(answer));
    });
  };
}

/// Metrics count reports as they count all requests.
http::Handler reports_are_counted(Service&, ClockOfPlay&, http::Handler door) {
  const auto reports = std::make_shared<std::atomic<int>>(0);
  return [reports, door](const http::Request& request, http::Respond respond) {
    if (request.path() == "/v1/outcomes") ++*reports;
    if (request.path() != "/metrics") return door(request, std::move(respond));
    door(request, [reports, respond = std::move(respond)](Answer&& answer) {
      answer.body += fmt::format("tacit_reports_total {}\n", reports->load());
      respond(std::move(answer));
    });
  };
}

/// Who says what came of a decision must have been shown it.
http::Handler reports_activate(Service& service, ClockOfPlay&, http::Handler door) {
  return [&service, door](const http::Request& request, http::Respond respond) {
    for (const std::string& token : tokens_in(request)) {
      const auto event = service.directory()->tokens.read(token);
      if (!event || !event->deferred) continue;
      service.submit(
          Lane::kDecide,
          [event](Engine& engine, Time now) {
            engine.activate(*event, now);
            return Answer{};
          },
          [](Answer&&) {});
    }
    door(request, std::move(respond));
  };
}

/// Once everybody has answered there is nothing to wait for.
http::Handler releases_when_complete(Service& service, ClockOfPlay&, http::Handler door) {
  struct Open {
    std::mutex mutex;
    std::set<std::string> events;
  };
  const auto open = std::make_shared<Open>();
  return [&service, open, door](const http::Request& request, http::Respond respond) {
    const bool decides = request.path().ends_with("/decisions");
    bool complete = false;
    {
      const std::lock_guard lock(open->mutex);
      for (const std::string& token : tokens_in(request)) {
        complete = (open->events.erase(token) == 1 && open->events.empty()) || complete;
      }
    }
    door(request, [open, decides, respond = std::move(respond)](Answer&& answer) {
      const Json body = Json::parse(answer.body, nullptr, false);
      if (decides && answer.status == 200) {
        const std::lock_guard lock(open->mutex);
        for (const Json& each :
             body.contains("decisions") ? body["decisions"] : Json::array({body})) {
          open->events.insert(each["event"]);
        }
      }
      respond(std::move(answer));
    });
    if (!complete) return;
    service.submit(
        Lane::kOperate,
        [](Engine& engine, Time now) {
          Time then = now;
          for (const Experiment* each : engine.experiments()) {
            then = std::max(then, each->next_release());
          }
          engine.store().begin();
          engine.tick(then);
          engine.write();
          engine.store().commit();
          engine.publish();
          return Answer{};
        },
        [](Answer&&) {});
  };
}

TEST(TheSameDoor, IsNotFoundOut) { EXPECT_EQ(found_out(honest), 0); }
TEST(ADoorThatTellsTooMuch, IsFoundOutWhenItMarksDuplicates) {
  EXPECT_GT(found_out(duplicates_are_told), 0);
}
TEST(ADoorThatTellsTooMuch, IsFoundOutWhenItCountsReports) {
  EXPECT_GT(found_out(reports_are_counted), 0);
}
TEST(ADoorThatTellsTooMuch, IsFoundOutWhenReportsActivate) {
  EXPECT_GT(found_out(reports_activate), 0);
}
TEST(ADoorThatTellsTooMuch, IsFoundOutWhenItReleasesOnceAllHaveAnswered) {
  EXPECT_GT(found_out(releases_when_complete), 0);
}

}  // namespace
}  // namespace tacit::service
