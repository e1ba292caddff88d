#include "model/service_play.hpp"

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/service_promise.hpp"
#include "model/shrink.hpp"
#include "service/rig.hpp"
#include "tacit/service/service.hpp"

namespace tacit::model {
namespace {

/// The same for every play of a story.
class KeysOfStory final : public Keys {
 public:
  explicit KeysOfStory(std::uint64_t number) : ring_(KeyRing::fresh()) {
    auto draw = random::SimulationKey(number, "model", "ingress", 0).stream(random::Purpose::kTies);
    for (unsigned char& byte : ring_.ingress) byte = static_cast<unsigned char>(draw());
  }
  KeyRing read() override { return ring_; }
  void write(const KeyRing& ring) override { ring_ = ring; }

 private:
  KeyRing ring_;
};

class Player {
 public:
  Player(const Story& story, const Twin& twin)
      : story_(story),
        promise_(story),
        store_(twin.store()),
        keys_(story.number),
        releaser_(twin.releaser ? twin.releaser() : std::make_unique<SumsAsTheyAre>()),
        copies_(twin.copies) {
    start();
    copy();
    begin(0);
  }
  ~Player() { kill(); }
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  void play(const Step& step) {
    if (step.trial < story_.trials.size() && !promise_.begun(step.trial)) begin(step.trial);
    tick();
    if (of_a_trial(step.what) && !promise_.begun(step.trial)) return;
    switch (step.what) {
      case Do::kBegin: break;
      case Do::kAsk: ask(step); break;
      case Do::kActivate: activate(step); break;
      case Do::kAnswer: answer(step); break;
      case Do::kWait: wait(step.by); break;
      case Do::kSleep: wait(step.by); break;
      case Do::kRestart: restart(step.by); break;
      case Do::kLose:
        lose(step);
        store_->set_full(false);
        clock_.advance(kSecond);
        revive(step);
        break;
      case Do::kCrash:
        lose(step);
        restart_killed();
        break;
      case Do::kRotate:
        operate([](Engine& engine, Time now) { engine.rotate(now); });
        promise_.rotated(clock_.now());
        break;
      case Do::kBackUp: copy(); break;
      case Do::kPutBack: put_back(); break;
      default: tell(step); break;
    }
    check();
  }

  /// All that is under way comes out.
  void end() {
    for (std::size_t trial = 0; trial < story_.trials.size(); ++trial) {
      if (promise_.begun(trial)) tell({.what = Do::kStop, .trial = trial});
    }
    for (int i = 0; i < 100; ++i) {
      Time next = 0;
      look([&](Engine& engine) {
        for (const Experiment* each : engine.experiments()) {
          next = std::max(next, each->next_release());
        }
      });
      if (next == 0) break;
      wait(std::max(kSecond, next - clock_.now()));
    }
    promise_.ends();
    for (const auto& [of, row] : store_->kept().sealed) {
      if (row.slot.arm != kPages) throw Broken("of what was released something is kept");
    }
    check();
  }

 private:
  struct Event {
    std::string asked;
    std::string active;
  };

  // ---- the service

  void start() {
    store_->reopened();
    service_ = std::make_unique<Service>(
        Engine::Parts{
            .store = *store_,
            .keys = keys_,
            .releaser = *releaser_,
            .dice = [this](Id id) { return dice("dice", static_cast<std::uint64_t>(id)); },
            .coins = [this] { return dice("coins", starts_++); }},
        clock_,
        Service::Settings{.durability = story_.fast ? Durability::kFast : Durability::kStrict,
                          .log = [this](const Json& line) { heard(line); },
                          .on_release =
                              [this](const Engine&, const std::vector<ReleaseRow>& rows) {
                                rows_.insert(rows_.end(), rows.begin(), rows.end());
                              },
                          .own_thread = false});
  }
  random::Dice dice(const char* what, std::uint64_t n) const {
    return random::Dice(random::SimulationKey(story_.number, "model", what, n));
  }
  void heard(const Json& line) {
    if (line.at("event") == "rotated" && ticking_) promise_.rotated(clock_.now());
    if (line.at("event") == "error") throw std::logic_error(line.dump());
  }

  void tick() {
    ticking_ = true;
    service_->turn();
    ticking_ = false;
    std::vector<std::pair<std::size_t, Out>> released;
    for (const ReleaseRow& row : std::exchange(rows_, {})) {
      released.emplace_back(trial_of_.at(row.experiment), Out{.version = row.version,
                                                              .slot = row.slot,
                                                              .n = row.n,
                                                              .values = row.values,
                                                              .at = row.at});
    }
    promise_.ticked(clock_.now(), released);
  }

