#include "tacit/service/serving.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <future>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sodium.h>
#include <nlohmann/json.hpp>

#include "tacit/core/version.hpp"
#include "tacit/random/sodium.hpp"
#include "tacit/service/api/api.hpp"
#include "tacit/service/api/stream.hpp"
#include "tacit/service/http/server.hpp"
#include "tacit/service/keeping/file_lock.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service {
namespace {

constexpr auto kDraining = std::chrono::seconds(10);
constexpr const char* kByConfiguration = "configuration";

random::Dice fresh_dice(Id) {
  std::uint64_t number = 0;
  randombytes_buf(&number, sizeof number);
  return random::Dice::numbered(number);
}

/// A wrong clock would make everything that is under way ripe, and there is no way back.
/// `what_to_do`: where the clock is right.
void check_clock(Time wall, Time seen, bool accept, const std::string& what_to_do) {
  if (accept || seen == 0 || wall <= seen + kMostAhead) return;
  throw std::runtime_error(fmt::format(
      "the clock says {}, and the store has seen nothing after {}: if the clock is right, {}",
      text_of_time(wall), text_of_time(seen), what_to_do));
}

/// Signals wait to be asked for (Signals): whether one of those that end the service does.
bool is_told_to_stop() {
  sigset_t waiting{};
  sigpending(&waiting);
  return sigismember(&waiting, SIGTERM) == 1 || sigismember(&waiting, SIGINT) == 1;
}

struct ToldToStop : std::runtime_error {
  ToldToStop() : std::runtime_error("told to stop before it had started") {}
};

/// The machine's clock, as far as it can be believed; says what is to be noted of it.
std::string settle(SteadyClock& clock, Time seen, bool accept,
                   const std::function<std::optional<bool>()>& trusted,
                   const std::function<void(const std::string&)>& note) {
  bool is_noted = false;
  const auto rest = [&](Time span) {
    if (is_told_to_stop()) throw ToldToStop();
    if (!std::exchange(is_noted, true)) {
      note(fmt::format("{}: waits up to {} s for it to say so",
                       note_of_clock(clock.now(), seen, trusted()), kPatienceWithClock / kSecond));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(span));
    clock.begin_anew();
  };
  if (!accept && seen > 0) {
    wait_for_clock({.ahead = [&] { return clock.now() - seen; }, .trusted = trusted, .rest = rest});
  }
  const std::string told = note_of_clock(clock.now(), seen, trusted());
  clock.not_before(seen);
  return told;
}

http::Settings settings_of(const Configuration& configuration) {
  http::Settings settings;
  settings.host = configuration.listen.host;
  settings.port = configuration.listen.port;
  settings.unix_socket = configuration.listen.path;
  settings.certificate = configuration.tls_cert;
  settings.private_key = configuration.tls_key;
  settings.body_limit = [](std::string_view path) {
    constexpr std::size_t kKiB = 1024;
    const bool many = path == "/v1/outcomes" || path == "/v1/reports";
    return (many ? 1024 : 64) * kKiB;
  };
  return settings;
}

/// Twice as many at once as a second on average.
void set(api::Rate& rate, const std::optional<double>& per_second) {
  if (per_second) rate = {.per_second = *per_second, .burst = std::max(1.0, 2 * *per_second)};
}

std::string detail_of(const Answer& answer) {
  const Json json = Json::parse(answer.body, nullptr, false);
  return json.is_object() ? json.value("detail", "") : "";
}

/// Makes what the file asks for and the store has not. Says what is there, but otherwise.
class Planned {
 public:
  explicit Planned(const Configuration& configuration) : configuration_(configuration) {}

  void make(Engine& engine, Time now) {
    for (const PlannedPopulation& planned : configuration_.populations) {
      try {
        make(planned, engine, now);
      } catch (const Problem& problem) {
        storage::refuse(planned.place, "population", planned.name, problem.what());
      }
    }
    for (const PlannedExperiment& planned : configuration_.experiments) {
      try {
        make(planned, engine, now);
      } catch (const Problem& problem) {
        planned.refuse(problem);
      }
    }
  }
  const std::vector<std::string>& notes() const noexcept { return notes_; }

