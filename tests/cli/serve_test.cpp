// The contract of `tacit serve`: a program that is started, asked over HTTP, told things by signals, and stopped.
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "program.hpp"
#include "refusals.hpp"
#include "tacit/service/demo/client.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::cli_test {
namespace {

using service::Address;
using service::demo::Client;
using Json = nlohmann::ordered_json;

/// A program that goes on; what it prints is read as it comes.
class Running {
 public:
  /// `listens_to`: STDOUT_FILENO or STDERR_FILENO. The other one is thrown away.
  Running(const Arguments& arguments, int listens_to) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
    process_ = fork();
    if (process_ == 0) {
      dup2(ends[1], listens_to);
      close(ends[0]);
      close(ends[1]);
      std::vector<char*> words;
      std::string program = TACIT_PROGRAM;
      Arguments all = arguments;
      words.push_back(program.data());
      for (std::string& word : all) words.push_back(word.data());
      words.push_back(nullptr);
      execv(program.c_str(), words.data());
      _exit(127);
    }
    close(ends[1]);
    out_ = ends[0];
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    close(out_);
  }

  pid_t process() const { return process_; }
  /// The first line from here on with this in it; "" when it ends, or nothing comes for too long.
  std::string line_with(const std::string& text) {
    constexpr int kPatience = 30'000;
    for (;;) {
      for (std::size_t end = 0; (end = read_.find('\n')) != std::string::npos;) {
        const std::string line = read_.substr(0, end);
        read_.erase(0, end + 1);
        if (line.find(text) != std::string::npos) return line;
      }
      pollfd wait{out_, POLLIN, 0};
      std::array<char, 4096> some{};
      if (poll(&wait, 1, kPatience) <= 0) return "";
      const ssize_t got = read(out_, some.data(), some.size());
      if (got <= 0) return "";
      read_.append(some.data(), static_cast<std::size_t>(got));
    }
  }
  void tell(int signal) const { kill(process_, signal); }
  /// -1: ended by a signal.
  int exit() {
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t process_ = 0;
  int out_ = -1;
  std::string read_;
};

class Serve : public ::testing::Test {
 protected:
  std::string store() const { return folder_.path() + "/shop.db"; }
  Address socket() const { return {.host = {}, .port = 0, .path = folder_.path() + "/socket"}; }
  Arguments serve(const Arguments& more = {}) const {
    return Arguments{"serve", "--store", store(), "--listen", socket().text()} + more;
  }
  std::string new_key(const std::string& role) const {
    const Result made = run_tacit({"serve", "key", "add", "--role", role, "--store", store()});
    EXPECT_EQ(made.exit, 0) << made.err;
    return made.out.substr(0, made.out.find('\n'));
  }
  std::string config(const std::string& text) const { return folder_.file("serve.toml", text); }

  TemporaryFolder folder_;
};

constexpr const char* kConfig = R"(
[[population]]
name = "visitors"
epsilon = 1

[[experiment]]
name = "button"
population = "visitors"
arms = ["red", "green"]
epsilon = 1
wait = "1s"
)";

TEST_F(Serve, AnswersDecidesAndStops) {
  const std::string key = new_key("app");
  Running program(serve({"--config", config(kConfig)}), STDERR_FILENO);
  const std::string start = program.line_with("\"start\"");
  ASSERT_NE(start, "");
  EXPECT_EQ(Json::parse(start).at("url"), socket().text());
  EXPECT_EQ(Json::parse(start).at("experiments"), 1);

  Client client(socket(), key);
  EXPECT_EQ(client.get("/healthz").status, 200);
  EXPECT_EQ(client.get("/readyz").status, 200);
  const auto reply = client.post("/v1/experiments/button/decisions", "{}");
  ASSERT_EQ(reply.status, 200) << reply.body;
  const Json decision = Json::parse(reply.body);
  const Json outcome{{"event", decision.at("event")}, {"value", 1}};
  EXPECT_EQ(client.post("/v1/outcomes", outcome.dump()).status, 202);
  EXPECT_EQ(Client(socket(), "nonsense").post("/v1/experiments/button/decisions", "{}").status,
            401);

  program.tell(SIGTERM);
  EXPECT_NE(program.line_with("\"stop\""), "");
  EXPECT_EQ(program.exit(), 0);
}

TEST_F(Serve, GoesOnWhereItWasAndMakesNothingTwice) {
  const Arguments arguments = serve({"--config", config(kConfig)});
  for (int start = 0; start < 2; ++start) {
    Running program(arguments, STDERR_FILENO);
    const std::string line = program.line_with("\"start\"");
    ASSERT_NE(line, "");
    EXPECT_EQ(Json::parse(line).at("experiments"), 1);
    program.tell(SIGINT);
    EXPECT_EQ(program.exit(), 0);
  }
  const Result checked = run_tacit({"serve", "check", store()});
  EXPECT_EQ(checked.exit, 0) << checked.err;
  EXPECT_NE(checked.out.find("1 experiment,"), std::string::npos) << checked.out;
  EXPECT_NE(checked.out.find("1 population,"), std::string::npos) << checked.out;
}