  void submit(Lane lane, Work work) {
    service_->submit(lane, std::move(work),
                     [this](Answer&& a) { answers_.push_back(std::move(a)); });
  }
  /// The answer.
  template <class Work>
  Answer operate(Work what, Lane lane = Lane::kOperate) {
    submit(lane, [&](Engine& engine, Time now) {
      what(engine, now);
      return Answer{};
    });
    service_->turn();
    Answer answer = std::move(answers_.back());
    answers_.clear();
    return answer;
  }
  template <class Look>
  void look(Look what) {
    operate([&](Engine& engine, Time) { what(engine); }, Lane::kRead);
  }

  /// As SIGKILL leaves it.
  void kill() {
    store_->set_full(true);
    operate([](Engine&, Time) {});
    service_.reset();
    store_->set_full(false);
  }
  void restart_killed() {
    kill();
    start();
    promise_.started(clock_.now(), true);
  }
  void restart(Time by) {
    service_.reset();
    promise_.rotated(clock_.now());
    clock_.advance(by);
    start();
    if (by < 0) {
      // What was seen before is over all the same. The program's clock goes on from there.
      clock_.advance(-by);
      look([&](Engine& engine) {
        need(engine.clock() == clock_.now(), "a start goes by a clock that is behind");
      });
    }
    promise_.started(clock_.now(), true);
  }
  void copy() {
    if (copies_) copy_.emplace(store_->kept(), promise_.kept());
  }
  void put_back() {
    if (!copy_) return;
    kill();
    store_->put_back(copy_->first);
    promise_.put_back(copy_->second);
    start();
    trial_of_.clear();
    std::erase_if(id_of_, [&](const auto& each) { return !promise_.begun(each.first); });
    for (const auto& [trial, id] : id_of_) trial_of_[id] = trial;
    promise_.started(clock_.now(), true);
  }
  void revive(const Step& step) {
    // What it does first is to read the store again, and what was ordered.
    const Time now = clock_.now() / kSecond * kSecond;
    promise_.started(now, false);
    if (ordered_) promise_.told({.what = step.order, .trial = step.trial}, true, now);
    tick();
  }
  void wait(Time by) {
    clock_.advance(by);
    tick();
  }

  // ---- what is asked for

  void begin(std::size_t trial) {
    Id id = 0;
    const bool members = story_.trials[trial].cap > 0;
    const std::string population = members ? "members" : "people";
    operate([&](Engine& engine, Time now) {
      for (const auto& each : engine.populations()) {
        if (each.row.name == population) return;
      }
      engine.create_population(population, members ? story_.members : story_.people, members,
                               "model", now);
    });
    const Answer answer = operate([&](Engine& engine, Time now) {
      id = engine.create(spec_of(story_.trials[trial].spec(trial)), "model", now);
    });
    if (answer.status == 422) throw std::logic_error(answer.body);
    promise_.begins(trial, clock_.now(), answer.status < 400);
    if (id > 0) id_of_[trial] = id, trial_of_[id] = trial;
  }

  Seen seen(const std::string& token) const {
    const auto event = service_->directory()->tokens.read(token);
    if (!event) throw Broken("an event is none");
    Seen seen{.token = token,
              .arms = event->arms,
              .deadline = event->deadline,
              .recorded = event->recorded,
              .deferred = event->deferred,
              .fallback = event->fallback};
    for (const Place& place : event->places) seen.places.emplace_back(place.slot, place.place);
    return seen;
  }

  struct Asked {
    std::string token;
    bool in_vain = false;  // answered without the store
  };

  std::vector<Asked> decisions_of(const Step& step) {
    DecideRequest request{.experiment = id_of_.at(step.trial),
                          .unit = std::nullopt,
                          .eligible = {},
                          .defer = step.defer,
                          .record = step.record};
    if (step.only >= 0) request.eligible.push_back(step.only);
    if (step.unit > 0)
      request.unit = service_->directory()->unit(fmt::format("unit {}", step.unit));
    constexpr int kInVain = 203;
    std::vector<Asked> all;
    for (int i = 0; i < step.count; ++i) {
      service_->submit_decision(
          [request](Engine& engine, Time now) {
            return Answer{.body = engine.decide(request, now).event};
          },
          [request](Engine& engine, Time now) {
            return Answer{.status = kInVain,
                          .body = engine.decide_without_store(request, now).event};
          },
          [&](Answer&& answer) {
            // 422: of the arms that are left there is none. The period has begun all the same.
            if (answer.status < 400) {
              return all.push_back({std::move(answer.body), answer.status == kInVain});
            }
            promise_.asked_in_vain(step, std::nullopt, clock_.now());
          });
    }
    service_->turn();
    return all;
  }

  void ask(const Step& step) {
    std::vector<Event>& events = events_[step.id];
    for (const Asked& each : decisions_of(step)) {
      promise_.asked(step, seen(each.token), clock_.now());
      events.push_back({each.token, each.token});
    }
  }

