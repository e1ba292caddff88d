// Stop and pause while the store is away: they hold at once, are told as not yet on the disk, and are there before anything is
// recorded again.
#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacit/service/api/asking_test.hpp"
#include "tacit/service/service_rig_test.hpp"

namespace tacit::service::api {
namespace {

using testing::HasSubstr;
using State = ExperimentState;

/// Of the experiments shop (number 1), and of others; by operators' routes.
class Switches : public testing::Test {
 protected:
  Switches() {
    for (auto routes : {operating_routes(rig_.service),
                        ofrep_routes(rig_.service, std::make_shared<Quotas>(Quotas::Settings{}))}) {
      for (RouteRow& row : routes) routes_.push_back(std::move(row));
    }
  }

  Answer ask(const std::string& what, const std::string& name, const std::string& body) {
    const std::size_t space = what.find(' ');
    const auto row = std::find_if(routes_.begin(), routes_.end(), [&](const RouteRow& each) {
      return each.method == what.substr(0, space) && each.path == what.substr(space + 1);
    });
    const SentRequest request(row->method, "", "", body, {});
    const std::vector<std::string> parameters{name};
    Answer got{.status = 0};
    try {
      row->route({request, parameters, "me", rig_.service.directory()},
                 [&](Answer&& answer) { got = std::move(answer); });
    } catch (const Problem& problem) {
      return answer_of(problem);
    }
    rig_.service.turn();
    return got;
  }
  Answer stop(const std::string& name = "shop", const std::string& body = "{}") {
    return ask("POST /v1/experiments/{name}/stop", name, body);
  }
  Answer pause(bool paused, const std::string& name = "shop") {
    return patch(Json{{"paused", paused}}.dump(), name);
  }
  Answer patch(const std::string& body, const std::string& name = "shop") {
    return ask("PATCH /v1/experiments/{name}", name, body);
  }
  std::string evaluate(const std::string& name = "shop") {
    return ask("POST /ofrep/v1/evaluate/flags/{key}", name,
               R"({"context":{"targetingKey":"visitor"}})")
        .body;
  }

  Decision decide() {
    rig_.submit_decision();
    rig_.service.turn();
    return rig_.decisions.back();
  }
  void second() {
    rig_.clock.advance(kSecond);
    rig_.service.turn();
  }
  void come_back() {
    rig_.store.away = rig_.store.full = false;
    second();
    ASSERT_TRUE(rig_.service.store_is_up());
  }
  State kept(const std::string& name = "shop") {
    for (const ExperimentRow& row : rig_.store.load().experiments) {
      if (row.name == name) return row.state;
    }
    ADD_FAILURE() << name;
    return State::kRunning;
  }
  std::vector<std::string> noted() {
    std::vector<std::string> lines;
    for (const OperationRow& row : rig_.store.operations(100)) lines.push_back(row.what);
    return lines;
  }
  bool logged(const std::string& part) {
    return std::any_of(rig_.log.begin(), rig_.log.end(), [&](const Json& line) {
      return line.value("what", "").find(part) != std::string::npos;
    });
  }

