#include "tacit/service/service.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service {
namespace {

constexpr int kManyReleases = 1000000;  // more than there are between two ticks

Answer unavailable(const char* why) { return answer_of(Problem(503, "", why, 1)); }

Answer answer_by(const std::function<Answer()>& rest) {
  try {
    return rest();
  } catch (const std::exception&) {
    return answer_of(Problem(500, "", "something went wrong here"));
  }
}

constexpr const char* kStoreAway =
    "the store cannot be written now: nothing was kept of this; send it again in a second";
constexpr const char* kStopping = "the service is stopping: send it again in some seconds";

}  // namespace

Service::Service(const Engine::Parts& parts, Clock& clock, Settings settings)
    : parts_(parts), clock_(clock), settings_(std::move(settings)), aside_(settings_.own_thread) {
  engine_ = std::make_unique<Engine>(parts_, clock_.now());
  last_tick_ = engine_->clock() / settings_.tick * settings_.tick;
  // The hour of a key goes by the clock that nobody sets. How much of it went by before this start is known where the wall's clock
  // tells; else it is over.
  const Time age = clock_.is_ahead() ? settings_.rotate_every
                                     : std::max<Time>(0, clock_.now() - engine_->rotated());
  rotated_ = clock_.elapsed() - age;
  directory_ = engine_->directory();
  seen_changes_ = parts_.store.changes_by_others();
  log_notes();
  settings_.on_change(*directory_);
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
  // The last chance of what was ordered while the store was away.
  if (!store_is_up() && !engine_->orders().empty()) revive(clock_.now());
  if (!store_is_up()) {
    for (const Engine::Order& order : engine_->orders()) {
      settings_.log({{"event", "note"},
                     {"what", order.in_words() + ": is lost, since it never was written"}});
    }
    return;
  }
  try {
    Waiting nobody;
    if (engine_->anything_due(clock_.now())) commit(nobody);
    // While it is down no hour ends: what was released is to be as unreadable as if it went on.
    engine_->rotate(clock_.now());
  } catch (const std::exception& error) {
    settings_.log({{"event", "store"}, {"state", "lost at the end"}, {"why", error.what()}});
  }
}

// ---- from any thread

void Service::submit(Lane lane, Work work, Done done) {
  submit(lane, std::move(work), nullptr, std::move(done));
}

void Service::submit(Lane lane, Work work, Work without_store, Done done) {
  {
    const std::lock_guard lock(mutex_);
    if (!draining_) {
      queue_.push_back({lane, std::move(work), std::move(without_store), std::move(done)});
      if (queue_.size() == 1) wake_.notify_one();
      return;
    }
  }
  done(unavailable(kStopping));
}

