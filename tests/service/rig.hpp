// An engine with a real store in a folder of its own, and a clock, coins and noise that a test sets: everything that the
// service's answers are a function of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "service/sums_as_they_are.hpp"
#include "tacit/curators/one_slot.hpp"
#include "tacit/privacy/published.hpp"
#include "tacit/service/engine.hpp"
#include "tacit/service/folder_test.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/problem.hpp"
#include "tacit/service/service.hpp"

namespace tacit::service {

class ClockOfTest final : public Clock {
 public:
  Time now() override { return now_; }
  void advance(Time by) { now_ += by; }
  void set(Time now) { now_ = now; }

 private:
  Time now_ = 1'800'000'000'000;
};

/// Noise of a simulated run: a function of the slot.
class SimulatedReleaser final : public Releaser {
 public:
  explicit SimulatedReleaser(const random::SimulationKey& key) : key_(key) {}
  curators::ReleasedSlot release(Id, const curators::Plan& plan, int arms, Slot slot, Round n,
                                 const privacy::SecretVector<Sum>& total) override {
    return *curators::release_one_slot(
        plan, arms, slot, n, total,
        accounting::Releases(privacy::SimulatedNoise(key_, privacy::Arithmetic::kExact)));
  }

 private:
  random::SimulationKey key_;
};

/// Numbers that no outcome has moved: they depend on the slot and its size alone.
class InjectedReleaser final : public Releaser {
 public:
  curators::ReleasedSlot release(Id experiment, const curators::Plan& plan, int arms, Slot slot,
                                 Round n, const privacy::SecretVector<Sum>& total) override {
    auto draw = random::SimulationKey(5, "injected", "", static_cast<std::uint64_t>(experiment))
                    .at(random::Purpose::kNoise, static_cast<std::uint64_t>(slot.arm + 8),
                        static_cast<std::uint64_t>(slot.phase));
    const bool leader = std::holds_alternative<curators::NoisyLeaderPlan>(plan);
    curators::ReleasedSlot released;
    for (std::size_t i = 0; i < (leader ? 1 : total.size()); ++i) {
      const double u = random::uniform_open(draw);
      released.values.push_back(
          privacy::Published::again(leader ? std::floor(u * arms) : u * static_cast<double>(n)));
    }
    return released;
  }
};

inline std::vector<privacy::Secret<Sum>> secret(std::span<const double> outcomes) {
  std::vector<privacy::Secret<Sum>> all;
  for (const double x : outcomes) all.emplace_back(Sum(Outcome::nearest(x)));
  return all;
}
inline std::vector<privacy::Secret<Sum>> secret(double outcome) {
  return secret(std::span(&outcome, 1));
}

/// Three arms, epsilon 1, in population "people", which can pay for a hundred.
inline Json small_spec(const std::string& name = "shop") {
  return {{"name", name}, {"population", "people"}, {"policy", "anytime-lazy-ucb"},
          {"epsilon", 1}, {"wait", "10s"},          {"arms", {"a", "b", "c"}}};
}

class Rig {
 public:
  explicit Rig(Releaser& releaser, std::optional<random::SimulationKey> dice = {})
      : releaser_(releaser), dice_(dice) {
    start();
  }

  void start() {
    store_ = std::make_unique<SqliteStore>(folder.file("store.db"));
    engine_ = std::make_unique<Engine>(parts(), clock.now());
  }
  /// As a crash leaves it: what is not committed is gone.
  void crash() {
    store_->roll_back();
    engine_.reset();
    store_.reset();
  }
  void restart() {
    crash();
    start();
  }

  Engine::Parts parts() {
    return {.store = *store_, .keys = keys, .releaser = releaser_, .dice = [this](Id id) {
              return random::Dice(
                  dice_ ? *dice_
                        : random::SimulationKey(11, "dice", "rig", static_cast<std::uint64_t>(id)));
            }};
  }
  Engine& engine() { return *engine_; }
  SqliteStore& store() { return *store_; }

  void commit() {
    store_->begin();
    engine_->write();
    store_->commit();
    const auto released = engine_->publish();
    EXPECT_TRUE(released.empty());
  }
  std::vector<ReleaseRow> tick() {
    store_->begin();
    engine_->tick(clock.now());
    engine_->write();
    store_->commit();
    return engine_->publish();
  }
  /// Until everything that is full is out.
  std::vector<ReleaseRow> release_all() {
    std::vector<ReleaseRow> all;
    for (int i = 0; i < 100; ++i) {
      Time next = 0;
      for (const Experiment* each : engine_->experiments()) {
        next = std::max(next, each->next_release());
      }
      if (next == 0) break;
      clock.set(std::max(clock.now(), next));
      const auto some = tick();
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

  Id population(const std::string& name = "people", double epsilon = 100, bool user_level = false) {
    const Id id = engine_->create_population(name, epsilon, user_level, "test", clock.now());
    commit();
    return id;
  }
  Id create(const Json& spec) {
    const Id id = engine_->create(spec_of(spec), "test", clock.now());
    commit();
    return id;
  }
  Decision decide(Id experiment) {
    return engine_->decide({.experiment = experiment, .unit = {}, .eligible = {}}, clock.now());
  }
  Decision decide(Id experiment, const std::string& unit) {
    return engine_->decide(
        {.experiment = experiment, .unit = engine_->directory()->unit(unit), .eligible = {}},
        clock.now());
  }
  Event event(const Decision& decision) {
    return *engine_->directory()->tokens.read(decision.event);
  }
  void report(const Decision& decision, double outcome) {
    engine_->report(event(decision), secret(outcome), clock.now());
  }
  const Experiment& experiment(Id id) { return engine_->at(id); }

  Folder folder;
  ClockOfTest clock;
  KeysInMemory keys;

 private:
  Releaser& releaser_;
  std::optional<random::SimulationKey> dice_;
  std::unique_ptr<SqliteStore> store_;
  std::unique_ptr<Engine> engine_;
};

/// 0: it is accepted.
inline int status_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Problem& problem) {
    return problem.status();
  }
  return 0;
}

inline std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Problem& problem) {
    return problem.what();
  }
  return "accepted";
}

/// Decides until n slots were filled in all, with every outcome 1, and returns what comes out.
inline std::vector<ReleaseRow> play(Rig& rig, Id id, int decisions) {
  for (int i = 0; i < decisions; ++i) rig.report(rig.decide(id), 1);
  rig.commit();
  return rig.release_all();
}

/// Plays what happens after a copy was made, and puts that back.
inline void restore_what_was_before(Rig& rig, const std::function<void()>& happens) {
  rig.crash();
  std::filesystem::copy_file(rig.folder.file("store.db"), rig.folder.file("backup.db"));
  rig.start();
  happens();
  rig.crash();
  std::filesystem::copy_file(rig.folder.file("backup.db"), rig.folder.file("store.db"),
                             std::filesystem::copy_options::overwrite_existing);
  rig.start();
}

}  // namespace tacit::service
