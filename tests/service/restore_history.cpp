#include "service/restore_history.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/service/api_keys.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/service.hpp"

namespace tacit::service {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExperiments = R"(
[[population]]
name = 'visitors'
epsilon = 10
[[population]]
name = 'users'
epsilon = 10
user_level = true
[[experiment]]
name = 'sums'
population = 'visitors'
policy = 'anytime-lazy-ucb'
epsilon = 1
arms = ['a', 'b', 'c']
wait = '1h'
phase_max_age = '10m'
[[experiment]]
name = 'sticky'
population = 'visitors'
policy = 'mgf-imed'
epsilon = 1
arms = ['a', 'b']
wait = '1h'
phase_max_age = '10m'
sticky_for = '30d'
[[experiment]]
name = 'users'
population = 'users'
policy = 'anytime-lazy-ucb'
user = { epsilon = 2, cap = 3 }
arms = ['a', 'b']
wait = '1h'
phase_max_age = '10m'
)";

std::string text_of(const std::string& path) {
  std::ostringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  return all.str();
}

/// A program that is killed as soon as this is so, if it has not ended by then. Its exit; none: it was killed.
std::optional<int> run(std::vector<std::string> words, const std::string& said,
                       const std::function<bool()>& kills = {}) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int to = ::open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(to, STDOUT_FILENO);
    ::dup2(to, STDERR_FILENO);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  if (kills) {
    pid_t ended = 0;
    while (!kills() && (ended = ::waitpid(child, &status, WNOHANG)) == 0) {
    }
    if (ended == 0) ::kill(child, SIGKILL);
    if (ended == child) return WEXITSTATUS(status);
  }
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  if (WIFSIGNALED(status)) return {};
  return WEXITSTATUS(status);
}

/// At some time until then.
std::function<bool()> after(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  return [end] { return std::chrono::steady_clock::now() >= end; };
}

/// The block of the guide that puts a copy back without `tacit serve restore`.
std::string commands_of_the_guide() {
  const std::string guide = text_of(TACIT_SOURCE "/docs/service.md");
  const std::string fence = "\n```";
  const std::size_t inside = guide.find("install -m 600 copy.db shop.db");
  if (inside == std::string::npos) throw std::runtime_error("the guide puts nothing back");
  const std::size_t begin = guide.find('\n', guide.rfind(fence, inside) + 1);
  return guide.substr(begin, guide.find(fence, inside) - begin);
}

}  // namespace

RestoreHistory::RestoreHistory(std::uint64_t seed)
    : random_(seed), seed_(seed), clock_(SteadyClock().now()) {
  std::ofstream(aside_.file("serve.toml")) << fmt::format(
      "store = '{0}'\nkeys = '{1}'\nlisten = '127.0.0.1:0'\n"
      "limits = {{ decide = 1e9, report = 1e9, read = 1e9 }}\n{2}",
      file("shop.db"), file("state.key"), kExperiments);
  SqliteStore store(file("shop.db"), SqliteStore::Opening::kBesideOrNew);
  for (auto [role, key] : {std::pair("app", &app_key_), std::pair("operator", &operator_key_)}) {
    const NewApiKey made = new_api_key(role, "", clock_);
    store.begin();
    store.put(made.row);
    store.commit();
    *key = made.text;
  }
  spent_ = {{"visitors", 2}, {"users", 2}};
}

/// One that `may_die` kills itself in the middle of a commit or a release, when it comes to that.
void RestoreHistory::start(bool may_die) {
  // Nothing waits for a disk: what kills is kill -9.
  std::vector<std::string> words{aside_.file("serve.toml"), "--disk", "none", "--clock",
                                 std::to_string(clock_)};
  if (may_die) {
    const std::array<const char*, 5> points{"committed", "written", "drawn", "released",
                                            "published"};
    const auto which = static_cast<std::size_t>(any(points.size()));
    words.insert(words.end(), {"--kill-at", fmt::format("{}:{}", points.at(which),
                                                        1 + any(which < 2 ? 60 : 4))});
  }
  app_.reset();
  operator_.reset();
  service_ = std::make_unique<UnderTest>(words, aside_.file("said"));
  may_die_ = may_die;
  if (!service_->await_ready()) {
    ASSERT_TRUE(may_die && service_->was_killed())
        << service_->end() << ": " << text_of(aside_.file("said"));
    start(false);
    return;
  }
  app_ = std::make_unique<demo::Client>(service_->address(), app_key_);
  operator_ = std::make_unique<demo::Client>(service_->address(), operator_key_);
}

