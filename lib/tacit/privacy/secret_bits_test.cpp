#include "tacit/privacy/secret_bits.hpp"

#include <gtest/gtest.h>

#include "tacit/privacy/exact.hpp"
#include "tacit/privacy/sealing.hpp"

namespace tacit::privacy {
namespace {

SecretBits of_places(Round places) {
  SecretBits bits;
  for (Round i = 0; i < places; ++i) bits.add_place();
  return bits;
}
double answer(SecretBits& bits, Round place, Round ones = 1) {
  return Exact::release(bits.once(place, Secret<Sum>(Sum::of_ones(ones)))).value();
}

TEST(SecretBits, LetTheFirstAnswerOfAPlaceCountAndNoOther) {
  SecretBits bits = of_places(3);
  EXPECT_EQ(answer(bits, 1, 5), 5);
  EXPECT_EQ(answer(bits, 1, 7), 0);
  EXPECT_EQ(answer(bits, 1, 5), 0);
  EXPECT_EQ(answer(bits, 0), 1) << "another place has an answer of its own";
  EXPECT_EQ(answer(bits, 2), 1);
}

TEST(SecretBits, CountAnAnswerOfNothingAsOne) {
  SecretBits bits = of_places(1);
  EXPECT_EQ(answer(bits, 0, 0), 0);
  EXPECT_EQ(answer(bits, 0, 1), 0) << "who said no has said so";
}

TEST(SecretBits, KeepEveryPlaceApart) {
  constexpr Round kPlaces = 200;  // several words of them
  SecretBits bits = of_places(kPlaces);
  EXPECT_EQ(bits.places(), kPlaces);
  for (Round place = 0; place < kPlaces; place += 2) ASSERT_EQ(answer(bits, place), 1) << place;
  for (Round place = 0; place < kPlaces; ++place) {
    ASSERT_EQ(answer(bits, place), place % 2 == 0 ? 0 : 1) << place;
  }
}

TEST(SecretBits, GrowByPlacesThatNobodyAnswered) {
  SecretBits bits;
  EXPECT_EQ(bits.places(), 0);
  for (Round place = 0; place < 130; ++place) {
    bits.add_place();
    EXPECT_EQ(bits.places(), place + 1);
    ASSERT_EQ(answer(bits, place), 1) << place;
    ASSERT_EQ(answer(bits, place), 0) << place;
  }
}

TEST(SecretBits, AreTheSameMadeAtOnceAndPlaceByPlace) {
  for (const Round places : {0, 1, 63, 64, 65, 4096}) {
    SecretBits bits(places);
    EXPECT_EQ(bits.places(), places);
    const SealingKey key = SealingKey::from_text(std::string(64, 'a'));
    const auto size = [&](SecretBits& of) {
      SealingWriter writer;
      writer(of);
      return writer.seal(key, "").size();
    };
    SecretBits one_by_one = of_places(places);
    EXPECT_EQ(size(bits), size(one_by_one));
    for (Round place = 0; place < places; ++place) ASSERT_EQ(answer(bits, place), 1) << place;
    bits.add_place();
    EXPECT_EQ(answer(bits, places), 1);
    EXPECT_EQ(answer(bits, places), 0);
  }
}

TEST(SecretBits, PassAValueOnWhereSomethingCounts) {
  const Secret<Sum> value(Sum::of_ones(9));
  SecretBits bits = of_places(1);
  const Secret<Sum> one(Sum::of_ones(1));
  EXPECT_EQ(Exact::release(SecretBits::times(bits.once(0, one), value)).value(), 9);
  EXPECT_EQ(Exact::release(SecretBits::times(bits.once(0, one), value)).value(), 0);
}

TEST(SecretBits, RememberWhoAnsweredWhenTheyWereSaved) {
  SecretBits bits = of_places(100);
  for (const Round place : {0, 63, 64, 99}) answer(bits, place);
  SealingWriter writer;
  writer(bits);
  const SealingKey key = SealingKey::fresh();
  SecretBits again = of_places(300);
  for (Round place = 0; place < 300; ++place) answer(again, place);  // what was there goes
  SealingReader reader(writer.seal(key, "bits"), key, "bits");
  reader(again);
  EXPECT_EQ(again.places(), 100);
  for (Round place = 0; place < 100; ++place) {
    const bool answered = place == 0 || place == 63 || place == 64 || place == 99;
    ASSERT_EQ(answer(again, place), answered ? 0 : 1) << place;
  }
  again.add_place();
  EXPECT_EQ(answer(again, 100), 1);
}

}  // namespace
}  // namespace tacit::privacy