  Turned rig_;
  std::vector<RouteRow> routes_;
};

TEST_F(Switches, StopAtOnceWhileTheDiskIsFullAndForGood) {
  for (const bool is_known : {false, true}) {
    SCOPED_TRACE(is_known ? "the store is known to be away" : "the stop is what finds it out");
    const std::string name = is_known ? "known" : "unknown";
    rig_.operate(
        [&](Engine& engine, Time now) { engine.create(spec_of(small_spec(name)), "t", now); });
    rig_.store.full = true;
    if (is_known) decide();
    const Answer told = stop(name, R"({"why":"support calls"})");
    EXPECT_EQ(told.status, 202) << told.body;
    const Json view = Json::parse(told.body);
    EXPECT_EQ(view["state"], "stopped");
    EXPECT_EQ(view["why"], "support calls; not yet on the disk: a restart forgets it");
    EXPECT_TRUE(logged("experiment " + name + " stopped, as me ordered while the store was away"));
    EXPECT_THAT(evaluate(name), HasSubstr("DISABLED"));
    EXPECT_EQ(rig_.service.directory()->by_name.at(name)->state, State::kStopped);
    EXPECT_EQ(kept(name), State::kRunning);
    EXPECT_EQ(stop(name).status, 202) << "as it was";
    come_back();
    EXPECT_EQ(kept(name), State::kStopped);
    EXPECT_THAT(evaluate(name), HasSubstr("DISABLED"));
    EXPECT_THAT(noted(), testing::Contains("experiment " + name + " stopped: support calls"));
    EXPECT_TRUE(logged("it is on the disk now"));
    EXPECT_EQ(stop(name).status, 200);
    for (const ExperimentRow& row : rig_.store.load().experiments) {
      EXPECT_EQ(row.why, row.name == name || row.state == State::kStopped ? "support calls" : "");
    }
  }
  EXPECT_THAT(evaluate(), HasSubstr("SPLIT")) << "another one goes on";
}

TEST_F(Switches, AreThereBeforeTheFirstDecisionOfTheSecondInWhichTheStoreIsBack) {
  rig_.store.away = true;
  ASSERT_EQ(stop().status, 202);
  EXPECT_TRUE(decide().fallback);
  rig_.store.away = false;
  rig_.clock.advance(kSecond);
  EXPECT_TRUE(decide().fallback);
  EXPECT_TRUE(rig_.service.store_is_up());
  EXPECT_EQ(rig_.store.load().progress.size(), 0U) << "nothing was ever recorded";
}

TEST_F(Switches, PauseAtOnce) {
  rig_.store.full = true;
  EXPECT_EQ(pause(true).status, 202);
  EXPECT_FALSE(decide().fallback);
  rig_.store.full = false;
  rig_.clock.advance(kSecond);
  EXPECT_FALSE(rig_.recorded(decide()));
  EXPECT_EQ(kept(), State::kPaused);
  EXPECT_EQ(pause(false).status, 200);
  EXPECT_TRUE(rig_.recorded(decide()));
}

TEST_F(Switches, AreDoneInTheirOrder) {
  const auto after = [&](const std::vector<std::pair<const char*, int>>& orders) {
    const std::string name = "e" + std::to_string(rig_.store.load().experiments.size());
    rig_.operate(
        [&](Engine& engine, Time now) { engine.create(spec_of(small_spec(name)), "t", now); });
    rig_.store.full = true;
    for (const auto& [what, status] : orders) {
      const std::string order = what;
      EXPECT_EQ((order == "stop" ? stop(name) : pause(order == "pause", name)).status, status)
          << order;
    }
    come_back();
    return kept(name);
  };
  EXPECT_EQ(after({{"pause", 202}, {"stop", 202}}), State::kStopped);
  EXPECT_EQ(after({{"stop", 202}, {"resume", 409}, {"pause", 409}}), State::kStopped);
  EXPECT_EQ(after({{"pause", 202}, {"resume", 202}}), State::kRunning);
  EXPECT_EQ(after({{"resume", 202}, {"pause", 202}, {"pause", 202}}), State::kPaused);
}

TEST_F(Switches, LeaveAloneWhatWasOverBefore) {
  ASSERT_EQ(stop().status, 200);
  rig_.store.full = true;
  EXPECT_EQ(stop().status, 200) << "it is on the disk";
  EXPECT_EQ(pause(true).status, 409);
  come_back();
  ASSERT_EQ(ask("POST /v1/experiments/{name}/archive", "shop", "").status, 200);
  rig_.store.full = true;
  EXPECT_EQ(stop().status, 200);
  EXPECT_EQ(ask("POST /v1/experiments/{name}/archive", "shop", "").status, 503);
  come_back();
  EXPECT_EQ(kept(), State::kArchived);
}

TEST_F(Switches, ChangeNothingElseMeanwhile) {
  rig_.store.full = true;
  const Answer refused = patch(R"({"paused":true,"sticky_for":"1h"})");
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(refused.body, HasSubstr("paused by itself"));
  EXPECT_EQ(patch(R"({"sticky_for":"1h"})").status, 503);
  EXPECT_EQ(rig_.service.directory()->by_name.at("shop")->state, State::kRunning);
  come_back();
  EXPECT_EQ(kept(), State::kRunning);
}

TEST_F(Switches, HoldUntilTheyAreWrittenHoweverOftenThatFails) {
  rig_.store.full = true;
  ASSERT_EQ(stop().status, 202);
  for (int i = 0; i < 3; ++i) {
    second();
    EXPECT_FALSE(rig_.service.store_is_up()) << "it can be read, and not written";
    EXPECT_TRUE(decide().fallback);
  }
  rig_.store.full = false;
  for (const int commits : {0, 1}) {
    rig_.store.commits_left = commits;  // of the engine that is read; then of what was ordered
    second();
    EXPECT_FALSE(rig_.service.store_is_up());
    EXPECT_TRUE(decide().fallback);
    EXPECT_EQ(kept(), State::kRunning);
  }
  rig_.store.commits_left.reset();
  come_back();
  EXPECT_TRUE(decide().fallback);
  EXPECT_EQ(kept(), State::kStopped);
}

TEST_F(Switches, StopWhatSticksAndWhatIsShownLater) {
  const auto ask_for = [&](bool defer, const Work& otherwise) {
    std::optional<Decision> made;
    rig_.service.submit_decision(
        [&](Engine& engine, Time now) {
          made = engine.decide({.experiment = 2,
                                .unit = engine.directory()->unit("u"),
                                .eligible = {},
                                .defer = defer},
                               now);
          return Answer{};
        },
        otherwise, [](Answer&&) {});
    rig_.service.turn();
    return made.value();
  };
  rig_.operate([&](Engine& engine, Time now) {
    engine.create_population("users", 100, true, "t", now);
    Json spec = small_spec("second");
    spec.erase("epsilon");
    spec["population"] = "users";
    spec["user"] = {{"epsilon", 2}, {"cap", 5}};
    spec["sticky_for"] = "1h";
    engine.create(spec_of(spec), "t", now);
  });
  const Decision fetched = ask_for(true, nullptr);
  rig_.store.full = true;
  ASSERT_EQ(stop("second").status, 202);
  rig_.store.full = false;
  rig_.clock.advance(kSecond);
  EXPECT_TRUE(ask_for(false, nullptr).fallback);
  const Event event = *rig_.service.directory()->tokens.read(fetched.event);
  std::string active;
  rig_.turned(Lane::kDecide, [&](Engine& engine, Time now) {
    active = engine.activate(event, now);
    return Answer{};
  });
  EXPECT_FALSE(rig_.service.directory()->tokens.read(active)->recorded);
}

TEST(SwitchesAtTheEnd, AreWrittenIfTheyCanBeOrSaidToBeLost) {
  for (const bool is_back : {false, true}) {
    Folder folder;
    FailingStore store(std::make_unique<SqliteStore>(folder.file("store.db")));
    KeysThatFail keys;
    ClockOfTest clock;
    std::vector<Json> log;
    {
      Service service({.store = store,
                       .keys = keys,
                       .releaser = exact,
                       .dice = [](Id) { return random::Dice::numbered(1); }},
                      clock,
                      {.log = [&](const Json& line) { log.push_back(line); }, .own_thread = false});
      const auto operate = [&](const Work& work, const Work& without_store) {
        service.submit(Lane::kOperate, work, without_store, [](Answer&&) {});
        service.turn();
      };
      operate(
          [](Engine& engine, Time now) {
            engine.create_population("people", 100, false, "t", now);
            engine.create(spec_of(small_spec()), "t", now);
            return Answer{};
          },
          nullptr);
      store.full = true;
      const Work stop = [](Engine& engine, Time) {
        engine.order(1, State::kStopped, "", "t");
        return Answer{};
      };
      operate([](Engine&, Time) -> Answer { throw StoreFailed("full"); }, stop);
      store.full = !is_back;
    }
    store.full = false;
    EXPECT_EQ(store.load().experiments.at(0).state, is_back ? State::kStopped : State::kRunning);
    const bool is_lost = std::any_of(log.begin(), log.end(), [](const Json& line) {
      return line.value("what", "").find("is lost") != std::string::npos;
    });
    EXPECT_EQ(is_lost, !is_back);
  }
}

}  // namespace
}  // namespace tacit::service::api
