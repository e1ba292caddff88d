#include "tacit/service/service.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service {
namespace {

Time milliseconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return now.tv_sec * kSecond + now.tv_nsec / 1000000;
}

Answer unavailable(const char* why) { return answer_of(Problem(503, "", why, 1)); }

constexpr const char* kStoreAway =
    "the store cannot be written now: nothing was kept of this; send it again in a second";
constexpr const char* kStopping = "the service is stopping: send it again in some seconds";

}  // namespace

// The monotonic clock goes on while a machine sleeps, so that deadlines are those of the world.
SteadyClock::SteadyClock()
    : started_(milliseconds(CLOCK_BOOTTIME)), wall_(milliseconds(CLOCK_REALTIME)) {}

void SteadyClock::not_before(Time seen) { wall_ += std::max<Time>(0, seen - now()); }

Time SteadyClock::now() { return wall_ + (milliseconds(CLOCK_BOOTTIME) - started_); }

Time SteadyClock::jumped() {
  const Time gap = milliseconds(CLOCK_REALTIME) - now();
  const Time moved = gap - last_gap_;
  if (moved < kMinute && moved > -kMinute) return 0;
  last_gap_ = gap;
  return moved;
}

Service::Service(const Engine::Parts& parts, Clock& clock, Settings settings)
    : parts_(parts), clock_(clock), settings_(std::move(settings)) {
  engine_ = std::make_unique<Engine>(parts_, clock_.now());
  last_tick_ = engine_->clock() / settings_.tick * settings_.tick;
  directory_ = engine_->directory();
  seen_changes_ = parts_.store.changes_by_others();
  log_notes();
  if (settings_.own_thread) thread_ = std::thread([this] { run(); });
}

Service::~Service() {
  {
    const std::lock_guard lock(mutex_);
    draining_ = stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
  turn();
  if (!store_is_up()) return;
  try {
    if (engine_->anything_due(clock_.now())) commit();
    parts_.store.tidy();
  } catch (const std::exception& error) {
    settings_.log({{"event", "store"}, {"state", "lost at the end"}, {"why", error.what()}});
  }
}

// ---- from any thread

void Service::submit(Lane lane, Work work, Done done) {
  {
    const std::lock_guard lock(mutex_);
    if (!draining_) {
      queue_.push_back({lane, std::move(work), {}, std::move(done)});
      if (queue_.size() == 1) wake_.notify_one();
      return;
    }
  }
  done(unavailable(kStopping));
}

void Service::submit_decision(Work work, Work without_store, Done done) {
  {
    const std::lock_guard lock(mutex_);
    if (!draining_) {
      queue_.push_back({Lane::kDecide, std::move(work), std::move(without_store), std::move(done)});
      if (queue_.size() == 1) wake_.notify_one();
      return;
    }
  }
  done(unavailable(kStopping));
}

std::shared_ptr<const Directory> Service::directory() const {
  const std::lock_guard lock(mutex_);
  return directory_;
}

void Service::drain() {
  const std::lock_guard lock(mutex_);
  draining_ = true;
}

bool Service::draining() const {
  const std::lock_guard lock(mutex_);
  return draining_;
}

void Service::rotate(Done done) {
  submit(
      Lane::kOperate,
      [](Engine& engine, Time now) {
        engine.rotate(now);
        return Answer{.body = "{}"};
      },
      std::move(done));
}

// ---- the service's thread

void Service::run() {
  std::vector<Job> jobs;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      const Time rest = std::max<Time>(0, last_tick_ + settings_.tick - clock_.now());
      wake_.wait_for(lock, std::chrono::milliseconds(rest),
                     [this] { return stopping_ || !queue_.empty(); });
      jobs.swap(queue_);
      if (jobs.empty() && stopping_) return;
    }
    const Time now = clock_.now();
    tick(now);  // first: whoever is answered at this time has seen what was released by then
    if (!jobs.empty()) batch(jobs, now);
    jobs.clear();
  }
}

void Service::turn() {
  std::vector<Job> jobs;
  {
    const std::lock_guard lock(mutex_);
    jobs.swap(queue_);
  }
  const Time now = clock_.now();
  tick(now);
  if (!jobs.empty()) batch(jobs, now);
}

Answer Service::answer_to(const Work& work, Lane lane, Time now) {
  try {
    return work(*engine_, now);
  } catch (const StoreFailed&) {
    throw;
  } catch (const Problem& problem) {
    return answer_of(problem);
  } catch (const InvalidParameter& refused) {
    return answer_of(Problem(422, refused.parameter(), refused.what()));
  } catch (const std::exception& error) {
    // Of a report the log says nothing: what becomes of it depends on what it says.
    if (lane != Lane::kReport) settings_.log({{"event", "error"}, {"why", error.what()}});
    return answer_of(Problem(500, "", "something went wrong here"));
  }
}

