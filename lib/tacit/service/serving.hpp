// A running service, put together: store, keys, engine, API and server, and what the process owes to what it keeps.
//
// What decides about privacy is a parameter here (Injected), for tests, and nowhere else: no option, file or variable of the
// environment of `tacit` changes noise, time or where a failure comes.
//
// Thread safety: none, but that stopping is what destructors do: in the thread that made it.
#pragma once

#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tacit/service/clock.hpp"
#include "tacit/service/configuration.hpp"
#include "tacit/service/log.hpp"
#include "tacit/service/releaser.hpp"
#include "tacit/service/service.hpp"

namespace tacit::service {

/// What a test puts in the place of the real thing.
struct Injected {
  Releaser* releaser = nullptr;  // null: noise from the operating system's randomness
  Clock* clock = nullptr;        // null: the machine's
  /// Whether the kernel trusts the machine's clock.
  std::function<std::optional<bool>()> trusted = kernel_trusts_clock;
  std::function<random::Dice(Id)> dice = nullptr;
  std::function<random::Dice()> coins = nullptr;
  std::function<void(const char*)> failpoint = nullptr;
  Time tick = kSecond;
};

/// Nothing of this process's memory is to reach a disk or another program: no core, no debugger of the same user. Throws
/// std::runtime_error when the system does not let it.
void harden_process();

/// SIGTERM, SIGINT and SIGUSR1, which from now on wait to be asked for, in every thread that is made later. And SIGHUP where there is a
/// log to be opened again: without one it means that the terminal is gone.
class Signals {
 public:
  explicit Signals(bool has_log = false);
  /// The next one; none: so many seconds are over.
  std::optional<int> wait(std::optional<int> seconds = {}) const;
  /// From now on they end the process: what has been asked for politely is on its way.
  void let_go() const;

 private:
  sigset_t set_{};
};

class Serving {
 public:
  /// Serves when it is made. Throws InvalidParameter for what the configuration says, and std::runtime_error for what the machine
  /// does not do, each in one line.
  explicit Serving(const Configuration& configuration, const Injected& injected = {});
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;
  /// Says that it is not ready, answers what is under way for up to ten seconds, commits and tidies up.
  ~Serving();

  /// Where it listens, with the port that it got.
  Address address() const;
  /// "http://127.0.0.1:8080", or "unix:/run/tacit.sock".
  std::string url() const;
  Service& service();
  /// Now, not when it is time. In the log is how it went.
  void rotate();
  /// Whoever rotates logs has moved it.
  void reopen_log();
  /// Takes up a certificate that was renewed, or notes in the log why not.
  void look_at_certificate();
  /// Notes it in the log when the wall's clock has been moved.
  void look_at_clock();

 private:
  struct Members;
  std::unique_ptr<Members> members_;
};

/// Until SIGTERM or SIGINT; SIGUSR1 rotates keys, SIGHUP opens a log that is a file again.
void serve_until_told(const Configuration& configuration, const Injected& injected = {});

/// Who serves this store; none: nobody.
std::optional<int> process_that_serves(const std::string& store);
/// Throws std::runtime_error when it may not be asked.
void ask_to_rotate(int process);
/// Rotates the keys of a store that nobody serves.
void rotate_store(const std::string& store, const std::string& keys);

}  // namespace tacit::service
