#include "tacit/service/log.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/service/folder_test.hpp"

namespace tacit::service {
namespace {

class LogTest : public ::testing::Test {
 protected:
  std::string path() const { return folder_.file("log"); }
  std::vector<std::string> lines() const {
    std::ifstream file(path());
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);) all.push_back(line);
    return all;
  }

 private:
  Folder folder_;
};

TEST_F(LogTest, PutsTheTimeInFront) {
  Log log(path(), [] { return Time{90061001}; });
  log.write({{"event", "start"}, {"experiments", 2}});
  EXPECT_EQ(lines(), std::vector<std::string>{
                         R"({"time":"1970-01-02T01:01:01.001Z","event":"start","experiments":2})"});
}

TEST_F(LogTest, GoesOnAfterWhatIsThere) {
  for (int start = 0; start < 2; ++start) Log(path(), [] { return 0; }).write({{"n", start}});
  ASSERT_EQ(lines().size(), 2U);
  EXPECT_EQ(Json::parse(lines()[1]).at("n"), 1);
}

TEST_F(LogTest, IsALineALineWhateverIsInIt) {
  Log log(path(), [] { return 0; });
  log.write({{"what", "two\nlines \xff and no UTF-8"}});
  ASSERT_EQ(lines().size(), 1U);
  EXPECT_TRUE(Json::accept(lines()[0]));
}

