#include "tacit/service/log.hpp"

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

TEST(Log, OfAFileThatCannotBeWrittenIsRefused) {
  EXPECT_THROW(Log("/nowhere/at/all/log", [] { return 0; }), InvalidParameter);
}

TEST(TextOfTime, IsThatOfTheStandard) {
  EXPECT_EQ(text_of_time(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(text_of_time(951782400123), "2000-02-29T00:00:00.123Z");
  EXPECT_EQ(text_of_time(-1), "1969-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace tacit::service