void Service::submit_look(Look look, Done done) {
  const auto rest = std::make_shared<std::function<Answer()>>();
  submit(
      Lane::kRead,
      [look = std::move(look), rest](Engine& engine, Time now) {
        *rest = look(engine, now);
        return Answer{};
      },
      [this, rest, done = std::move(done)](Answer&& answer) mutable {
        if (!*rest) return done(std::move(answer));  // it was refused
        aside_.run([rest = std::move(*rest), done] { done(answer_by(rest)); });
      });
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

void Service::rotate(const std::string& by, Done done) {
  submit(
      Lane::kOperate,
      [this, by](Engine& engine, Time now) {
        engine.rotate(now, by);
        rotated_ = clock_.elapsed();
        settings_.log({{"event", "rotated"}});
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
      jobs = take_jobs();
      if (jobs.empty() && stopping_) return;
    }
    const Time now = clock_.now();
    tick(now);  // first: whoever is answered at this time has seen what was released by then
    if (!jobs.empty()) batch(jobs, now);
    jobs.clear();
  }
}

/// Who reads much waits behind those who decide, and for the clock.
std::vector<Service::Job> Service::take_jobs() {
  constexpr std::ptrdiff_t kReadsAtOnce = 16;
  const auto reads = [](const Job& job) { return job.lane == Lane::kRead; };
  if (std::count_if(queue_.begin(), queue_.end(), reads) <= kReadsAtOnce) {
    return std::exchange(queue_, {});
  }
  std::vector<Job> taken;
  std::vector<Job> left;
  std::ptrdiff_t read = 0;
  for (Job& job : queue_) {
    (reads(job) && ++read > kReadsAtOnce ? left : taken).push_back(std::move(job));
  }
  queue_ = std::move(left);
  return taken;
}

void Service::turn() {
  const auto waiting = [this] {
    const std::lock_guard lock(mutex_);
    return queue_.size();
  };
  std::size_t left = waiting();
  do {
    std::vector<Job> jobs;
    {
      const std::lock_guard lock(mutex_);
      jobs = take_jobs();
    }
    left -= std::min(left, jobs.size());
    const Time now = clock_.now();
    tick(now);
    if (!jobs.empty()) batch(jobs, now);
  } while (left > 0);
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

void Service::Waiting::add(Job& job, Answer&& answer) {
  bytes += answer.body.size();
  answered.push_back({&job, std::move(answer)});
}

void Service::Waiting::deliver() {
  for (Answered& each : answered) {
    std::exchange(each.job->done, nullptr)(std::move(each.answer));
  }
  answered.clear();
  bytes = 0;
  must_commit = false;
}

void Service::run_all(std::vector<Job>& jobs, Waiting& waiting, Time now) {
  constexpr std::size_t kMostWaiting = std::size_t{16} << 20U;
  for (Job& job : jobs) {
    if (job.lane == Lane::kOperate && !standing_) standing_ = engine_->standing();
    Answer answer = answer_to(job.work, job.lane, now);
    // What was read before anything was changed is as durable as it will be.
    const bool is_durable = job.lane == Lane::kRead && !waiting.must_commit;
    waiting.must_commit = waiting.must_commit || job.lane != Lane::kRead;
    const bool is_fast = job.lane == Lane::kDecide && settings_.durability == Durability::kFast &&
                         !engine_->has_budget_news();  // which stands in the log first
    if (is_durable || is_fast) {
      // Written right after that all the same: if a report did it, what a crash leaves of decisions would tell that one came.
      std::exchange(job.done, nullptr)(std::move(answer));
      continue;
    }
    waiting.add(job, std::move(answer));
    if (engine_->take_committed()) show(waiting, {});
    // Until it is read again an experiment with an arm more has a learner that does not know of it.
    if (engine_->reload_wanted() || waiting.bytes > kMostWaiting) commit(waiting);
  }
  if (waiting.must_commit) commit(waiting);
  waiting.deliver();
}

void Service::batch(std::vector<Job>& jobs, Time now) {
  if (!store_is_up()) {
    batch_without_store(jobs, now);
    return;
  }
  Waiting waiting;
  waiting.answered.reserve(jobs.size());
  try {
    run_all(jobs, waiting, now);
  } catch (const std::exception& error) {
    if (engine_->take_committed()) {
      waiting.deliver();
      standing_.reset();
    }
    lose_store(error.what());
    // Whoever asked for a change is told that nothing was kept of it.
    if (standing_) engine_->take_back(*std::exchange(standing_, {}));
    batch_without_store(jobs, now);  // what was worked out above for them has not happened
    return;
  }
  settings_.failpoint("answered");
}

void Service::batch_without_store(std::vector<Job>& jobs, Time now) {
  for (Job& job : jobs) {
    if (!job.done) continue;
    // What may be read is what was released so far.
    const Work& work = job.lane == Lane::kRead ? job.work : job.without_store;
    if (work) {
      try {
        const std::size_t ordered = engine_->orders().size();
        Answer answer = answer_to(work, job.lane, now);
        for (std::size_t i = ordered; i < engine_->orders().size(); ++i) {
          settings_.log({{"event", "note"},
                         {"what", engine_->orders()[i].in_words() + ": not yet on the disk"}});
        }
        if (job.lane == Lane::kOperate) show_directory();
        job.done(std::move(answer));
        continue;
      } catch (const StoreFailed&) {
      }
    }
    job.done(unavailable(kStoreAway));
  }
}

void Service::commit(Waiting& waiting) {
  parts_.store.begin();
  engine_->write();
  settings_.failpoint("written");
  parts_.store.commit();
  standing_.reset();
  settings_.failpoint("committed");
  try {
    show(waiting, engine_->publish());
  } catch (...) {
    waiting.deliver();  // it is kept, whatever the key file says
    throw;
  }
}

void Service::show(Waiting& waiting, const std::vector<ReleaseRow>& released) {
  standing_.reset();
  after_commit(released);
  waiting.deliver();
}

void Service::after_commit(const std::vector<ReleaseRow>& released) {
  if (engine_->reload_wanted()) {
    const Time at = engine_->clock();
    engine_ = std::make_unique<Engine>(parts_, at);
    log_notes();
  }
  log_budgets();
  for (const ReleaseRow& row : released) {
    const Experiment& experiment = engine_->at(row.experiment);
    settings_.log({{"event", "release"},
                   {"experiment", experiment.row().name},
                   {"arm", experiment.name_of(row.slot.arm)},
                   {"phase", row.slot.phase},
                   {"n", row.n},
                   {"version", row.version}});
  }
  if (!released.empty()) settings_.on_release(*engine_, released);
  show_directory();
}

void Service::show_directory() {
  std::shared_ptr<const Directory> next = engine_->directory();
  {
    const std::lock_guard lock(mutex_);
    if (next == directory_) return;
    directory_ = next;
  }
  settings_.on_change(*next);
}

Time Service::first_tick_from(Time at) const {
  return (at + settings_.tick - 1) / settings_.tick * settings_.tick;
}

void Service::tick(Time now) {
  const Time current = now / settings_.tick * settings_.tick;
  if (current <= last_tick_) return;
  const Time last = std::exchange(last_tick_, current);
  if (!store_is_up()) revive(current);
  if (!store_is_up()) return;
  try {
    // Each release at its own tick, also where a long batch has kept several waiting.
    for (Time at = last + settings_.tick; engine_->next_due() <= current; at += settings_.tick) {
      at = std::max(at, first_tick_from(engine_->next_due()));
      if (at > current) break;
      release(at);
    }
    if (engine_->anything_due(current)) release(current);
    if (clock_.elapsed() - rotated_ >= settings_.rotate_every) {
      engine_->rotate(now);
      rotated_ = clock_.elapsed();
      engine_->take_committed();  // nobody's request: who asks next waits until his own is durable
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
  engine_->count_what_is_kept();
  store_up_ = false;
  why_away_ = why;
  settings_.log({{"event", "store"}, {"state", "away"}, {"why", why}});
}

void Service::revive(Time now) {
  // Drawn and durable, but not told: the key file did not know of it yet.
  std::vector<ReleaseRow> untold;
  try {
    auto engine = std::make_unique<Engine>(parts_, std::max(now, engine_->clock()));
    for (const Experiment* each : engine_->experiments()) {
      const auto more = parts_.store.releases(each->row().id, each->version(), kManyReleases);
      untold.insert(untold.end(), more.begin(), more.end());
    }
    // Before anything is decided that is recorded. They are the old engine's until they are durable.
    if (!engine_->orders().empty()) {
      engine->carry_out(engine_->orders(), now);
      parts_.store.begin();
      engine->write();
      parts_.store.commit();
    }
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
  after_commit(untold);
}

void Service::log_budgets() {
  for (const Engine::BudgetNews& news : engine_->take_budget_news()) {
    Json line{{"event", news.epsilon > 0 ? "debit" : "not recorded"}};
    for (const auto& each : engine_->populations()) {
      if (each.row.id == news.population) line["population"] = each.row.name;
    }
    if (news.experiment != 0) line["experiment"] = engine_->at(news.experiment).row().name;
    if (news.epsilon > 0) line["epsilon"] = news.epsilon;
    line["left"] = news.left;
    line[news.epsilon > 0 ? "reason" : "why"] = news.why;
    settings_.log(line);
  }
}

void Service::log_notes() {
  for (const std::string& note : engine_->notes()) {
    settings_.log({{"event", "note"}, {"what", note}});
  }
  log_budgets();
}

}  // namespace tacit::service
