#include "tacit/random/base64.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tacit::random {
namespace {

TEST(Base64, ReadsWhatItWrites) {
  std::vector<unsigned char> bytes;
  for (int size = 0; size <= 300; ++size) {
    const std::string text = to_base64(bytes);
    EXPECT_EQ(
        text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
        std::string::npos);
    EXPECT_EQ(from_base64(text), bytes) << size;
    bytes.push_back(static_cast<unsigned char>(size * 37));
  }
}

TEST(Base64, NoBytesHaveTwoTexts) {
  const std::vector<unsigned char> bytes{1, 2, 250, 255};
  const std::string text = to_base64(bytes);
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (int c = 0; c < 256; ++c) {
      std::string altered = text;
      altered[i] = static_cast<char>(c);
      if (altered == text) continue;
      EXPECT_NE(from_base64(altered), bytes) << i << " " << c;
    }
  }
  for (const char* other : {"A", "AA=", "AA==", "A A", "AA\n", "+/AA"})
    EXPECT_EQ(from_base64(other), std::nullopt) << other;
}

}  // namespace
}  // namespace tacit::random