 private:
  void make(const PlannedPopulation& planned, Engine& engine, Time now) {
    const auto all = engine.populations();
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const auto& each) { return each.row.name == planned.name; });
    if (found == all.end()) {
      engine.create_population(planned.name, planned.epsilon, planned.user_level, kByConfiguration,
                               now);
    } else if (found->row.epsilon != planned.epsilon ||
               found->row.user_level != planned.user_level) {
      notes_.push_back(
          fmt::format("population {} is in the store already, and not as the file has it: a budget "
                      "cannot be changed",
                      planned.name));
    }
  }
  void make(const PlannedExperiment& planned, Engine& engine, Time now) {
    const Experiment* const found = engine.find(planned.spec.name);
    if (found == nullptr) {
      engine.create(planned.spec, kByConfiguration, now);
      return;
    }
    const Json there = json_of(found->spec());
    const Json here = json_of(planned.spec);
    std::vector<std::string> differ;
    for (const Json& all : {there, here}) {
      for (const auto& [key, value] : all.items()) {
        const bool same = there.contains(key) && here.contains(key) && there[key] == here[key];
        if (!same && std::find(differ.begin(), differ.end(), key) == differ.end()) {
          differ.push_back(key);
        }
      }
    }
    if (differ.empty()) return;
    notes_.push_back(
        fmt::format("experiment {} is in the store already, and not as the file has it ({}): PATCH "
                    "changes what may change",
                    planned.spec.name, fmt::join(differ, ", ")));
  }

  const Configuration& configuration_;
  std::vector<std::string> notes_;
};

/// What others may do to a file that is nobody else's; "": nothing. A start is not refused by it: what a store has is sealed or hashed,
/// and it may have been so for long.
std::string note_of_others(const std::string& path, mode_t theirs, const char* has) {
  struct stat status {};
  if (path.empty() || ::stat(path.c_str(), &status) != 0 || (status.st_mode & theirs) == 0)
    return "";
  return fmt::format("{}: others may read or write it (mode {:o}), and it has {}: chmod 600", path,
                     status.st_mode & 0777U, has);
}

void allow_connections() {
  // Of the connections that a server may have (http/settings.hpp), and what else it has open.
  constexpr rlim_t kEnough = 2 * 4096;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= kEnough) return;
  files.rlim_cur = std::min(kEnough, files.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &files);  // where it does not, fewer can come
}

}  // namespace

void harden_process() {
  const rlimit none{0, 0};
  if (::setrlimit(RLIMIT_CORE, &none) != 0 || ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
    throw std::runtime_error(fmt::format("the system does not let memory be kept to ourselves: {}",
                                         std::strerror(errno)));
  }
}

