// A curator's hand: noise that is known by what it is for, and notes of what was released.
#include "tacit/accounting/releases.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <type_traits>

#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/noise_source.hpp"

namespace tacit::accounting {
namespace {

random::SimulationKey key(std::uint64_t run = 0) { return {1, "releases", "test", run}; }

TEST(SimulatedNoise, IsTheSameAtTheSamePlaceAndAnotherAtAnother) {
  const privacy::SimulatedNoise noise(key());
  EXPECT_EQ(noise.at(Arm{2}, Round{5})(), noise.at(Arm{2}, Round{5})());
  EXPECT_EQ(noise.at(Arm{2}, Round{5})(), noise.at(std::uint64_t{2}, std::uint64_t{5})());
  std::set<std::uint64_t> words;
  for (const Arm arm : {kAllArms, 0, 1, 2}) {
    for (const Round release : {Round{0}, Round{1}, Round{2}, kLastRound}) {
      words.insert(noise.at(arm, release)());
    }
  }
  words.insert(privacy::SimulatedNoise(key(1)).at(Arm{0}, Round{0})());
  EXPECT_EQ(words.size(), 17U);
}

TEST(SimulatedNoise, IsExactOrIdealisedAsItWasAskedFor) {
  EXPECT_EQ(privacy::SimulatedNoise(key()).laplace(1).arithmetic(),
            privacy::Arithmetic::kIdealised);
  const privacy::SimulatedNoise exact(key(), privacy::Arithmetic::kExact);
  EXPECT_EQ(exact.arithmetic(), privacy::Arithmetic::kExact);
  EXPECT_EQ(exact.laplace(1).arithmetic(), privacy::Arithmetic::kExact);
}

TEST(SecureNoise, IsExactByItsTypeAndNeverTheSame) {
  random::SecureSource source;
  const privacy::SecureNoise noise(source);
  EXPECT_EQ(noise.arithmetic(), privacy::Arithmetic::kExact);
  static_assert(std::is_same_v<decltype(noise.laplace(1)), privacy::ExactLaplace>);
  static_assert(std::is_same_v<decltype(noise.noisy_max(privacy::NoisyMax::Noise::kLaplace, 1)),
                               privacy::ExactNoisyMax>);
  EXPECT_EQ(&noise.at(Arm{0}, Round{0}), &source);
  EXPECT_NE(noise.at(Arm{0}, Round{0}).word(), noise.at(Arm{0}, Round{0}).word());
}

TEST(Notes, WithoutALedgerAreNoneAndCostNothing) {
  const Notes notes;
  notes.show(0, 1);
  notes.note_loss(0, 1, 2, []() -> privacy::Loss {
    ADD_FAILURE() << "nobody asked for it";
    return {};
  });
}

TEST(Notes, SayWhatEachReleaseWasAboutAndWhatItCost) {
  Ledger ledger;
  const Releases<privacy::SimulatedNoise> releases(privacy::SimulatedNoise(key()), &ledger);
  const privacy::Laplace mechanism(4);
  ledger.set_round(9);
  releases.note(mechanism, 2, 5, 8);
  releases.note_all(mechanism, privacy::Sensitivity::entries(2), 1, 3);
  releases.note_loss(1, 1, 1, [] { return privacy::Loss{.epsilon = 7, .mechanism = "other"}; });
  releases.note_report(mechanism, privacy::kOneOutcome);
  ASSERT_EQ(ledger.entries().size(), 3U);
  EXPECT_EQ(ledger.entries()[0].when, 9);
  EXPECT_EQ(ledger.entries()[0].arm, 2);
  EXPECT_EQ(ledger.entries()[0].first, 5);
  EXPECT_EQ(ledger.entries()[0].last, 8);
  EXPECT_EQ(ledger.entries()[0].cost.epsilon, 0.25);
  EXPECT_EQ(ledger.entries()[1].arm, kAllArms);
  EXPECT_EQ(ledger.entries()[1].cost.epsilon, 0.5);
  EXPECT_EQ(ledger.entries()[2].cost.epsilon, 7);
  ASSERT_EQ(ledger.reports().size(), 1U);
  EXPECT_EQ(ledger.reports().begin()->second.cost.epsilon, 0.25);
}

TEST(Notes, ForATranscriptShowValuesAndKeepNoEntries) {
  Transcript transcript;
  Ledger ledger(&transcript);
  const Notes notes(&ledger);
  notes.show(3, 0.5);
  notes.note(privacy::Laplace(1), 3, 1, 1);
  ASSERT_EQ(transcript.shown.size(), 1U);
  EXPECT_EQ(transcript.shown[0].arm, 3);
  EXPECT_EQ(transcript.shown[0].value, 0.5);
  EXPECT_TRUE(ledger.entries().empty());
}

}  // namespace
}  // namespace tacit::accounting
