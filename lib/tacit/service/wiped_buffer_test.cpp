#include "tacit/service/wiped_buffer.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace tacit::service {
namespace {

std::string_view text_of(const WipedBuffer& buffer) { return {buffer.data(), buffer.size()}; }

TEST(WipedBuffer, HoldsNothingOfWhatWasThere) {
  WipedBuffer buffer;
  buffer.pad_to(3);
  EXPECT_EQ(text_of(buffer), std::string_view("\0\0\0", 3));
  constexpr std::string_view kSecret = "1234";
  buffer.append(kSecret.data(), 0);
  EXPECT_EQ(buffer.size(), 3U);
  for (int n = 0; n < 100; ++n) buffer.append(kSecret.data(), kSecret.size());
  ASSERT_EQ(buffer.size(), 403U);
  for (std::size_t i = 3; i < 403; ++i) EXPECT_EQ(buffer.data()[i], kSecret[(i - 3) % 4]);

  buffer.cut(5, buffer.size());
  ASSERT_GE(buffer.room().size(), 398U);
  for (const char c : buffer.room().first(398)) EXPECT_EQ(c, 0);
  buffer.pad_to(403);
  EXPECT_EQ(buffer.data()[4], '2');
  for (std::size_t i = 5; i < 403; ++i) EXPECT_EQ(buffer.data()[i], 0);

  buffer.cut(5, buffer.size());
  const WipedBuffer moved(std::move(buffer));
  EXPECT_EQ(moved.size(), 5U);
  EXPECT_EQ(moved.data()[3], '1');
  EXPECT_EQ(buffer.size(), 0U);  // NOLINT: what is left is empty
}

TEST(WipedBuffer, PadsWhatWasNeverWritten) {
  WipedBuffer buffer(8);
  std::ranges::fill(buffer.room(), 'x');
  buffer.pad_to(4);
  buffer.pad_to(4);
  buffer.append("ab", 2);
  EXPECT_EQ(text_of(buffer), std::string_view("\0\0\0\0ab", 6));
}

}  // namespace
}  // namespace tacit::service