/// Whether something must be durable before the rest is answered.
bool Service::run_all(std::vector<Job>& jobs, std::vector<Answered>& answered, Time now) {
  bool must_commit = false;
  for (Job& job : jobs) {
    Answer answer = answer_to(job.work, job.lane, now);
    // Until it is read again an experiment with an arm more has a learner that does not know of it.
    if (engine_->reload_wanted()) commit();
    must_commit = must_commit || job.lane != Lane::kRead;
    if (job.lane == Lane::kDecide && settings_.durability == Durability::kFast) {
      // Written right after that all the same: if a report did it, what a crash leaves of decisions would tell that one came.
      std::exchange(job.done, nullptr)(std::move(answer));
      continue;
    }
    answered.push_back({&job, std::move(answer)});
  }
  return must_commit;
}

void Service::batch(std::vector<Job>& jobs, Time now) {
  if (!store_is_up()) {
    batch_without_store(jobs, now);
    return;
  }
  std::vector<Answered> answered;
  answered.reserve(jobs.size());
  try {
    if (run_all(jobs, answered, now)) commit();
  } catch (const std::exception& error) {
    lose_store(error.what());
    batch_without_store(jobs, now);  // what was worked out above has not happened
    return;
  }
  for (Answered& each : answered) each.job->done(std::move(each.answer));
  settings_.failpoint("answered");
}

void Service::batch_without_store(std::vector<Job>& jobs, Time now) {
  for (Job& job : jobs) {
    if (!job.done) continue;
    // What may be read is what was released so far.
    const Work& work = job.lane == Lane::kRead ? job.work : job.without_store;
    if (work) {
      try {
        job.done(answer_to(work, job.lane, now));
        continue;
      } catch (const StoreFailed&) {
      }
    }
    job.done(unavailable(kStoreAway));
  }
}

void Service::commit() {
  parts_.store.begin();
  engine_->write();
  settings_.failpoint("written");
  parts_.store.commit();
  settings_.failpoint("committed");
  after_commit(engine_->publish());
}

void Service::after_commit(const std::vector<ReleaseRow>& released) {
  if (engine_->reload_wanted()) {
    const Time at = engine_->clock();
    engine_ = std::make_unique<Engine>(parts_, at);
    log_notes();
  }
  for (const ReleaseRow& row : released) {
    const Experiment& experiment = engine_->at(row.experiment);
    const auto& arms = experiment.spec().arms;
    settings_.log({{"event", "release"},
                   {"experiment", experiment.row().name},
                   {"arm", row.slot.arm == kHoldout ? "holdout"
                           : row.slot.arm < 0       ? "all"
                                              : arms[static_cast<std::size_t>(row.slot.arm)].name},
                   {"phase", row.slot.phase},
                   {"n", row.n},
                   {"version", row.version}});
  }
  std::shared_ptr<const Directory> next = engine_->directory();
  bool changed = false;
  {
    const std::lock_guard lock(mutex_);
    changed = next != directory_;
    directory_ = next;
  }
  if (!released.empty()) settings_.on_release(*engine_, released);
  if (changed) settings_.on_change(*next);
}

Time Service::first_tick_from(Time at) const {
  return (at + settings_.tick - 1) / settings_.tick * settings_.tick;
}

void Service::tick(Time now) {
  const Time current = now / settings_.tick * settings_.tick;
  if (current <= last_tick_) return;
  const Time last = std::exchange(last_tick_, current);
  if (!store_is_up()) revive(now);
  if (!store_is_up()) return;
  try {
    // Each release at its own tick, also where a long batch has kept several waiting.
    for (Time at = last + settings_.tick; engine_->next_due() <= current; at += settings_.tick) {
      at = std::max(at, first_tick_from(engine_->next_due()));
      if (at > current) break;
      release(at);
    }
    if (engine_->anything_due(current)) release(current);
    if (now - engine_->rotated() >= settings_.rotate_every) {
      engine_->rotate(now);
      settings_.log({{"event", "rotated"}});
    }
    if (const std::int64_t changes = parts_.store.changes_by_others(); changes != seen_changes_) {
      seen_changes_ = changes;
      engine_->reread_keys();
      after_commit({});
    }
  } catch (const std::exception& error) {
    lose_store(error.what());
  }
}

void Service::release(Time at) {
  parts_.store.begin();
  engine_->tick(at);
  engine_->write();
  settings_.failpoint("drawn");
  parts_.store.commit();
  settings_.failpoint("released");
  after_commit(engine_->publish());
  settings_.failpoint("published");
}

void Service::lose_store(const std::string& why) {
  parts_.store.roll_back();
  store_up_ = false;
  why_away_ = why;
  settings_.log({{"event", "store"}, {"state", "away"}, {"why", why}});
}

void Service::revive(Time now) {
  try {
    auto engine = std::make_unique<Engine>(parts_, std::max(now, engine_->clock()));
    engine_ = std::move(engine);
  } catch (const std::exception& error) {
    // Also for a key file that somebody has taken away: it may be put back.
    parts_.store.roll_back();
    if (error.what() != why_away_) lose_store(error.what());
    return;
  }
  store_up_ = true;
  settings_.log({{"event", "store"}, {"state", "back"}});
  log_notes();
  after_commit({});
}

void Service::log_notes() {
  for (const std::string& note : engine_->notes()) {
    settings_.log({{"event", "note"}, {"what", note}});
  }
}

}  // namespace tacit::service
