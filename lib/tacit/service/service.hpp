// The engine behind a queue: one thread takes what has come, runs it through the engine, commits it in one transaction, and then
// answers. No artificial wait: while one batch is on its way to the disk the next one gathers.
//
// Releases happen on the ticks of a public clock (clock.hpp), once a second. If the store fails, decisions go on unrecorded from what was
// released, reports are answered 503, and the store is tried again on every tick.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tacit/service/answer.hpp"
#include "tacit/service/aside.hpp"
#include "tacit/service/clock.hpp"
#include "tacit/service/engine.hpp"

namespace tacit::service {

enum class Durability { kStrict, kFast };

/// What is done in the engine's thread for one request. May throw Problem. Called once, or not at all where the service is
/// stopping.
using Work = std::function<Answer(Engine&, Time)>;
/// Called once, in the service's thread; must not block.
using Done = std::function<void(Answer&&)>;

/// Takes of the engine what an answer is made of, and says how to make it, which is done in another thread.
using Look = std::function<std::function<Answer()>(Engine&, Time)>;

/// How a request stands to the store.
enum class Lane {
  kDecide,  // goes on unrecorded when the store is away; may be answered just before it is durable, if durability is fast
  kReport,  // answered when it is durable
  kOperate,  // likewise
  kRead,     // needs no transaction
};

class Service {
 public:
  struct Settings {
    Durability durability = Durability::kStrict;
    Time tick = kSecond;
    Time rotate_every = kHour;
    /// Lines of the log, as objects: called from the service's thread.
    std::function<void(const Json&)> log = [](const Json&) {};
    /// After releases may be seen, and after anything of the directory has changed: for streams of events.
    std::function<void(const Engine&, const std::vector<ReleaseRow>&)> on_release =
        [](const Engine&, const std::vector<ReleaseRow>&) {};
    std::function<void(const Directory&)> on_change = [](const Directory&) {};
    /// For tests: called at named points of a commit; may end the process.
    std::function<void(const char*)> failpoint = [](const char*) {};
    /// For tests with a clock of their own: nothing happens but in turn().
    bool own_thread = true;
  };

  /// Reads the store. Throws what Engine's constructor throws.
  Service(const Engine::Parts& parts, Clock& clock, Settings settings);
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  /// Finishes what was submitted, commits, and stops.
  ~Service();

  /// From any thread.
  void submit(Lane lane, Work work, Done done);
  /// `without_store` is what is done while the store is away, instead of an answer that says so.
  void submit(Lane lane, Work work, Work without_store, Done done);
  /// Of decisions.
  void submit_decision(Work work, Work without_store, Done done) {
    submit(Lane::kDecide, std::move(work), std::move(without_store), std::move(done));
  }
  /// To be read, of lane kRead: an answer that takes long to make keeps nobody waiting but those who read.
  void submit_look(Look look, Done done);
  std::shared_ptr<const Directory> directory() const;
  bool store_is_up() const noexcept { return store_up_.load(std::memory_order_relaxed); }
  /// No new requests from now on: they are answered 503.
  void drain();
  bool draining() const;
  /// A new key for everything secret, now. `by` is the id of the key that asked.
  void rotate(const std::string& by, Done done);

  /// For tests with a clock of their own: does in the caller's thread what the thread would do now.
  void turn();

 private:
  struct Job {
    Lane lane;
    Work work;
    Work without_store;
    Done done;
  };
  struct Answered {
    Job* job;
    Answer answer;
  };
  /// Answers that wait until what they say is durable.
  struct Waiting {
    std::vector<Answered> answered;
    std::size_t bytes = 0;
    bool must_commit = false;

    void add(Job& job, Answer&& answer);
    void deliver();
  };

  void run();
  void batch(std::vector<Job>& jobs, Time now);
  void batch_without_store(std::vector<Job>& jobs, Time now);
  void run_all(std::vector<Job>& jobs, Waiting& waiting, Time now);
  /// With the lock held.
  std::vector<Job> take_jobs();
  void tick(Time now);
  void release(Time at);
  Time first_tick_from(Time at) const;
  void commit(Waiting& waiting);
  /// What is durable now: first to all, then to those who asked for it.
  void show(Waiting& waiting, const std::vector<ReleaseRow>& released);
  void after_commit(const std::vector<ReleaseRow>& released);
  /// Whoever asks for the directory has the engine's from now on.
  void show_directory();
  void lose_store(const std::string& why);
  void revive(Time now);
  Answer answer_to(const Work& work, Lane lane, Time now);
  void log_notes();
  void log_budgets();

  Engine::Parts parts_;
  Clock& clock_;
  Settings settings_;
  std::unique_ptr<Engine> engine_;
  std::shared_ptr<const Directory> directory_;  // guarded by mutex_
  std::atomic<bool> store_up_{true};
  std::string why_away_;                      // as the log has it
  std::optional<Engine::Standing> standing_;  // before an operator changed what is not durable yet
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Job> queue_;
  bool draining_ = false;
  bool stopping_ = false;
  Time last_tick_ = 0;
  Time rotated_ = 0;               // by elapsed()
  std::int64_t seen_changes_ = 0;  // of others
  Aside aside_;
  std::thread thread_;
};

}  // namespace tacit::service
