#include "tacit/service/serving.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/service/api_keys.hpp"
#include "tacit/service/demo/client.hpp"
#include "tacit/service/folder_test.hpp"
#include "tacit/service/keeping/checking.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/keys.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::service {
namespace {

/// Goes on when it is told to.
class HandClock final : public Clock {
 public:
  explicit HandClock(Time time) : time_(time) {}
  Time now() override { return time_; }
  void go_on(Time by) { time_ += by; }

 private:
  std::atomic<Time> time_;
};

/// Counts how often it is asked.
class Counting final : public Releaser {
 public:
  curators::ReleasedSlot release(Id experiment, const curators::Plan& plan, int arms, Slot slot,
                                 Round n, const privacy::SecretVector<Sum>& total) override {
    ++asked;
    return real_.release(experiment, plan, arms, slot, n, total);
  }
  std::atomic<int> asked{0};

 private:
  SecureReleaser real_;
};

constexpr Time kStart = 1'700'000'000'000;

class ServingTest : public ::testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.file(name); }
  Configuration configuration(const std::string& text = "", bool accept_clock = false) const {
    ConfigurationText typed;
    typed.store = file("shop.db");
    typed.listen = "unix:" + file("socket");
    typed.log = file("log");
    typed.accept_clock = accept_clock;
    return read_configuration(typed, text, "serve.toml");
  }
  std::string logged() const {
    std::ifstream log(file("log"));
    std::ostringstream text;
    text << log.rdbuf();
    return text.str();
  }
  std::string key(const std::string& role) const {
    const NewApiKey made = new_api_key(role, "", kStart);
    SqliteStore store(file("shop.db"), SqliteStore::Opening::kBesideOrNew);
    store.begin();
    store.put(made.row);
    store.commit();
    return made.text;
  }

 private:
  Folder folder_;
};

constexpr const char* kButton = R"(
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

std::string button_and(const std::string& more) { return fmt::format("{}{}", kButton, more); }

TEST_F(ServingTest, ReleasesByTheClockAndTheReleaserThatItIsGiven) {
  const std::string app = key("app");
  HandClock clock(kStart);
  Counting releaser;
  Injected injected;
  injected.clock = &clock;
  injected.releaser = &releaser;
  const Serving serving(configuration(kButton), injected);
  demo::Client client(serving.address(), app);
  // Two slots are full after so many, and may be released when nobody can answer any more.
  for (int i = 0; i < 64; ++i) {
    ASSERT_EQ(client.post("/v1/experiments/button/decisions", "{}").status, 200);
  }
  EXPECT_EQ(releaser.asked, 0);
  clock.go_on(kMinute);
  while (releaser.asked == 0) {
    ASSERT_EQ(client.post("/v1/experiments/button/decisions", "{}").status, 200);
  }
  while (logged().find("\"release\"") == std::string::npos) {
    ASSERT_EQ(client.post("/v1/experiments/button/decisions", "{}").status, 200);
  }
}

TEST_F(ServingTest, BeginsAgainWhatWasCutShort) {
  key("app");
  const auto make_keys = [&](const std::string& path, const Tag& store) {
    KeyFile keys(path, true);
    KeyRing ring = keys.read();
    ring.store = store;
    keys.write(ring);
  };
  const std::string path = default_keys(file("shop.db"));
  make_keys(path, Tag{7});
  EXPECT_THROW(Serving{configuration(kButton)}, std::runtime_error) << "keys of another store";
  std::filesystem::remove(path);
  make_keys(path, SqliteStore(file("shop.db"), SqliteStore::Opening::kBeside).load().store);
  { const Serving serving(configuration(kButton)); }
  EXPECT_EQ(check_file(file("shop.db"), SteadyClock().now()).complaints,
            std::vector<std::string>());
}

TEST_F(ServingTest, AStartFarAheadNeedsToBeAccepted) {
  HandClock clock(kStart);
  Injected injected;
  injected.clock = &clock;
  { const Serving first(configuration(kButton), injected); }
  clock.go_on(2 * kDay);
  { const Serving after_a_weekend(configuration(kButton), injected); }
  clock.go_on(6 * kDay);
  { const Serving second(configuration(kButton), injected); }
  clock.go_on(8 * kDay);
  try {
    const Serving third(configuration(kButton), injected);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("start with --accept-clock"), std::string::npos);
  }
  { const Serving fourth(configuration(kButton, true), injected); }
  { const Serving fifth(configuration(kButton), injected); }
}

