#include "tacit/service/token.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "tacit/random/base64.hpp"

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

// What a visitor has of two events must not tell how many lie between them, or whether the service has started again.
TEST(Token, DoesNotTellItsNumber) {
  const TokenKeys keys = keys_with(1, TokenKeys::fresh_key());
  constexpr int kTokens = 2000;
  constexpr std::size_t kNonce = 12;
  std::set<std::string> heads;
  std::array<int, 8 * kNonce> ones{};
  for (int i = 0; i < kTokens; ++i) {
    const auto bytes = random::from_base64(
        keys.token({.incarnation = 1, .number = static_cast<std::uint64_t>(i), .arms = {1}}));
    ASSERT_TRUE(bytes);
    EXPECT_EQ((*bytes)[0], 129);
    heads.emplace(bytes->begin() + 1, bytes->begin() + 1 + kNonce);
    for (std::size_t bit = 0; bit < ones.size(); ++bit) {
      ones[bit] += ((*bytes)[1 + bit / 8] >> (bit % 8)) & 1;
    }
  }
  EXPECT_EQ(heads.size(), static_cast<std::size_t>(kTokens));
  // Each bit is a coin: 96 of them, at an error of 1e-6 together.
  const double far = 5.8 * std::sqrt(kTokens / 4.0);
  for (const int count : ones) EXPECT_NEAR(count, kTokens / 2, far);
}

// As a service wrote it that did not mask the nonce: full_event(), under a key 1 of 32 bytes of 7.
constexpr const char* kEarlierToken =
    "Af_______________5qofWKNAMSdKxQO2KYOEKCHfwkFOisL1GQAmDweosvs"
    "xVFQVjBmfgCQnXeQNSQNpwbGYieioxvL";

TEST(Token, OfAnEarlierVersionIsRead) {
  TokenKeys::Key key{};
  key.fill(7);
  const TokenKeys keys = keys_with(1, key);
  const auto event = keys.read(kEarlierToken);
  ASSERT_TRUE(event);
  EXPECT_EQ(*event, full_event());
  EXPECT_NE(keys.token(*event), kEarlierToken);
  EXPECT_EQ(keys.read(keys.token(*event)), full_event());
  std::string masked = kEarlierToken;
  masked[0] = 'g';  // which says that it is masked
  EXPECT_FALSE(keys.read(masked));
}

}  // namespace
}  // namespace tacit::service
