// An application of many hands, and what it remembers: which decisions it got, when it asked for them, what it answered, and which
// answers were acknowledged. It knows nothing of slots; what is not acknowledged it sends again.
//
// Thread safety: none, but for counts().
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tacit/service/configuration.hpp"
#include "tacit/service/demo/client.hpp"

namespace tacit::service {

/// Of every experiment that is visited.
inline constexpr std::chrono::milliseconds kWait{1500};
/// Deadlines are whole seconds: an answer counts up to so much longer.
inline constexpr std::chrono::milliseconds kLongestWait{2500};
inline constexpr std::array<const char*, 3> kArmNames{"a", "b", "c"};

struct Visited {
  std::string name;
  bool all_arms = false;  // an outcome of every arm
  bool defers = false;    // some are shown later
  int units = 0;          // names of users; 0: none
};

using Moment = std::chrono::steady_clock::time_point;

/// One decision, as the application sees it.
struct Visit {
  enum class Plan { kSoon, kTwice, kLate, kNever };

  std::size_t experiment = 0;  // of Visitors' list
  std::string event;
  int unit = -1;
  Plan plan = Plan::kNever;
  bool waits_to_be_shown = false;
  bool at_half_speed = false;   // of the service's time, perhaps
  int sixteenths = 0;           // the outcome; of every arm another one
  Moment asked, answered, due;  // of the decision, or of its activation
  std::optional<Moment> sent, acknowledged;

  /// The first arm's, or of the arm that was shown.
  double outcome(int arm = 0) const { return ((sixteenths + 5 * arm) % 17) / 16.0; }
  /// The clock of a service that is started again agrees with the one before to some milliseconds.
  static constexpr std::chrono::milliseconds kTolerance{25};
  /// It must be in the sum.
  bool counts() const { return acknowledged && *acknowledged - asked <= kWait - kTolerance; }
  std::chrono::milliseconds longest_wait() const { return kLongestWait * (at_half_speed ? 2 : 1); }
  /// It must not.
  bool is_out() const { return !sent || *sent - answered >= longest_wait() + kTolerance; }
};

/// What has happened so far; of all hands, at any time.
struct Counts {
  std::atomic<std::uint64_t> decisions = 0;     // answered
  std::atomic<std::uint64_t> acknowledged = 0;  // outcomes
  std::atomic<std::uint64_t> unanswered = 0;    // decisions or activations of which nobody knows
  std::atomic<std::uint64_t> refused = 0;       // decisions
  std::atomic<int> refused_with = 0;            // the last one's status
  std::atomic<std::uint64_t> not_kept = 0;      // reports that were answered 503
  std::atomic<std::uint64_t> wrong = 0;         // answers that make no sense
  std::atomic<std::int64_t> owed = 0;  // outcomes that are to be sent, and are not acknowledged
};

class Visitors {
 public:
  Visitors(std::vector<Visited> experiments, std::size_t hands, std::uint64_t seed);
  Visitors(const Visitors&) = delete;
  Visitors& operator=(const Visitors&) = delete;
  ~Visitors() { end(); }

  /// Visits a service until it hangs up, or end().
  void begin(const Address& address, const std::string& key);
  void end();
  /// Asks for nothing more, and sends what is owed. False: it could not within the patience.
  bool settle(std::chrono::milliseconds patience);
  void ask_again() { asking_ = true; }
  /// From now on the service's time may go at half speed: an answer is late after twice as long.
  void expect_half_speed() { at_half_speed_ = true; }

  const Counts& counts() const noexcept { return counts_; }
  const std::vector<Visited>& experiments() const noexcept { return experiments_; }
  /// While nobody visits.
  std::vector<const Visit*> visits() const;

 private:
  struct Hand {
    std::mt19937_64 random;
    std::vector<Visit> visits;
    std::vector<std::size_t> open;  // of which something is to be sent
  };

  void visit(Hand& hand, demo::Client& client);
  bool send_due(Hand& hand, demo::Client& client);
  void show(Visit& visit, demo::Client& client);
  void ask(Hand& hand, demo::Client& client);
  std::string report(const Visit& visit, bool again) const;

  std::vector<Visited> experiments_;
  std::vector<std::unique_ptr<Hand>> hands_;
  std::vector<std::thread> threads_;
  std::atomic<bool> ending_ = false;
  std::atomic<bool> asking_ = true;
  std::atomic<bool> at_half_speed_ = false;
  Counts counts_;
};

/// Looks every few milliseconds. False: not within the patience.
bool await(const std::function<bool()>& condition, std::chrono::milliseconds patience);

}  // namespace tacit::service