// It has no such option itself.
TEST_F(ServingTest, ARotationFarAheadSaysWhatAcceptsTheClock) {
  HandClock clock(kStart);
  Injected injected;
  injected.clock = &clock;
  { const Serving first(configuration(kButton), injected); }
  const auto rotate = [&](const std::string& keys) {
    try {
      rotate_store(file("shop.db"), keys);
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      _exit(1);
    }
    _exit(0);
  };
  // In a process of its own, which rotating hardens.
  EXPECT_EXIT(rotate(default_keys(file("shop.db"))), testing::ExitedWithCode(1),
              "start tacit serve --store .*shop\\.db --accept-clock, and rotate then\n$");
  std::filesystem::rename(default_keys(file("shop.db")), file("elsewhere.key"));
  EXPECT_EXIT(rotate(file("elsewhere.key")), testing::ExitedWithCode(1),
              "shop\\.db --keys .*elsewhere\\.key --accept-clock, and rotate then\n$");
}

TEST_F(ServingTest, RotatesNothingWhereNothingIs) {
  const auto rotate = [&] {
    try {
      rotate_store(file("none.db"), file("none.key"));
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find("none.db: is not there"), std::string::npos);
      return;
    }
    ADD_FAILURE();
  };
  rotate();
  EXPECT_FALSE(std::filesystem::exists(file("none.db")));
}

TEST_F(ServingTest, SaysWhereWhatIsPlannedCannotBeKeptAndWhy) {
  Injected injected;
  injected.failpoint = [](const char* at) {
    if (at == std::string("written")) throw StoreFailed("the disk is full");
  };
  try {
    const Serving serving(configuration(kButton), injected);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), "what the configuration plans cannot be kept in " + file("shop.db") +
                                ": the disk is full");
  }
}