/// Nobody knows what it has kept of the last request.
void RestoreHistory::bury() {
  service_->await_end(std::chrono::seconds(20));
  EXPECT_TRUE(may_die_ && service_->was_killed())
      << service_->end() << ": " << text_of(aside_.file("said"));
  ++seen_["killed in the middle of a commit or a release"];
  start(any(4) == 0);
}

void RestoreHistory::kill() {
  service_->kill();
  service_.reset();
  ++seen_["killed"];
}

void RestoreHistory::stop() {
  ASSERT_TRUE(service_->stop()) << service_->end() << ": " << text_of(aside_.file("said"));
  service_.reset();
  ++seen_["stopped"];
}

void RestoreHistory::go_on(Time by) {
  clock_ += by;
  if (service_->ask("clock " + std::to_string(clock_)) != "done") bury();
}

/// Its status is 0 where the service died of it.
demo::Reply RestoreHistory::post(const std::unique_ptr<demo::Client>& as, const std::string& path,
                                 const nlohmann::json& json) {
  ++request_;
  try {
    return as->post(path, json.dump());
  } catch (const std::runtime_error&) {
    bury();
    return {};
  }
}

void RestoreHistory::decide(const std::string& experiment, const std::string& unit) {
  nlohmann::json body = nlohmann::json::object();
  if (!unit.empty()) body["unit"] = unit;
  const demo::Reply reply = post(app_, "/v1/experiments/" + experiment + "/decisions", body);
  if (reply.status == 0) return;
  ASSERT_EQ(reply.status, 200) << reply.body;
  made_.push_back({.experiment = experiment,
                   .event = nlohmann::json::parse(reply.body).at("event"),
                   .outcome = (1 + any(16)) / 16.0,
                   .deadline = clock_ + kHour,
                   .after = after_});
}

/// Always the same of one decision; not when it is nearly too late.
void RestoreHistory::report(Made& made) {
  if (clock_ >= made.deadline - kMinute) return;
  const demo::Reply reply =
      post(app_, "/v1/outcomes", {{"event", made.event}, {"value", made.outcome}});
  made.reports.emplace_back(request_, reply.status == 202);
  EXPECT_TRUE(reply.status == 202 || reply.status == 0) << reply.body;
}

void RestoreHistory::live(int requests) {
  for (int i = 0; i < requests && !testing::Test::HasFatalFailure(); ++i) {
    const int what = any(100);
    if (what < 25) {
      decide("sums", "");
    } else if (what < 35) {
      decide("sticky", fmt::format("visitor {}", ++units_));
    } else if (what < 55) {
      decide("users", fmt::format("user {}", any(15)));
    } else if (what < 85 && !made_.empty()) {
      // Often one of the last; also of those that were made before the copy was put back.
      const std::size_t back = static_cast<std::size_t>(any(any(3) == 0 ? 1000 : 20));
      if (back < made_.size()) report(made_[made_.size() - 1 - back]);
    } else if (what < 95) {
      go_on(any(4) == 0 ? any(40) * kMinute : any(90) * kSecond);
    } else if (what < 97) {
      const int status = post(operator_, "/v1/rotate", nlohmann::json::object()).status;
      EXPECT_TRUE(status == 200 || status == 0) << status;
    } else if (what < 98 && spent_["visitors"] < 6) {
      const std::string name = fmt::format("extra{}", ++extras_);
      const demo::Reply reply = post(
          operator_, "/v1/experiments",
          {{"name", name}, {"population", "visitors"}, {"arms", {"a", "b"}}, {"epsilon", 0.5}});
      if (reply.status == 0) continue;
      ASSERT_EQ(reply.status, 201) << reply.body;
      spent_["visitors"] += 0.5;
    } else {
      kill();
      start(any(3) == 0);
    }
  }
}

/// Beyond what SQLite leaves in it before it moves it into the file.
void RestoreHistory::fill_log() {
  const std::string log = file("shop.db-wal");
  constexpr std::uintmax_t kBeyond = std::uintmax_t{4000} * 4096;
  while (fs::file_size(log) < kBeyond && !testing::Test::HasFatalFailure()) {
    decide("sticky", fmt::format("visitor {}", ++units_));
  }
  live(60);
  ++seen_["log beyond 16 MiB"];
}

void RestoreHistory::end_life() {
  if (may_die_ || any(10) < 7) {
    kill();
    std::error_code none;
    const auto size = fs::file_size(file("shop.db-wal"), none);
    ++seen_[!none && size > 0 ? "a log was left" : "no log was left"];
  } else {
    stop();
  }
}

