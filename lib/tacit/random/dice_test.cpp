// Where a stream is, streams that go on from there, and the dice of a learner.
#include "tacit/random/dice.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "tacit/core/state.hpp"

namespace tacit::random {
namespace {

SimulationKey key(std::uint64_t run = 0) { return {1, "dice", "test", run}; }
SimulationStream stream() { return key().stream(Purpose::kDecisions); }

TEST(SimulationStream, KnowsHowManyWordsItHandedOut) {
  auto numbers = stream();
  EXPECT_EQ(numbers.used(), 0U);
  for (std::uint64_t n = 1; n <= 100; ++n) {
    numbers();
    ASSERT_EQ(numbers.used(), n);
  }
}

TEST(SimulationStream, GoesOnFromAnyPlace) {
  constexpr std::uint64_t kWords = 100;  // more than three buffers
  auto numbers = stream();
  std::vector<std::uint64_t> words(kWords);
  for (std::uint64_t& word : words) word = numbers();
  for (std::uint64_t used = 0; used < kWords; ++used) {
    auto again = stream();
    again.skip_to(used);
    ASSERT_EQ(again.used(), used);
    for (std::uint64_t i = used; i < kWords; ++i) ASSERT_EQ(again(), words[i]) << used << " " << i;
    ASSERT_EQ(again.used(), kWords);
  }
}

TEST(SimulationStream, GoesBackAndStaysWhereItIs) {
  auto numbers = stream();
  const std::uint64_t first = numbers();
  for (int i = 0; i < 70; ++i) numbers();
  auto twin = numbers;
  twin.skip_to(twin.used());
  EXPECT_EQ(twin(), numbers());
  numbers.skip_to(0);
  EXPECT_EQ(numbers(), first);
}

TEST(SimulationStream, SkipsFarAtOnce) {
  constexpr std::uint64_t kFar = (std::uint64_t{1} << 60) + 17;
  auto numbers = stream();
  numbers.skip_to(kFar);
  EXPECT_EQ(numbers.used(), kFar);
  auto twin = stream();
  twin.skip_to(kFar - 1);
  twin();
  EXPECT_EQ(twin(), numbers());
}

TEST(Dice, ThrowTheSameTwice) {
  Dice dice(key());
  Dice again(key());
  EXPECT_EQ(dice.ties(5)(), again.ties(5)());
  EXPECT_EQ(dice.decisions()(), again.decisions()());
  EXPECT_EQ(Dice::numbered(9).ties(1)(), Dice::numbered(9).ties(1)());
  EXPECT_EQ(Dice::named("matching", "a graph").ties(1)(),
            Dice::named("matching", "a graph").ties(1)());
}

TEST(Dice, OfDifferentRunsNumbersNamesRoundsAndDrawsDiffer) {
  std::set<std::uint64_t> words;
  for (const std::uint64_t run : {0, 1}) words.insert(Dice(key(run)).ties(1)());
  for (const std::uint64_t number : {0, 1}) words.insert(Dice::numbered(number).ties(1)());
  for (const char* object : {"a", "b"}) {
    words.insert(Dice::named("a", object).ties(1)());
    words.insert(Dice::named("b", object).ties(1)());
  }
  const Dice dice(key(2));
  for (const Round t : {Round{0}, Round{1}, Round{2}, kLastRound}) {
    for (const std::uint64_t draw : {0, 1, 2}) words.insert(dice.ties(t, draw)());
  }
  words.insert(Dice(key(2)).decisions()());
  EXPECT_EQ(words.size(), 2U + 2 + 4 + 12 + 1);
}

TEST(Dice, ShareNoWordWithTheWorldNorWithTheNoise) {
  Dice dice(key());
  std::set<std::uint64_t> public_words;
  for (int i = 0; i < 64; ++i) {
    public_words.insert(dice.decisions()());
    public_words.insert(dice.ties(i)());
  }
  auto outcomes = key().stream(Purpose::kOutcomes);
  for (std::uint64_t i = 0; i < 64; ++i) {
    EXPECT_FALSE(public_words.contains(outcomes()));
    EXPECT_FALSE(public_words.contains(key().at(Purpose::kNoise, i)()));
  }
}

TEST(Dice, TiesDoNotMoveTheStream) {
  Dice dice(key());
  dice.ties(1)();
  EXPECT_EQ(dice.decisions().used(), 0U);
}

TEST(Dice, GoOnWhereTheyWereSaved) {
  for (const int thrown : {0, 1, 31, 32, 33, 1000}) {
    Dice dice(key());
    for (int i = 0; i < thrown; ++i) dice.decisions()();
    StateWriter writer;
    writer(dice);
    EXPECT_EQ(dice.decisions().used(), static_cast<std::uint64_t>(thrown)) << "saving throws none";
    Dice again(key());
    for (int i = 0; i < 5; ++i) again.decisions()();
    StateReader reader(writer.text());
    reader(again);
    for (int i = 0; i < 40; ++i) ASSERT_EQ(again.decisions()(), dice.decisions()()) << thrown;
  }
}

}  // namespace
}  // namespace tacit::random