Signals::Signals(bool has_log) {
  sigemptyset(&set_);
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) sigaddset(&set_, signal);
  if (has_log) sigaddset(&set_, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

std::optional<int> Signals::wait(std::optional<int> seconds) const {
  const timespec patience{seconds.value_or(0), 0};
  for (;;) {
    const int signal =
        seconds ? sigtimedwait(&set_, nullptr, &patience) : sigwaitinfo(&set_, nullptr);
    if (signal > 0) return signal;
    if (errno != EINTR) return {};
  }
}

void Signals::let_go() const {
  std::signal(SIGUSR1, SIG_IGN);
  if (sigismember(&set_, SIGHUP) == 1) std::signal(SIGHUP, SIG_IGN);
  pthread_sigmask(SIG_UNBLOCK, &set_, nullptr);
}

struct Serving::Members {
  Members(const Configuration& told, const Injected& injected)
      : configuration(told),
        clock(injected.clock != nullptr ? *injected.clock : machine_clock),
        log(told.log, [this] { return clock.now(); }),
        store(told.store),
        keys(told.keys, store.is_new(), store.is_new() ? store.load().store : Tag{}) {
    const Time seen = store.load().clock;
    check_clock(clock.now(), seen, told.accept_clock, "start with --accept-clock");
    const auto note = [this](const std::string& what) {
      if (!what.empty()) log.write({{"event", "note"}, {"what", what}});
    };
    if (injected.clock == nullptr) {
      note(settle(machine_clock, seen, told.accept_clock, injected.trusted, note));
      check_clock(clock.now(), seen, told.accept_clock, "start with --accept-clock");
    }
    Service::Settings settings;
    settings.durability = told.durability;
    settings.tick = injected.tick;
    settings.rotate_every = told.rotate_every;
    settings.log = [this](const Json& line) {
      why = line.value("why", why);
      if (!refused) log.write(line);
    };
    if (injected.failpoint) settings.failpoint = injected.failpoint;
    stream.listen_to(settings);
    const Engine::Parts parts{
        .store = store,
        .keys = keys,
        .releaser = injected.releaser != nullptr ? *injected.releaser : releaser,
        .dice = injected.dice ? injected.dice : fresh_dice,
        .coins = injected.coins};
    service.emplace(parts, clock, std::move(settings));
  }

  Configuration configuration;
  SteadyClock machine_clock;
  Clock& clock;
  Log log;
  // In the service's thread, until it is open:
  std::string why;             // the last reason in its log, of what it tells nobody else
  std::exception_ptr refused;  // why what is planned cannot be
  SqliteStore store;
  KeyFile keys;
  SecureReleaser releaser;
  api::Stream stream;
  std::optional<Service> service;
  std::optional<api::Api> api;
  std::optional<http::Server> server;

  /// All of what is planned, or nothing: budgets that are debited stay so.
  void create_planned() {
    Planned planned(configuration);
    std::promise<std::string> failed;
    service->submit(
        Lane::kOperate,
        [&](Engine& engine, Time now) {
          try {
            planned.make(engine, now);
          } catch (const StoreFailed&) {
            throw;
          } catch (...) {
            refused = std::current_exception();
            throw StoreFailed("nothing is kept of it");
          }
          return Answer{};
        },
        [&](Answer&& answer) {
          constexpr int kServersFault = 500;
          failed.set_value(answer.status == 200             ? ""
                           : answer.status >= kServersFault ? why
                                                            : detail_of(answer));
        });
    const std::string reason = failed.get_future().get();
    if (refused) std::rethrow_exception(refused);
    if (!reason.empty()) {
      throw std::runtime_error(fmt::format("what the configuration plans cannot be kept in {}: {}",
                                           configuration.store, reason));
    }
    for (const std::string& note : planned.notes()) log.write({{"event", "note"}, {"what", note}});
  }
};

Serving::Serving(const Configuration& configuration, const Injected& injected) {
  random::need_sodium();
  // Before anything is made, or begun, that would be left behind.
  http::check_tls(settings_of(configuration));
  members_ = std::make_unique<Members>(configuration, injected);
  Members& m = *members_;
  m.create_planned();
  api::Api::Settings settings;
  set(settings.decide, configuration.limits.decide);
  set(settings.report, configuration.limits.report);
  set(settings.read, configuration.limits.read);
  settings.log = [&m](const Json& line) { m.log.write_some(line); };
  // By the machine's clock, unless there is another: at half speed limits are no lower.
  if (injected.clock != nullptr) settings.now = [&m] { return m.clock.now(); };
  set(settings.client, configuration.limits.client);
  settings.behind_proxy = configuration.behind_proxy || !configuration.listen.path.empty();
  settings.quotas.idempotency_for = configuration.idempotency_for;
  settings.quotas.answer_bytes =
      configuration.limits.answers.value_or(settings.quotas.answer_bytes);
  settings.quotas.units_a_day = configuration.limits.units.value_or(settings.quotas.units_a_day);
  settings.stream = m.stream.channel();
  settings.origins = {configuration.origins.begin(), configuration.origins.end()};
  m.api.emplace(*m.service, std::move(settings));
  http::Settings of_server = settings_of(configuration);
  of_server.now = [&m] { return m.clock.now(); };
  of_server.refusal_fields = [&m](auto origin) { return m.api->refusal_fields(origin); };
  m.server.emplace(std::move(of_server), m.api->door());
  const auto directory = m.service->directory();
  m.log.write({{"event", "start"},
               {"version", kVersion},
               {"url", url()},
               {"store", configuration.store},
               {"experiments", directory->by_name.size()},
               {"keys", directory->keys.size()}});
  constexpr mode_t kOthers = 077;
  constexpr mode_t kEverybody = 007;  // a group may share the keys of certificates
  for (const std::string& note :
       {note_of_others(configuration.store, kOthers, "hashes of keys and of units"),
        note_of_others(configuration.tls_key, kEverybody, "the key of the certificate")}) {
    if (!note.empty()) m.log.write({{"event", "note"}, {"what", note}});
  }
  if (directory->keys.empty()) {
    m.log.write({{"event", "note"},
                 {"what", fmt::format("nobody has a key yet: tacit serve key add --role operator "
                                      "--store {} makes one",
                                      configuration.store)}});
  }
}

Serving::~Serving() {
  Members& m = *members_;
  m.service->drain();
  m.server->stop(kDraining);
  m.server.reset();
  m.api.reset();
  m.service.reset();
  m.log.write({{"event", "stop"}});
}

Address Serving::address() const {
  Address address = members_->configuration.listen;
  if (address.path.empty()) address.port = members_->server->port();
  return address;
}

std::string Serving::url() const { return members_->server->url(); }

Service& Serving::service() { return *members_->service; }

void Serving::rotate() {
  members_->service->rotate("tacit serve rotate", [this](Answer&& answer) {
    if (answer.status != 200) members_->log.write({{"event", "not rotated"}});
  });
}

void Serving::reopen_log() { members_->log.reopen(); }

void Serving::look_at_certificate() {
  std::string what = "the TLS certificate was renewed";
  try {
    if (!members_->server->renew_tls()) return;
  } catch (const std::runtime_error& error) {
    what = fmt::format("the TLS certificate stays the one that was there: {}", error.what());
  }
  members_->log.write({{"event", "note"}, {"what", what}});
}

void Serving::look_at_clock() {
  const Time jump = members_->machine_clock.jumped();
  if (jump == 0) return;
  const Time ahead = members_->machine_clock.ahead();
  members_->log.write(
      {{"event", "note"},
       {"what",
        fmt::format("the clock on the wall has been moved by {} s; the service's {}",
                    jump / kSecond,
                    ahead == 0 ? "goes on as it was"
                               : fmt::format("is {} s ahead of it, and goes at half speed until it "
                                             "has caught up",
                                             ahead / kSecond))}});
}

void serve_until_told(const Configuration& configuration, const Injected& injected) {
  harden_process();
  allow_connections();
  const Signals signals(!configuration.log.empty());
  std::optional<Serving> serving;
  try {
    serving.emplace(configuration, injected);
  } catch (const ToldToStop&) {
    return;
  }
  constexpr int kLook = 60;
  for (;;) {
    const auto signal = signals.wait(kLook);
    serving->look_at_clock();
    serving->look_at_certificate();
    if (signal == SIGUSR1) serving->rotate();
    if (signal == SIGHUP) serving->reopen_log();
    if (signal == SIGTERM || signal == SIGINT) break;
  }
  signals.let_go();
}

std::optional<int> process_that_serves(const std::string& store) { return FileLock::holder(store); }

void ask_to_rotate(int process) {
  if (::kill(process, SIGUSR1) == 0) return;
  throw std::runtime_error(
      fmt::format("process {}, which serves the store, cannot be asked to rotate: {}", process,
                  std::strerror(errno)));
}

void rotate_store(const std::string& store, const std::string& keys) {
  need_store(store);
  random::need_sodium();
  harden_process();
  std::signal(SIGUSR1, SIG_IGN);  // of another one, which takes who holds the store for a service
  SqliteStore opened(store);
  if (opened.is_new()) throw std::runtime_error(store + ": nothing was ever kept in it");
  KeyFile file(keys, false);
  SecureReleaser releaser;
  SteadyClock clock;
  const Time seen = opened.load().clock;
  check_clock(clock.now(), seen, false,
              fmt::format("start tacit serve --store {}{} --accept-clock, and rotate then", store,
                          keys == default_keys(store) ? "" : " --keys " + keys));
  settle(clock, seen, false, kernel_trusts_clock, [](const std::string&) {});
  Engine engine({.store = opened, .keys = file, .releaser = releaser, .dice = fresh_dice},
                clock.now());
  engine.rotate(clock.now(), "tacit serve rotate");
}

}  // namespace tacit::service
