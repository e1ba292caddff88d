#include "tacit/service/api/entity_tag.hpp"

#include <gtest/gtest.h>

namespace tacit::service::api {
namespace {

TEST(EntityTag, IsAFunctionOfVersionAndContent) {
  EXPECT_EQ(entity_tag("3", "a"), entity_tag("3", "a"));
  EXPECT_NE(entity_tag("3", "a"), entity_tag("3", "b"));
  EXPECT_NE(entity_tag("3", "a"), entity_tag("4", "a"));
  EXPECT_EQ(entity_tag("3", "a").substr(0, 3), "\"3-");
  EXPECT_EQ(entity_tag("3", "a").back(), '"');
}

TEST(EntityTag, IsFoundInAListAndWeak) {
  const std::string tag = entity_tag("3", "a");
  EXPECT_TRUE(names_tag(tag, tag));
  EXPECT_TRUE(names_tag("*", tag));
  EXPECT_TRUE(names_tag("\"x\", W/" + tag, tag));
  EXPECT_FALSE(names_tag("", tag));
  EXPECT_FALSE(names_tag(tag.substr(0, tag.size() - 1), tag));
  EXPECT_FALSE(names_tag(entity_tag("3", "b"), tag));
}

}  // namespace
}  // namespace tacit::service::api