  void lose(const Step& step) {
    const Promise::Kept before = promise_.kept();
    store_->set_full(true);
    std::vector<Event>& events = events_[step.id];
    for (const Asked& each : decisions_of(step)) {
      // With `fast` it is answered before it is written, unless it begins a period of its users.
      if (each.in_vain) {
        promise_.asked_in_vain(step, seen(each.token), clock_.now());
      } else {
        promise_.asked(step, seen(each.token), clock_.now());
      }
      events.push_back({each.token, each.token});
    }
    promise_.put_back(before);
    order(step);
  }

  /// Holds at once, and is kept when there is a store again; not if the program ends before.
  void order(const Step& step) {
    ordered_ = false;
    if (step.order == Do::kAsk) return;
    const ExperimentState to = step.order == Do::kStop    ? ExperimentState::kStopped
                               : step.order == Do::kPause ? ExperimentState::kPaused
                                                          : ExperimentState::kRunning;
    service_->submit(
        Lane::kOperate, [](Engine&, Time) { return Answer{.status = 500}; },
        [this, to, id = id_of_.at(step.trial)](Engine& engine, Time) {
          engine.order(id, to, "", "model");
          ordered_ = true;
          return Answer{};
        },
        [](Answer&&) {});
    service_->turn();
    const std::vector<Asked> asked = decisions_of({.trial = step.trial});
    const bool stopped = promise_.over(step.trial) || step.order == Do::kStop;
    need(asked.size() == 1 && seen(asked[0].token).fallback == stopped,
         "what was ordered while the disk was full does not hold");
  }

  template <class What>
  void with_those(const Step& step, What what) {
    const auto found = events_.find(step.of);
    if (found == events_.end()) return;
    std::vector<Event>& events = found->second;
    const std::size_t from = std::min(events.size(), static_cast<std::size_t>(step.from));
    const std::size_t to = std::min(events.size(), from + static_cast<std::size_t>(step.number));
    for (std::size_t i = from; i < to; ++i) what(events[i]);
  }

  void activate(const Step& step) {
    with_those(step, [&](Event& event) {
      const auto deferred = service_->directory()->tokens.read(event.asked);
      std::string token;
      operate([&](Engine& engine, Time now) { token = engine.activate(*deferred, now); },
              Lane::kDecide);
      event.active = token;
      const auto trial = trial_of_.find(deferred->experiment);
      if (trial != trial_of_.end()) {
        promise_.activated(trial->second, event.asked, seen(token), clock_.now());
      } else {
        need(token == event.asked || !seen(token).recorded,
             "an activation is recorded of an experiment that there is not");
        of_nothing_.insert(token);
      }
    });
  }

  void answer(const Step& step) {
    std::set<std::string> tokens;
    const Time clock = store_->kept().clock;
    const int sealed = store_->sealed_ever();
    with_those(step, [&](const Event& which) {
      const std::string& token = step.deferred ? which.asked : which.active;
      const auto event = service_->directory()->tokens.read(token);
      // Of an experiment that is lost there may be another one of its number by now, which wants other reports.
      const bool known = promise_.knows(token);
      submit(Lane::kReport, [=](Engine& engine, Time now) {
        try {
          say(engine, *event, step.quarters, now);
        } catch (const Problem&) {
          if (known) throw;
        }
        return Answer{.status = 202};
      });
      tokens.insert(token);
      promise_.answered(token, step.quarters, clock_.now());
    });
    service_->turn();
    for (const Answer& each : answers_) {
      if (each.status != 202) throw Broken("a report is refused");
    }
    answers_.clear();
    if (store_->kept().clock != clock) throw Broken("a report moves the clock that is kept");
    const int expected = promise_.to_be_sealed(tokens);
    const bool strange = std::ranges::any_of(
        tokens, [&](const std::string& token) { return of_nothing_.contains(token); });
    if (const int more = store_->sealed_ever() - sealed;
        !any_local() && !strange && more != expected) {
      throw Broken(
          fmt::format("what is sealed with a report tells what became of it: {} rows, and not {}",
                      more, expected));
    }
  }
  bool any_local() const {
    return std::any_of(story_.trials.begin(), story_.trials.end(),
                       [](const Trial& trial) { return trial.policy == "ldp-ucb-bits"; });
  }
  static void say(Engine& engine, const service::Event& event, int quarters, Time now) {
    const Experiment* const experiment = [&]() -> const Experiment* {
      try {
        return &engine.at(event.experiment);
      } catch (const Problem&) {
        return nullptr;
      }
    }();
    if (experiment != nullptr && experiment->local()) {
      const double bit = quarters > 1 ? 1 : 0;
      if (!event.fallback) engine.take(event, std::span(&bit, 1), now);
      return;
    }
    const std::size_t entries = experiment != nullptr && experiment->all_arms()
                                    ? static_cast<std::size_t>(experiment->arms())
                                    : event.places.size();
    std::vector<double> outcomes;
    for (std::size_t i = 0; i < entries; ++i) {
      outcomes.push_back(0.25 * quarters_of(quarters, static_cast<int>(i)));
    }
    engine.report(event, secret(outcomes), now);
  }

