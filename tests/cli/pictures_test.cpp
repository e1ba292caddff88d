// Pictures in docs that are written by hand, not drawn by the program: their tags close in turn, and the pages show them.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tacit::cli_test {
namespace {

const std::filesystem::path kDocs = TACIT_TEST_DATA "/../../docs";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What is wrong with a document of tags; "" for nothing.
std::string fault_of(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) return "a tag does not end";
    const std::string tag = text.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos) return "a tag within a tag: " + tag;
    std::size_t quotes = 0;
    for (const char c : tag) quotes += c == '"' ? 1 : 0;
    if (quotes % 2 != 0) return "a quote does not end: " + tag;
    const bool closes = tag.starts_with('/');
    const std::string name =
        tag.substr(closes ? 1 : 0, tag.find_first_of(" /\n", 1) - (closes ? 1 : 0));
    if (closes) {
      if (open.empty() || open.back() != name) return "closed out of turn: " + name;
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

TEST(Pictures, AreWellFormed) {
  int pictures = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kDocs)) {
    if (entry.path().extension() != ".svg") continue;
    const std::string text = text_of(entry.path());
    if (text.find("Produced by GNUPLOT") != std::string::npos) continue;
    ++pictures;
    EXPECT_EQ(fault_of(text), "") << entry.path();
    EXPECT_TRUE(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox="));
    EXPECT_NE(text.find("<title"), std::string::npos) << "for those who do not see it";
    EXPECT_NE(text.find("prefers-color-scheme: dark"), std::string::npos);
  }
  EXPECT_GT(pictures, 0);
}

TEST(Pictures, AreShownByAPage) {
  EXPECT_NE(text_of(kDocs / "guarantees.md").find("(notions.svg)"), std::string::npos);
  EXPECT_NE(text_of(kDocs / "choosing.md").find("(price-of-privacy.svg)"), std::string::npos);
  EXPECT_NE(text_of(kDocs / "../README.md").find("(docs/price-of-privacy.svg)"), std::string::npos);
}

TEST(Pictures, ThatAreBrokenAreNoticed) {
  EXPECT_EQ(fault_of("<svg><g/><text>x</text></svg>"), "");
  EXPECT_EQ(fault_of("<svg><g></svg>"), "closed out of turn: svg");
  EXPECT_EQ(fault_of("<svg>"), "not closed: svg");
  EXPECT_EQ(fault_of("<svg><g x=\"1/></svg>"), "a quote does not end: g x=\"1/");
  EXPECT_EQ(fault_of("<svg></svg"), "a tag does not end");
}

}  // namespace
}  // namespace tacit::cli_test
