#include "tacit/lab/reproduce.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace tacit::lab {
namespace {

TEST(Items, AreThePapersFiguresWithoutTheirTwins) {
  ASSERT_FALSE(items().empty());
  std::set<std::string> names;
  for (const Item& item : items()) {
    EXPECT_FALSE(item.name.ends_with("-honest")) << item.name;
    EXPECT_FALSE(item.source.empty()) << item.name;
    EXPECT_TRUE(names.insert(item.name).second) << item.name;
  }
}

}  // namespace
}  // namespace tacit::lab