  // ---- operators

  static bool of_a_trial(Do what) {
    return what == Do::kAsk || what == Do::kLose || what == Do::kCrash || what >= Do::kPause;
  }

  void tell(const Step& step) {
    const Id id = id_of_.at(step.trial);
    bool reloads = false;
    const Answer answer = operate([&](Engine& engine, Time now) {
      switch (step.what) {
        case Do::kPause: return engine.pause(id, true, "model", now);
        case Do::kGoOn: return engine.pause(id, false, "model", now);
        case Do::kStop: return engine.stop(id, "", "model", now);
        case Do::kArchive: return engine.archive(id, "model", now);
        case Do::kHoldout: return engine.change(id, {{"holdout", step.share}}, "model", now);
        case Do::kFloor: return engine.change(id, {{"floor", step.share}}, "model", now);
        case Do::kMaxAge:
          return engine.change(id, {{"phase_max_age", in_seconds(step.by)}}, "model", now);
        case Do::kSticky:
          return engine.change(id, {{"sticky_for", in_seconds(step.by)}}, "model", now);
        case Do::kAddArm:
          engine.add_arm(id,
                         {.name = fmt::format("arm{}", promise_.arms(step.trial)), .value = "1"},
                         "model", now);
          reloads = true;
          return;
        case Do::kRetire: {
          const auto& arms = engine.at(id).spec().arms;
          auto last = arms.size();
          while (last > 0 && arms[last - 1].retired) --last;
          if (last > 0) engine.retire_arm(id, arms[last - 1].name, "model", now);
          return;
        }
        default: return;
      }
    });
    promise_.told(step, answer.status < 400, clock_.now());
    if (reloads) promise_.started(clock_.now(), false);
  }
  static double in_seconds(Time t) { return static_cast<double>(t) / kSecond; }

  // ---- what is shown

  void check() {
    look([&](Engine& engine) {
      for (const auto& [trial, id] : id_of_) {
        if (!promise_.begun(trial)) continue;
        const Experiment& e = engine.at(id);
        promise_.shows(trial, e.progress().recorded, e.running(), e.stopped());
        if (!e.local()) continue;
        std::vector<Round> reports;
        for (const live::ArmView& arm : e.views(0.95)) {
          reports.push_back(static_cast<Round>(arm.n));
        }
        promise_.shows_reports(trial, reports);
      }
      for (const auto& population : engine.populations()) {
        promise_.shows_spent(population.row.user_level, population.spent);
      }
    });
  }

  const Story& story_;
  Promise promise_;
  std::unique_ptr<StoreInMemory> store_;
  KeysOfStory keys_;
  std::unique_ptr<Releaser> releaser_;
  bool copies_;
  bool ordered_ = false;
  ClockOfTest clock_;
  std::unique_ptr<Service> service_;
  std::uint64_t starts_ = 0;
  bool ticking_ = false;
  std::vector<ReleaseRow> rows_;
  std::vector<Answer> answers_;
  std::map<std::size_t, Id> id_of_;
  std::map<Id, std::size_t> trial_of_;
  std::map<int, std::vector<Event>> events_;
  std::set<std::string> of_nothing_;  // events of experiments that there were not
  std::optional<std::pair<StoreInMemory::Kept, Promise::Kept>> copy_;
};

}  // namespace

std::string complaint_of(const Story& story, const Twin& twin) {
  std::size_t step = 0;
  try {
    Player player(story, twin);
    for (; step < story.steps.size(); ++step) player.play(story.steps[step]);
    player.end();
  } catch (const std::exception& error) {
    return step < story.steps.size() ? fmt::format("step {}: {}", step + 1, error.what())
                                     : fmt::format("at the end: {}", error.what());
  }
  return "";
}

std::string first_that_fails(std::uint64_t from, std::uint64_t stories, const Twin& twin) {
  for (std::uint64_t number = from; number < from + stories; ++number) {
    const Story story = random_story(number);
    if (complaint_of(story, twin).empty()) continue;
    const Story small = shrunk<Story>(
        story, [&](const Story& other) { return !complaint_of(other, twin).empty(); });
    return text_of(small) + complaint_of(small, twin);
  }
  return "";
}

}  // namespace tacit::model