void RestoreHistory::back_up() {
  const bool served = any(4) > 0;
  if (!served) end_life();
  std::vector<std::string> words{TACIT_PROGRAM,   "serve",   "backup",
                                 file("copy.db"), "--store", file("shop.db")};
  copy_begun_ = request_ + 1;
  for (int kills = any(3); kills > 0 && !fs::exists(file("copy.db")); --kills) {
    const auto exit =
        run(words, aside_.file("backup"), after(std::chrono::microseconds(any(60000))));
    if (!exit) ++seen_["backup killed"];
    EXPECT_TRUE(!exit || exit == 0) << text_of(aside_.file("backup"));
  }
  if (fs::exists(file("copy.db"))) {
    ++seen_["backup was done when it was killed"];
  } else if (served && any(2) == 0) {
    // While more comes.
    std::optional<int> exit;
    std::thread other([&] { exit = run(words, aside_.file("backup")); });
    live(80);
    other.join();
    EXPECT_EQ(exit, 0) << text_of(aside_.file("backup"));
    ++seen_["backup under load"];
  } else {
    EXPECT_EQ(run(words, aside_.file("backup")), 0) << text_of(aside_.file("backup"));
  }
  copy_ended_ = request_;
  copy_ = read(file("copy.db"));
  if (!served) start(any(3) == 0);
}

/// False: the old store is still there.
bool RestoreHistory::restore_by_tool() {
  const std::vector<std::string> words{TACIT_PROGRAM,   "serve",          "restore",
                                       file("copy.db"), "--store",        file("shop.db"),
                                       "--keys",        file("state.key")};
  const auto inode = [this] {
    struct stat status {};
    return ::stat(file("shop.db").c_str(), &status) == 0 ? status.st_ino : 0;
  };
  const auto before = inode();
  const std::array<std::function<bool()>, 8> moments{
      after(std::chrono::microseconds(any(80000))),
      [&] { return fs::exists(file("shop.db-restoring")); },
      [&] { return fs::exists(file("shop.db-restored")); }, [&] { return inode() != before; }};
  const auto exit =
      run(words, aside_.file("restore"), moments.at(static_cast<std::size_t>(any(moments.size()))));
  if (!exit) {
    const bool half = fs::exists(file("shop.db-restored"));
    ++seen_[half                ? "restore killed half way"
            : inode() != before ? "restore killed after it was done"
                                : "restore killed before it was decided"];
    return half || inode() != before;
  }
  EXPECT_EQ(exit, 0) << text_of(aside_.file("restore"));
  ++seen_["restored"];
  compare_with_copy();
  return true;
}

void RestoreHistory::restore_by_hand() {
  const std::string commands =
      fmt::format("set -e; cd '{}'; PATH='{}':$PATH; {}", folder_.path().string(),
                  fs::path(TACIT_PROGRAM).parent_path().string(), commands_of_the_guide());
  EXPECT_EQ(run({"/bin/sh", "-c", commands}, aside_.file("by hand")), 0)
      << text_of(aside_.file("by hand"));
  ++seen_["restored by hand"];
  compare_with_copy();
}

void RestoreHistory::put_back() {
  note_what_is_there();
  if (seed_ % 2 == 1) {
    restore_by_hand();
    return;
  }
  while (!restore_by_tool() && !testing::Test::HasFailure()) {
    if (any(2) == 0) continue;
    // It is served as if nothing had been.
    start(any(3) == 0);
    live(10);
    end_life();
    note_what_is_there();
  }
}

void RestoreHistory::release_all() {
  for (const char* name : {"sums", "sticky", "users"}) {
    const demo::Reply reply =
        post(operator_, fmt::format("/v1/experiments/{}/stop", name), nlohmann::json::object());
    ASSERT_TRUE(reply.status == 200 || reply.status == 409) << reply.body;
  }
  for (int i = 0; i < 3; ++i) go_on(kHour);
}

void RestoreHistory::play() {
  SCOPED_TRACE(fmt::format("history {}", seed_));
  start(any(3) == 0);
  live(any(150));
  if (seed_ / 2 % 6 == 1) fill_log();
  back_up();
  const bool soon = any(3) == 0;  // before anything is released
  live(soon ? any(5) : any(150));
  const auto kind = seed_ / 2 % 3;
  if (kind == 2) fill_log();
  if (soon) {
    kill();
  } else if (kind == 1) {
    kill();
    start(false);
    stop();  // the log is empty
  } else {
    end_life();
  }
  if (testing::Test::HasFatalFailure()) return;
  put_back();
  if (testing::Test::HasFailure()) return;
  after_ = true;
  put_back_ = request_ + 1;
  start(any(3) == 0);
  live(100);
  kill();
  start(false);
  release_all();
  stop();
  if (!testing::Test::HasFailure()) check();
}

}  // namespace tacit::service