TEST_F(Serve, TakesNoticeOfKeysThatAreMadeAndRevokedMeanwhile) {
  Running program(serve(), STDERR_FILENO);
  ASSERT_NE(program.line_with("nobody has a key yet"), "");
  const std::string key = new_key("viewer");
  Client client(socket(), key);
  const auto status_becomes = [&](int status) {
    // It looks once a second, and says nothing of it.
    using Clock = std::chrono::steady_clock;
    for (const auto end = Clock::now() + std::chrono::seconds(30); Clock::now() < end;) {
      if (client.get("/v1/experiments").status == status) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  };
  EXPECT_TRUE(status_becomes(200));
  const std::string id = key.substr(std::string("tacit_viewer_").size(), 8);
  const Result revoked = run_tacit({"serve", "key", "revoke", id, "--store", store()});
  EXPECT_EQ(revoked.exit, 0) << revoked.err;
  EXPECT_TRUE(status_becomes(401));
}

TEST_F(Serve, RotatesWhetherItIsServedOrNot) {
  const Arguments rotate{"serve", "rotate", "--store", store()};
  {
    Running program(serve({"--config", config(kConfig)}), STDERR_FILENO);
    ASSERT_NE(program.line_with("\"start\""), "");
    const Result asked = run_tacit(rotate);
    EXPECT_EQ(asked.exit, 0) << asked.err;
    EXPECT_NE(asked.out.find(std::to_string(program.process())), std::string::npos);
    EXPECT_NE(program.line_with("\"rotated\""), "");
    program.tell(SIGTERM);
    EXPECT_EQ(program.exit(), 0);
  }
  const Result rotated = run_tacit(rotate);
  EXPECT_EQ(rotated.exit, 0) << rotated.err;
  EXPECT_NE(rotated.out.find("the old one is erased"), std::string::npos) << rotated.out;
}

TEST_F(Serve, LetsNobodyElseServeTheSameStore) {
  Running program(serve(), STDERR_FILENO);
  ASSERT_NE(program.line_with("\"start\""), "");
  const Result second = run_tacit(serve());
  EXPECT_EQ(second.exit, 1);
  EXPECT_NE(second.err.find("is held by process " + std::to_string(program.process())),
            std::string::npos)
      << second.err;
}

TEST_F(Serve, LeavesNoCore) {
  Running program(serve(), STDERR_FILENO);
  ASSERT_NE(program.line_with("\"start\""), "");
  const std::string proc = "/proc/" + std::to_string(program.process());
  std::ifstream limits(proc + "/limits");
  std::string cores;
  for (std::string line; std::getline(limits, line);) {
    if (line.starts_with("Max core file size")) cores = line;
  }
  EXPECT_NE(cores.find(" 0 "), std::string::npos) << cores;
}

TEST_F(Serve, WithoutItsKeyFileIsRefusedInOneLine) {
  {
    Running program(serve({"--config", config(kConfig)}), STDERR_FILENO);
    ASSERT_NE(program.line_with("\"start\""), "");
    program.tell(SIGTERM);
    EXPECT_EQ(program.exit(), 0);
  }
  std::filesystem::remove(folder_.path() + "/keys/state.key");
  const Result result = run_tacit(serve());
  EXPECT_EQ(result.exit, 1);
  EXPECT_NE(result.err.find("state.key: is missing"), std::string::npos) << result.err;
}

TEST_F(Serve, KeysAreListedWithoutTheirSecrets) {
  const std::string key = new_key("operator");
  const Result list = run_tacit({"serve", "key", "list", "--store", store()});
  EXPECT_EQ(list.exit, 0);
  const std::string id = key.substr(std::string("tacit_operator_").size(), 8);
  EXPECT_NE(list.out.find(id), std::string::npos) << list.out;
  EXPECT_NE(list.out.find("operator"), std::string::npos) << list.out;
  EXPECT_EQ(list.out.find(key.substr(key.size() - 43)), std::string::npos);
}

TEST_F(Serve, ListsNoNoteThatLooksLikeAnotherLine) {
  new_key("app");
  // As an earlier program took it.
  storage::Database(store(), storage::Database::Access::kWrite)
      .execute("UPDATE api_keys SET note = 'me\u2028\u202eyou'");
  const Result list = run_tacit({"serve", "key", "list", "--store", store()});
  EXPECT_NE(list.out.find("me  you\n"), std::string::npos) << list.out;
}

TEST_F(Serve, IsBackedUpWhileItRunsAndPutBackWhenItDoesNot) {
  const std::string copy = folder_.path() + "/copy.db";
  const Arguments backup{"serve", "backup", copy, "--store", store()};
  const Arguments restore{"serve", "restore", copy, "--store", store()};
  const auto refused = [](const Arguments& arguments, const std::string& why) {
    const Result result = run_tacit(arguments);
    EXPECT_EQ(result.exit, 1);
    EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
  };
  const std::string before = new_key("viewer");
  {
    Running program(serve({"--config", config(kConfig)}), STDERR_FILENO);
    ASSERT_NE(program.line_with("\"start\""), "");
    const Result made = run_tacit(backup);
    EXPECT_EQ(made.exit, 0) << made.err;
    EXPECT_EQ(made.out, copy +
                            ": 1 experiment, 0 releases, 0 open slots, 1 population, 1 debit, 1 "
                            "key; nothing is wrong with it\n");
    refused(backup, "copy.db: is there already");
    EXPECT_EQ(run_tacit(backup + Arguments{"--replace"}).exit, 0);
    refused(restore, "is held by process " + std::to_string(program.process()));
    program.tell(SIGKILL);
    EXPECT_EQ(program.exit(), -1);
  }
  const std::string id = new_key("app").substr(std::string("tacit_app_").size(), 8);
  const Result restored = run_tacit(restore);
  EXPECT_EQ(restored.exit, 0) << restored.err;
  EXPECT_NE(restored.out.find(": is what " + copy + " was: 1 experiment"), std::string::npos)
      << restored.out;
  EXPECT_NE(restored.out.find("lost: key " + id + " (app), which opens nothing any more\n"),
            std::string::npos)
      << restored.out;
  Running program(serve(), STDERR_FILENO);
  ASSERT_NE(program.line_with("\"start\""), "");
  EXPECT_EQ(Client(socket(), before).get("/v1/experiments/button").status, 200);
}

TEST_F(Serve, ExitsAsEverWhereNobodyCanBeTold) {
  const auto exit_of = [](const Arguments& arguments) {
    const int status = std::system((command_line(arguments) + " >/dev/null 2>/dev/full").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  EXPECT_EQ(exit_of({"serve", "--store", "/nowhere/x.db"}), 1);
  EXPECT_EQ(exit_of({"serve", "--stroe", "x"}), 2);
  EXPECT_EQ(exit_of({"serve", "key", "add", "--role", "app", "--store", store()}), 0);
}

TEST_F(Serve, OpensItsLogAgainWhenItIsToldTo) {
  const std::string log = folder_.path() + "/log";
  Running program(serve({"--log", log}), STDERR_FILENO);
  const auto logged = [](const std::string& path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const auto await = [](const auto& condition) {
    for (int i = 0; i < 3000 && !condition(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return condition();
  };
  ASSERT_TRUE(await([&] { return logged(log).find("\"start\"") != std::string::npos; }));
  std::filesystem::rename(log, log + ".1");
  program.tell(SIGHUP);
  ASSERT_TRUE(await([&] { return std::filesystem::exists(log); }));
  program.tell(SIGTERM);
  EXPECT_EQ(program.exit(), 0);
  EXPECT_NE(logged(log).find("\"stop\""), std::string::npos) << logged(log);
  EXPECT_EQ(logged(log + ".1").find("\"stop\""), std::string::npos);
}

TEST_F(Serve, BadInputIsRefused) {
  expect_refused({"serve"}, {"store: missing", "--store FILE.db"});
  expect_refused({"serve", "--store", "postgresql://me:hunter2@db/shop"}, {"not there yet"});
  expect_refused(serve({"--durability", "fsat"}), {"durability = fsat", "did you mean fast?"});
  expect_refused({"serve", "--store", store(), "--listen", "0.0.0.0:80"},
                 {"listen = 0.0.0.0:80", "--tls-cert", "--behind-proxy"});
  expect_refused(serve({"--config", "nowhere.toml"}), {"config = nowhere.toml"});
  expect_refused(serve({"--config", config("\nlistn = 1")}), {"listn", "listen?", "line 2"});
  expect_refused(serve({"--config", config(std::string(kConfig) + "policy = \"mgf-imde\"\n")}),
                 {"experiment = button", "mgf-imed", "line 12"});
  expect_refused({"serve", "--stroe", "x"}, {"--stroe", "did you mean --store?"});
  expect_refused({"serve", "dmeo"}, {"dmeo", "did you mean demo?"});
  expect_refused({"serve", "key"}, {"give a command", "add, list, revoke"});
  expect_refused({"serve", "key", "ad"}, {"did you mean add?"});
  expect_refused({"serve", "key", "add", "--role", "boss", "--store", store()},
                 {"role = boss", "app, client, viewer, operator"});
  expect_refused({"serve", "key", "add", "--store", store()}, {"--role"});
  new_key("app");
  expect_refused({"serve", "key", "revoke", "0", "--store", store()}, {"the ids are"});
  expect_refused({"serve", "demo", "--visitors", "0"}, {"visitors = 0"});
  expect_refused(serve({"--log", store()}), {"log = ", "a file of its own"});
  const std::string new_store = folder_.path() + "/new.db";
  const Result no_tls =
      run_tacit({"serve", "--store", new_store, "--tls-cert", "none.pem", "--tls-key", "none.pem"});
  EXPECT_EQ(no_tls.exit, 1);
  EXPECT_NE(no_tls.err.find("none.pem: is not there"), std::string::npos) << no_tls.err;
  EXPECT_FALSE(std::filesystem::exists(new_store));
}

TEST_F(Serve, KeysSayWhatTheirRolesMayDo) {
  const Result help = run_tacit({"serve", "key", "add", "--help"});
  EXPECT_EQ(help.exit, 0);
  std::string words;  // of however many lines
  for (const char c : help.out) {
    const char next = c == '\n' ? ' ' : c;
    if (next != ' ' || !words.ends_with(' ')) words += next;
  }
  for (const char* role : {"app (asks and answers)", "client (answers and evaluates flags",
                           "viewer (reads)", "operator (reads and changes; asks for nothing)"}) {
    EXPECT_NE(words.find(role), std::string::npos) << help.out;
  }
}

/// In the environment while it is there.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = getenv(name)) before_ = before;
    setenv(name, value, 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST_F(Serve, DemoSaysWhereThereIsNoTemporaryFolderAndWhy) {
  // One that is not there, and one in which nothing can be made.
  for (const char* folder : {"/nowhere", "/proc"}) {
    const Variable temporary("TMPDIR", folder);
    Running program({"serve", "demo"}, STDERR_FILENO);
    const std::string said = program.line_with("no temporary folder");
    EXPECT_EQ(said.find("tacit: " + std::string(folder) + ": "), 0U) << said;
    EXPECT_NE(said.find(": No"), std::string::npos) << said;
    EXPECT_EQ(program.exit(), 1);
  }
}

TEST_F(Serve, OfAStoreThatIsNotThereOrNoneIsAFailure) {
  const std::string other = folder_.file("other.db", "this is no database, but it is long enough");
  for (const Arguments& arguments :
       {Arguments{"serve", "key", "list", "--store", store()}, Arguments{"serve", "check", store()},
        Arguments{"serve", "check", other}, Arguments{"serve", "--store", other}}) {
    const Result result = run_tacit(arguments);
    SCOPED_TRACE(command_line(arguments) + "\n" + result.err);
    EXPECT_EQ(result.exit, 1);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
    EXPECT_NE(result.err.find(arguments.back()), std::string::npos);
  }
}

// It would spend what real visitors were promised.
TEST_F(Serve, DemoPlaysInNoStoreOfOthers) {
  {
    Running program(serve({"--config", config(kConfig)}), STDERR_FILENO);
    ASSERT_NE(program.line_with("\"start\""), "");
    program.tell(SIGTERM);
    EXPECT_EQ(program.exit(), 0);
  }
  expect_refused({"serve", "demo", "--store", store()}, {"store = ", "give a file of its own"});
  const Result keys = run_tacit({"serve", "key", "list", "--store", store()});
  EXPECT_EQ(keys.out.find("demonstration"), std::string::npos) << keys.out;
}

TEST_F(Serve, DemoShowsWhatALateAnswerTeaches) {
  Running program(
      {"serve", "demo", "--listen", "127.0.0.1:0", "--visitors", "300", "--store", store()},
      STDOUT_FILENO);
  EXPECT_NE(program.line_with("http://127.0.0.1:"), "");
  EXPECT_NE(program.line_with("Whoever sees every decision"), "");
  EXPECT_NE(program.line_with("visitors"), "");
  const std::string learned = program.line_with(" % of ");
  EXPECT_NE(learned, "");
  EXPECT_LE(learned.size(), 80U);
  program.tell(SIGINT);
  EXPECT_NE(program.line_with("After "), "");
  EXPECT_EQ(program.exit(), 0);
  EXPECT_TRUE(std::filesystem::exists(store()));
  // Once more in its own.
  Running again({"serve", "demo", "--listen", "127.0.0.1:0", "--store", store()}, STDOUT_FILENO);
  EXPECT_NE(again.line_with("http://127.0.0.1:"), "");
  again.tell(SIGINT);
  EXPECT_EQ(again.exit(), 0);
}

}  // namespace
}  // namespace tacit::cli_test
