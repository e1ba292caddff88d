#include "tacit/service/api_keys.hpp"

#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::service {
namespace {

constexpr Time kNow = 1234567;

TEST(ApiKeys, OpenWhatTheyWereMadeFor) {
  for (const std::string_view role : kRoles) {
    const NewApiKey key = new_api_key(std::string(role), "the shop", kNow);
    const auto presented = parse_api_key(key.text);
    ASSERT_TRUE(presented);
    EXPECT_EQ(presented->role, role);
    EXPECT_EQ(presented->id, key.row.id);
    EXPECT_TRUE(opens(*presented, key.row));
    EXPECT_EQ(key.row.created, kNow);
    EXPECT_EQ(key.row.note, "the shop");
  }
}

TEST(ApiKeys, OpenNothingElse) {
  const NewApiKey key = new_api_key("app", "", kNow);
  EXPECT_FALSE(opens(*parse_api_key(new_api_key("app", "", kNow).text), key.row));

  std::string other_secret = key.text;
  other_secret.back() = other_secret.back() == 'A' ? 'B' : 'A';
  EXPECT_FALSE(opens(*parse_api_key(other_secret), key.row));

  const std::string claims_more = "tacit_operator" + key.text.substr(key.text.find("_", 6));
  ASSERT_TRUE(parse_api_key(claims_more));
  EXPECT_FALSE(opens(*parse_api_key(claims_more), key.row));

  ApiKeyRow revoked = key.row;
  revoked.revoked = kNow + 1;
  EXPECT_FALSE(opens(*parse_api_key(key.text), revoked));
}

TEST(ApiKeys, AreStoredAsAHashThatDoesNotTellThem) {
  const NewApiKey key = new_api_key("app", "", kNow);
  const std::string hash(key.row.hash.begin(), key.row.hash.end());
  EXPECT_EQ(key.text.find(hash), std::string::npos);
  EXPECT_NE(key.row.hash, decltype(key.row.hash){});
}

TEST(ApiKeys, AreNoKeysInAnyOtherForm) {
  const std::string text = new_api_key("viewer", "", kNow).text;
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(parse_api_key(std::string_view(text).substr(0, length))) << length;
  }
  EXPECT_FALSE(parse_api_key(text + "x"));
  EXPECT_FALSE(parse_api_key("Tacit" + text.substr(5)));
  EXPECT_FALSE(parse_api_key("tacit_boss" + text.substr(text.find('_', 6))));
}

TEST(ApiKeys, HaveARoleThatThereIs) {
  try {
    new_api_key("opertor", "", kNow);
    FAIL();
  } catch (const InvalidParameter& error) {
    EXPECT_STREQ(error.what(),
                 "role = opertor: must be one of app, client, viewer, operator; did you mean "
                 "operator?");
  }
  EXPECT_THROW(new_api_key("app", "two\nlines", kNow), InvalidParameter);
  EXPECT_THROW(new_api_key("app", "me\u2028another", kNow), InvalidParameter);
  EXPECT_THROW(new_api_key("app", "me\u202eanother", kNow), InvalidParameter);
  EXPECT_THROW(new_api_key("app", std::string(201, 'x'), kNow), InvalidParameter);
}

}  // namespace
}  // namespace tacit::service