TEST_F(LogTest, LinesOfThreadsDoNotMix) {
  constexpr int kLines = 200;
  {
    Log log(path(), [] { return 0; });
    const std::string filling(300, 'x');
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&] {
        for (int i = 0; i < kLines; ++i) log.write({{"filling", filling}});
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  ASSERT_EQ(lines().size(), 4U * kLines);
  for (const std::string& line : lines()) EXPECT_TRUE(Json::accept(line));
}

TEST_F(LogTest, IsNotFilledByStrangers) {
  Time now = 0;
  Log log(path(), [&] { return now; });
  for (int i = 0; i < 1000; ++i) log.write_some({{"event", "refused"}});
  log.write({{"event", "release"}});
  ASSERT_EQ(lines().size(), 21U);
  EXPECT_EQ(Json::parse(lines().back()).at("event"), "release");
  now += kSecond;
  log.write_some({{"event", "refused"}});
  ASSERT_EQ(lines().size(), 23U);
  EXPECT_EQ(Json::parse(lines()[21]).at("what"), "980 more like that");
}

TEST_F(LogTest, IsNotReadByOthers) {
  Log(path(), [] { return 0; }).write({{"event", "start"}});
  EXPECT_EQ(std::filesystem::status(path()).permissions() & std::filesystem::perms::others_all,
            std::filesystem::perms::none);
}

TEST_F(LogTest, GoesOnInANewFileWhereItsOwnWasMovedAway) {
  Log log(path(), [] { return 0; });
  log.write({{"n", 1}});
  log.reopen();  // of a file that is where it was
  log.write({{"n", 2}});
  EXPECT_EQ(lines().size(), 2U);
  std::filesystem::rename(path(), path() + ".1");
  log.write({{"n", 3}});
  log.reopen();
  log.write({{"n", 4}});
  ASSERT_EQ(lines().size(), 1U);
  EXPECT_EQ(Json::parse(lines()[0]).at("n"), 4);
  EXPECT_EQ(std::filesystem::status(path()).permissions() & std::filesystem::perms::others_all,
            std::filesystem::perms::none);
}

TEST_F(LogTest, GoesOnWhereItWasWhereThereCanBeNoNewOne) {
  Log log(path(), [] { return 0; });
  std::filesystem::rename(path(), path() + ".1");
  std::filesystem::create_directory(path());
  log.reopen();
  log.write({{"n", 1}});
  std::filesystem::remove(path());
  std::filesystem::rename(path() + ".1", path());
  ASSERT_EQ(lines().size(), 2U);
  EXPECT_NE(lines()[0].find("the log goes on where it was"), std::string::npos) << lines()[0];
  EXPECT_EQ(Json::parse(lines()[1]).at("n"), 1);
}

TEST_F(LogTest, DoesNotFollowALinkButThoseOfTheSystem) {
  std::ofstream(path() + ".victim") << "precious";
  std::filesystem::create_symlink(path() + ".victim", path());
  EXPECT_THROW(Log(path(), [] { return 0; }), InvalidParameter);
  EXPECT_EQ(lines(), std::vector<std::string>{"precious"});
  Log("/dev/stderr", [] { return 0; }).write({{"n", 1}});
}

TEST(Log, OfAFileThatCannotBeWrittenIsRefused) {
  EXPECT_THROW(Log("/nowhere/at/all/log", [] { return 0; }), InvalidParameter);
}

/// Standard error while it is there; nobody reads it unless told to.
class FullStandardError {
 public:
  enum class Kind { kPipe, kSocket };
  explicit FullStandardError(Kind kind) : before_(::dup(STDERR_FILENO)) {
    int ends[2];  // NOLINT: what pipe() takes
    EXPECT_EQ(kind == Kind::kPipe ? ::pipe(ends) : ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    reads_ = ends[0];
    ::fcntl(reads_, F_SETFL, O_NONBLOCK);
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[1]);
  }
  FullStandardError(const FullStandardError&) = delete;
  FullStandardError& operator=(const FullStandardError&) = delete;
  ~FullStandardError() {
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
    ::close(reads_);
  }
  bool waits() const { return (::fcntl(STDERR_FILENO, F_GETFL) & O_NONBLOCK) == 0; }
  std::string read_all() const {
    std::string all;
    std::string some(1 << 16, ' ');
    for (ssize_t got = 0; (got = ::read(reads_, some.data(), some.size())) > 0;) {
      all.append(some, 0, static_cast<std::size_t>(got));
    }
    return all;
  }

 private:
  int before_;
  int reads_ = -1;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

class LogOfAReaderWhoDoesNotRead : public ::testing::TestWithParam<FullStandardError::Kind> {};

TEST_P(LogOfAReaderWhoDoesNotRead, LosesWholeLinesAndSaysHowMany) {
  constexpr int kLines = 5000;
  std::string first, then;
  {
    const FullStandardError full(GetParam());
    Log log("", [] { return 0; });
    for (int i = 0; i < kLines; ++i) log.write({{"n", i}, {"filling", std::string(500, 'x')}});
    EXPECT_TRUE(full.waits());  // who else writes there
    first = full.read_all();
    log.write({{"event", "stop"}});
    then = full.read_all();
  }
  EXPECT_EQ(first.back(), '\n');
  const auto there = lines_of(first);
  ASSERT_GT(there.size(), 10U);
  ASSERT_LT(there.size(), std::size_t{kLines});
  for (std::size_t i = 0; i < there.size(); ++i) {
    ASSERT_TRUE(Json::accept(there[i])) << there[i];
    EXPECT_EQ(Json::parse(there[i]).at("n"), i);
  }
  const auto after = lines_of(then);
  ASSERT_EQ(after.size(), 2U) << then;
  EXPECT_EQ(Json::parse(after[0]).at("what"),
            std::to_string(kLines - there.size()) + " lines were lost");
  EXPECT_EQ(Json::parse(after[1]).at("event"), "stop");
}

TEST_P(LogOfAReaderWhoDoesNotRead, BeginsANewLineAfterOneThatWasCut) {
  std::string all;
  {
    const FullStandardError full(GetParam());
    Log log("", [] { return 0; });
    log.write({{"filling", std::string(10 << 20, 'x')}});
    all = full.read_all();
    EXPECT_EQ(all.back(), 'x');
    log.write({{"event", "stop"}});
    all += full.read_all();
  }
  const auto lines = lines_of(all);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(Json::parse(lines[1]).at("what"), "1 line was lost");
  EXPECT_EQ(Json::parse(lines[2]).at("event"), "stop");
}

INSTANTIATE_TEST_SUITE_P(Kinds, LogOfAReaderWhoDoesNotRead,
                         ::testing::Values(FullStandardError::Kind::kPipe,
                                           FullStandardError::Kind::kSocket));

TEST_F(LogTest, IntoANamedPipeDoesNotWaitEither) {
  ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
  const int reads = ::open(path().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reads, 0);
  {
    Log log(path(), [] { return 0; });
    for (int i = 0; i < 5000; ++i) log.write({{"filling", std::string(500, 'x')}});
    std::string some(1 << 20, ' ');
    const ssize_t got = ::read(reads, some.data(), some.size());
    ASSERT_GT(got, 0);
    EXPECT_EQ(some[static_cast<std::size_t>(got) - 1], '\n');
  }
  ::close(reads);
}

TEST(TextOfTime, IsThatOfTheStandard) {
  EXPECT_EQ(text_of_time(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(text_of_time(951782400123), "2000-02-29T00:00:00.123Z");
  EXPECT_EQ(text_of_time(-1), "1969-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace tacit::service
