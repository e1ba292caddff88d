#include "tacit/privacy/sealing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <sodium.h>

#include "tacit/privacy/exact.hpp"

namespace tacit::privacy {
namespace {

const std::string kOwner = "policy 7, state 3";

Secret<Sum> secret_of(double x, Round times = 1) {
  return Secret<Sum>(Sum::repeated(Outcome::nearest(x), times));
}
bool holds(const Secret<Sum>& secret, const Sum& sum) {
  return Exact::release_as_is(secret).value() == sum;
}

std::string sealed_secret(const SealingKey& key, const Secret<Sum>& secret) {
  SealingWriter writer;
  writer(secret);
  return writer.seal(key, kOwner);
}

std::vector<unsigned char> decoded(const std::string& text) {
  std::vector<unsigned char> bytes(text.size());
  std::size_t size = 0;
  EXPECT_EQ(sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(), nullptr, &size,
                              nullptr, sodium_base64_VARIANT_URLSAFE_NO_PADDING),
            0);
  bytes.resize(size);
  return bytes;
}
std::string encoded(const std::vector<unsigned char>& bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  std::string text(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), kVariant);
  text.resize(std::strlen(text.c_str()));
  return text;
}

TEST(Sealing, GivesBackWhatWasSealed) {
  const SealingKey key = SealingKey::fresh();
  const Sum largest = Sum::of_ones(kLastRound);
  SecretVector<Sum> several(3);
  several.set(0, secret_of(0.1));
  several.set(2, Secret<Sum>(largest));
  SealingWriter writer;
  writer(secret_of(0.3, 1000), std::int64_t{-5}, several, 0.1, true,
         Secret<double>(-std::numeric_limits<double>::infinity()), std::vector<int>{1, 2},
         std::vector<double>{}, Secret<std::uint64_t>(~std::uint64_t{0}));

  Secret<Sum> sum;
  std::int64_t n = 0;
  SecretVector<Sum> back(3);
  back.set(1, secret_of(1));
  double x = 0;
  bool set = false;
  Secret<double> noise;
  std::vector<int> numbers{9};
  std::vector<double> none{9};
  Secret<std::uint64_t> bits;
  SealingReader reader(writer.seal(key, kOwner), key, kOwner);
  reader(sum, n, back, x, set, noise, numbers, none, bits);
  EXPECT_TRUE(holds(sum, Sum::repeated(Outcome::nearest(0.3), 1000)));
  EXPECT_EQ(n, -5);
  EXPECT_TRUE(holds(back[0], Sum(Outcome::nearest(0.1))));
  EXPECT_TRUE(holds(back[1], Sum()));
  EXPECT_TRUE(holds(back[2], largest));
  EXPECT_EQ(x, 0.1);
  EXPECT_TRUE(set);
  EXPECT_EQ(Exact::release_as_is(noise).value(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(numbers, (std::vector<int>{1, 2}));
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(Exact::release_as_is(bits).value(), ~std::uint64_t{0});
}

TEST(Sealing, OfNothingOpensToNothing) {
  const SealingKey key = SealingKey::fresh();
  const std::string sealed = SealingWriter().seal(key, "");
  SealingReader reader(sealed, key, "");
  int n = 0;
  EXPECT_THROW(reader(n), InvalidParameter) << "there is nothing to read";
}

TEST(Sealing, OfALongStateGivesItBack) {
  // Longer than what the writer sets aside at first.
  const SealingKey key = SealingKey::fresh();
  SealingWriter writer;
  for (int i = 0; i < 10000; ++i) writer(secret_of(i / 10000.0));
  SealingReader reader(writer.seal(key, kOwner), key, kOwner);
  for (int i = 0; i < 10000; ++i) {
    Secret<Sum> sum;
    reader(sum);
    ASSERT_TRUE(holds(sum, Sum(Outcome::nearest(i / 10000.0)))) << i;
  }
}

TEST(Sealing, DoesNotOpenWithAnotherKey) {
  const SealingKey key = SealingKey::fresh();
  const std::string sealed = sealed_secret(key, secret_of(0.5));
  EXPECT_THROW(SealingReader(sealed, SealingKey::fresh(), kOwner), InvalidParameter);
  EXPECT_NO_THROW(SealingReader(sealed, key, kOwner));
}

TEST(Sealing, DoesNotOpenForAnotherOwner) {
  const SealingKey key = SealingKey::fresh();
  const std::string sealed = sealed_secret(key, secret_of(0.5));
  for (const char* owner : {"", "policy 7, state 4", "policy 7, state 3 ", "policy 7, state "}) {
    EXPECT_THROW(SealingReader(sealed, key, owner), InvalidParameter) << owner;
  }
}

TEST(Sealing, DoesNotOpenWhenItIsCutOff) {
  const SealingKey key = SealingKey::fresh();
  const std::string sealed = sealed_secret(key, secret_of(0.5));
  for (std::size_t size = 0; size < sealed.size(); ++size) {
    EXPECT_THROW(SealingReader(sealed.substr(0, size), key, kOwner), InvalidParameter) << size;
  }
  EXPECT_THROW(SealingReader(sealed + "A", key, kOwner), InvalidParameter);
  EXPECT_THROW(SealingReader(sealed + "AAAA", key, kOwner), InvalidParameter);
}

TEST(Sealing, DoesNotOpenWhenAByteWasAltered) {
  const SealingKey key = SealingKey::fresh();
  const std::vector<unsigned char> bytes = decoded(sealed_secret(key, secret_of(0.5)));
  EXPECT_NO_THROW(SealingReader(encoded(bytes), key, kOwner)) << "unaltered it opens";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const unsigned bit : {0x01U, 0x80U}) {
      std::vector<unsigned char> altered = bytes;
      altered[i] = static_cast<unsigned char>(altered[i] ^ bit);
      EXPECT_THROW(SealingReader(encoded(altered), key, kOwner), InvalidParameter) << i;
    }
  }
}

