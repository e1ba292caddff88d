#include "tacit/service/token.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tacit::service {
namespace {

TokenKeys keys_with(std::uint8_t id, const TokenKeys::Key& key) {
  TokenKeys keys;
  keys.add(id, key);
  return keys;
}

Event full_event() {
  return {.incarnation = std::numeric_limits<std::uint32_t>::max(),
          .number = std::numeric_limits<std::uint64_t>::max(),
          .experiment = 7,
          .generation = 3,
          .deadline = 1'800'000'000'123,
          .recorded = true,
          .deferred = true,
          .fallback = true,
          .places = {{{2, 5}, 11}, {{-2, kLastRound}, kLastRound}},
          .page = {{-3, 9}, 4095},
          .arms = {2, 0, 9999}};
}

TEST(Token, SaysWhatWasPutIntoIt) {
  const TokenKeys keys = keys_with(1, TokenKeys::fresh_key());
  for (const Event& event : {full_event(), Event{}, Event{.arms = {0}}}) {
    const std::string token = keys.token(event);
    const auto read = keys.read(token);
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, event);
    EXPECT_EQ(keys.token(*read), token) << "the same text for the same event";
  }
}

TEST(Token, IsReadByNobodyElse) {
  const TokenKeys keys = keys_with(1, TokenKeys::fresh_key());
  const std::string token = keys.token(full_event());
  EXPECT_FALSE(keys_with(1, TokenKeys::fresh_key()).read(token));
  EXPECT_FALSE(keys_with(2, TokenKeys::fresh_key()).read(token));
  EXPECT_FALSE(TokenKeys().read(token));
}

TEST(Token, IsRefusedWhereverALetterIsChanged) {
  const TokenKeys keys = keys_with(1, TokenKeys::fresh_key());
  const std::string token = keys.token(full_event());
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string other = token;
    other[i] = other[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(keys.read(other)) << i;
    other[i] = '\xff';  // which libsodium takes for a letter
    EXPECT_FALSE(keys.read(other)) << i;
    EXPECT_FALSE(keys.read(token.substr(0, i))) << i;
  }
  EXPECT_FALSE(keys.read(""));
  EXPECT_FALSE(keys.read(token + "A"));
  EXPECT_FALSE(keys.read(token + "="));
  EXPECT_FALSE(keys.read(std::string(100'000, 'A')));
}

TEST(Token, OfAnEarlierKeyIsReadAndANewOneIsMadeWithTheNewKey) {
  const TokenKeys::Key old_key = TokenKeys::fresh_key();
  TokenKeys keys = keys_with(1, old_key);
  const std::string before = keys.token(full_event());
  keys.add(2, TokenKeys::fresh_key());
  EXPECT_EQ(keys.read(before), full_event());
  EXPECT_FALSE(keys_with(1, old_key).read(keys.token(full_event())));
}

TEST(Token, DoesNotTellByItsLengthWhetherItCounts) {
  const TokenKeys keys = keys_with(1, TokenKeys::fresh_key());
  Event event{.number = 5, .experiment = 1, .places = {{{1, 2}, 3}}, .arms = {1}};
  const std::size_t unrecorded = keys.token(event).size();
  event.recorded = true;
  EXPECT_EQ(keys.token(event).size(), unrecorded);
}

}  // namespace
}  // namespace tacit::service