TEST_F(ServingTest, NamesTheLineOfWhatTheServiceRefuses) {
  const auto refusal = [&](const std::string& changed) -> std::string {
    try {
      const Serving serving(configuration(changed));
    } catch (const InvalidParameter& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string no_such = refusal(button_and("policy = \"mgf-imde\"\n"));
  EXPECT_NE(no_such.find("did you mean mgf-imed?"), std::string::npos) << no_such;
  EXPECT_NE(no_such.find("(serve.toml, line 12)"), std::string::npos) << no_such;
  const std::string spent =
      refusal(button_and("[[experiment]]\nname = \"other\"\npopulation = \"visitors\"\n"
                         "arms = [\"a\", \"b\"]\nepsilon = 1\n"));
  EXPECT_NE(spent.find("experiment = other: "), std::string::npos) << spent;
  // Nothing was begun of what is refused as a whole, and what is right begins as if nothing had been.
  EXPECT_EQ(check_file(file("shop.db"), SteadyClock().now()).holds,
            "0 experiments, 0 releases, 0 open slots, 0 populations, 0 debits, 0 keys");
  EXPECT_EQ(logged().find("away"), std::string::npos) << logged();
  std::string richer = kButton;
  richer.replace(richer.find("epsilon = 1"), 11, "epsilon = 2");
  EXPECT_EQ(refusal(richer), "accepted");
  EXPECT_EQ(logged().find("in the store already"), std::string::npos) << logged();
}

TEST_F(ServingTest, BeginsNothingThatIsDamaged) {
  { const Serving serving(configuration(kButton)); }
  const auto damage = [&](const std::string& sql) -> std::string {
    storage::Database(file("shop.db"), storage::Database::Access::kWrite).execute(sql);
    try {
      const Serving serving(configuration());
    } catch (const std::exception& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto expect = [&](const std::string& sql, const std::string& why) {
    EXPECT_EQ(damage(sql),
              "experiment button: is damaged in the store: " + why + "; put a backup in its place");
  };
  expect("REPLACE INTO progress VALUES (1, 0, 0, 1, '')",
         "it says that it has made 1 releases, and there are 0");
  EXPECT_EQ(damage("UPDATE progress SET version = 0"), "accepted");
  expect("INSERT INTO slots VALUES (1, 0, 0, 1000000000000, 0, 0, 0)",
         "1000000000000 of its decisions are under way, of 0 ever recorded");
  EXPECT_EQ(damage("DELETE FROM slots"), "accepted");
  expect("UPDATE experiments SET spec = replace(spec, 'mgf-imed', 'mgf-imex')",
         "policy = mgf-imex: there is no such policy; did you mean mgf-imed?");
}

TEST_F(ServingTest, StaysAwayFromAFileThatIsFoundToBeDamaged) {
  const std::string operators = key("operator");
  HandClock clock(kStart);
  Injected injected;
  injected.clock = &clock;
  { const Serving serving(configuration(kButton), injected); }
  const auto page = [&](const std::string& table) {
    return storage::Database(file("shop.db"), storage::Database::Access::kWrite)
        .number("SELECT rootpage FROM sqlite_master WHERE name = '" + table + "'");
  };
  const auto at = (page("operations") - 1) * 4096;
  std::fstream store(file("shop.db"), std::ios::in | std::ios::out | std::ios::binary);
  std::string whole(4096, '\0');
  store.seekg(at);
  store.read(whole.data(), 4096);
  store.seekp(at);
  store.write(std::string(4096, '\0').data(), 4096);
  store.flush();
  const Serving serving(configuration(), injected);
  demo::Client client(serving.address(), operators);
  EXPECT_EQ(client.get("/readyz").status, 200);
  EXPECT_EQ(client.get("/v1/operations").status, 503);
  EXPECT_EQ(client.get("/readyz").status, 503);
  // It would be found whole now, and what was read before it was may have been wrong.
  store.seekp(at);
  store.write(whole.data(), 4096);
  store.flush();
  for (int tick = 0; tick < 20; ++tick) {
    clock.go_on(kSecond);
    ASSERT_EQ(client.post("/v1/rotate", "{}").status, 503);
    ASSERT_EQ(client.get("/readyz").status, 503);
  }
  const std::string log = logged();
  const std::size_t away = log.find("\"away\"");
  ASSERT_NE(away, std::string::npos);
  EXPECT_EQ(log.find("\"away\"", away + 1), std::string::npos) << log;
  EXPECT_EQ(log.find("\"back\""), std::string::npos) << log;
}

TEST_F(ServingTest, NotesAnExperimentThatIsNotAsTheFileHasIt) {
  { const Serving first(configuration(kButton)); }
  EXPECT_EQ(logged().find("not as the file has it"), std::string::npos);
  { const Serving same(configuration(kButton)); }
  EXPECT_EQ(logged().find("not as the file has it"), std::string::npos);
  { const Serving other(configuration(button_and("floor = 0.1\n"))); }
  EXPECT_NE(logged().find("button is in the store already, and not as the file has it (floor)"),
            std::string::npos);
}

TEST_F(ServingTest, NotesAPopulationThatIsNotAsTheFileHasIt) {
  { const Serving first(configuration(kButton)); }
  std::string richer = kButton;
  richer.replace(richer.find("epsilon = 1"), 11, "epsilon = 2");
  { const Serving other(configuration(richer)); }
  EXPECT_NE(logged().find("population visitors is in the store already, and not as the file has "
                          "it: a budget cannot be changed"),
            std::string::npos)
      << logged();
}

TEST_F(ServingTest, NotesAStoreThatOthersMayReadOrWrite) {
  { const Serving mine(configuration(kButton)); }
  EXPECT_EQ(logged().find("others may"), std::string::npos) << logged();
  std::filesystem::permissions(file("shop.db"), std::filesystem::perms(0644));
  { const Serving everybodys(configuration(kButton)); }
  EXPECT_NE(logged().find("shop.db: others may read or write it (mode 644)"), std::string::npos)
      << logged();
}

TEST_F(ServingTest, SaysWhoServes) {
  EXPECT_EQ(process_that_serves(file("shop.db")), std::nullopt);
  {
    const Serving serving(configuration());
    EXPECT_EQ(process_that_serves(file("shop.db")), getpid());
  }
  EXPECT_EQ(process_that_serves(file("shop.db")), std::nullopt);
}

TEST_F(ServingTest, LeavesNothingBehindThatIsNotInTheStore) {
  { const Serving serving(configuration(kButton)); }
  EXPECT_FALSE(std::filesystem::exists(file("socket")));
  const std::string wal = file("shop.db-wal");
  EXPECT_TRUE(!std::filesystem::exists(wal) || std::filesystem::file_size(wal) == 0);
}

TEST(HardenProcess, LeavesNoCoreAndNoDebuggerIn) {
  const pid_t child = fork();
  if (child == 0) {
    rlimit cores{1, RLIM_INFINITY};
    const bool could = prctl(PR_GET_DUMPABLE) == 1;
    harden_process();
    getrlimit(RLIMIT_CORE, &cores);
    _exit(could && prctl(PR_GET_DUMPABLE) == 0 && cores.rlim_cur == 0 && cores.rlim_max == 0 ? 0
                                                                                             : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace tacit::service
