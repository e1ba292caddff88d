#include "tacit/service/demo/screen.hpp"

#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace tacit::service::demo {
namespace {

constexpr std::size_t kColumns = 80;

const Offer kButton{.experiment = "checkout-button",
                    .arms = {"buy-now", "checkout", "continue", "pay"},
                    .rates = {0.2, 0.42, 0.31, 0.12},
                    .list = false};

Json view(long n) {
  Json arms = Json::array();
  for (const std::string& name : kButton.arms) {
    arms.push_back({{"name", name}, {"decisions", n}, {"mean", 0.255}, {"n", n}});
    arms.back()["interval"] = {0.2, 0.31};
  }
  return {{"name", kButton.experiment},
          {"version", 7},
          {"guarantee", {{"words", std::string(20, 'w') + std::string(300, ' ') + "x y z"}}},
          {"arms", arms}};
}

void expect_fits(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), kColumns) << line;
}

TEST(Screen, FitsIntoEightyColumns) {
  const std::string key = "tacit_viewer_01234567_" + std::string(43, 'x');
  expect_fits(welcome({.url = "http://127.0.0.1:65535", .app_key = key, .viewer_key = key}, 1000,
                      {view(100)}));
  expect_fits(heading(kButton));
  expect_fits(line(36000, 9'999'999, view(999'999)));
  expect_fits(line_of_list(view(100)));
  expect_fits(farewell(36000, 9'999'999, {kButton}, {view(9'999'999)}));
}

TEST(Screen, BreaksLinesBetweenWords) {
  EXPECT_EQ(wrapped("one two  three", "  ", 9), "  one two\n  three\n");
  EXPECT_EQ(wrapped("longer-than-a-line x", "", 5), "longer-than-a-line\nx\n");
}

TEST(Screen, SaysNothingOfWhatIsNotReleased) {
  Json some = view(100);
  some["arms"][2]["mean"] = nullptr;
  some["arms"][2]["n"] = nullptr;
  some["arms"][2]["interval"] = nullptr;
  EXPECT_EQ(line(65, 1234, some),
            "  1:05      1234    26 % of 100    26 % of 100              -    26 % of 100\n");
  EXPECT_NE(farewell(65, 1234, {kButton}, {some}).find("continue              -"),
            std::string::npos);
  for (Json& arm : some["arms"]) arm["mean"] = nullptr;
  EXPECT_EQ(line_of_list(some), "");
}

TEST(Screen, NamesTheBestFirst) {
  Json list = view(100);
  list["arms"][1]["mean"] = 0.5;
  list["arms"][3]["mean"] = 0.4;
  EXPECT_NE(line_of_list(list).find("checkout, pay, buy-now"), std::string::npos);
}

}  // namespace
}  // namespace tacit::service::demo