TEST(Sealing, DoesNotOpenWhatIsNoBase64) {
  const SealingKey key = SealingKey::fresh();
  for (const char* text : {"", "!", "not sealed at all", "'", "\n"}) {
    EXPECT_THROW(SealingReader(text, key, kOwner), InvalidParameter) << text;
  }
}

TEST(Sealing, OfTheSameTwiceLooksDifferent) {
  const SealingKey key = SealingKey::fresh();
  std::set<std::string> sealed;
  for (int i = 0; i < 100; ++i) sealed.insert(sealed_secret(key, secret_of(0.5)));
  EXPECT_EQ(sealed.size(), 100U);
}

TEST(Sealing, TellsNothingByItsLength) {
  const SealingKey key = SealingKey::fresh();
  EXPECT_EQ(sealed_secret(key, secret_of(0)).size(),
            sealed_secret(key, secret_of(0.1, 12345)).size());
}

/// Whether six bytes in a row of one stand in the other.
bool shares_bytes(const std::vector<unsigned char>& secret,
                  const std::vector<unsigned char>& text) {
  constexpr std::ptrdiff_t kInARow = 6;
  for (auto from = secret.begin(); secret.end() - from >= kInARow; ++from) {
    if (std::search(text.begin(), text.end(), from, from + kInARow) != text.end()) return true;
  }
  return false;
}

TEST(Sealing, LeavesNoByteOfASumToBeSeen) {
  // Six bytes that are there by accident would be found with a probability of 1e-9.
  const Outcome outcome = Outcome::nearest(0.123456789);
  std::vector<unsigned char> plain(8);
  const std::uint64_t units = outcome.units();
  std::memcpy(plain.data(), &units, plain.size());
  const SealingKey key = SealingKey::fresh();
  for (int i = 0; i < 100; ++i) {
    SealingWriter writer;
    for (int copy = 0; copy < 10; ++copy) writer(Secret<Sum>(Sum(outcome)));
    const std::string sealed = writer.seal(key, kOwner);
    EXPECT_FALSE(shares_bytes(plain, decoded(sealed)));
    EXPECT_FALSE(shares_bytes(plain, {sealed.begin(), sealed.end()}));
  }
  EXPECT_TRUE(shares_bytes(plain, decoded(encoded(plain)))) << "the test can fail";
}

TEST(SealingReader, ReadsNoFurtherThanWhatWasSealed) {
  const SealingKey key = SealingKey::fresh();
  SealingWriter writer;
  writer(std::int32_t{1});
  SealingReader reader(writer.seal(key, kOwner), key, kOwner);
  std::int64_t n = 0;
  EXPECT_THROW(reader(n), InvalidParameter);

  SealingWriter endless;
  endless(std::numeric_limits<std::size_t>::max());
  SealingReader list(endless.seal(key, kOwner), key, kOwner);
  std::vector<double> values;
  EXPECT_THROW(list(values), InvalidParameter);
}

TEST(SealingKey, IsWrittenAndReadAsText) {
  const SealingKey key = SealingKey::fresh();
  EXPECT_EQ(key.text().size(), 64U);
  EXPECT_NE(key.text(), SealingKey::fresh().text());
  const SealingKey again = SealingKey::from_text(key.text());
  EXPECT_EQ(again.text(), key.text());
  EXPECT_NO_THROW(SealingReader(sealed_secret(key, secret_of(0.5)), again, kOwner));
}

TEST(SealingKey, RefusesAnythingButItsDigitsAndDoesNotRepeatThem) {
  const std::string digits(64, 'a');
  EXPECT_NO_THROW(SealingKey::from_text(digits));
  for (const std::string& bad : {std::string(), digits.substr(1), digits + "a", digits + "aa",
                                 digits.substr(1) + "g", " " + digits, digits + "\n"}) {
    try {
      SealingKey::from_text(bad);
      ADD_FAILURE() << "took " << bad;
    } catch (const InvalidParameter& error) {
      EXPECT_EQ(std::string(error.what()).find("aaaa"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace tacit::privacy
