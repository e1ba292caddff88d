// A contest against an oracle that is told every index: the same arms, the same ties, the same draws; and what it says of
// how long they stand. Bounds that are a little too tight are found out.
#include "tacit/policies/contest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tacit/actions/single.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/mgf.hpp"
#include "tacit/indices/phase_imed.hpp"
#include "tacit/indices/stop_index.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/crossing.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::policies {
namespace {

using Stream = random::SimulationStream;

/// States that change like those of arms do: by a bit for the arm that was chosen.
template <class Index>
class Arms {
 public:
  Arms(const Index& index, int arms, double first) : index_(index), estimates_(arms) {
    for (Arm arm = 0; arm < arms; ++arm) states_.push_back(index_.prepare(estimates_[arm]));
    first_ = first;
  }
  const PerArm<typename Index::State>& states() const { return states_; }
  void observe(Arm arm, Stream& random) {
    const double mean = 0.3 + 0.4 * arm / states_.arms();
    auto& e = estimates_[arm];
    const Round n = first_ > 1 ? static_cast<Round>(std::min(1e4, first_ + 0.5 * e.n)) : 1;
    auto sum = static_cast<double>(random::binomial(random, n, mean));
    if (first_ > 1) sum += random::laplace(random, 1);
    add(e, sum, n);
    states_[arm] = index_.prepare(e);
  }

 private:
  static void add(estimators::Accumulate& e, double sum, Round n) { e.add(sum, n, 1); }
  static void add(estimators::KeepPhases& e, double sum, Round n) { e.add(sum, n, 1); }

  using Kept = std::conditional_t<indices::kComparesWithBestMean<Index>, estimators::KeepPhases,
                                  estimators::Accumulate>;
  const Index& index_;
  double first_;  // outcomes in a first phase; 1: every outcome is told by itself
  PerArm<Kept> estimates_;
  PerArm<typename Index::State> states_;
};

struct Played {
  int choices = 0;
  int differ = 0;
  int ties = 0;
  int stood = 0;        // choices that were said to stand for a while
  int stood_wrong = 0;  // and did not
};

/// The oracle of all indices.
template <class Index>
actions::ChosenSet choose_by_all(const Index& index, const PerArm<typename Index::State>& states,
                                 const indices::Clock& clock, actions::Oracle& oracle,
                                 const random::Dice& dice) {
  std::vector<double> scores;
  for (const auto& state : states) scores.push_back(index.value(state, clock));
  oracle.set_scores(scores);
  return oracle.choose(clock.t, dice);
}

/// Whether it is known how long one index stays above another.
template <class Index>
inline constexpr bool kCanStand = HasCrossings<Index> || requires(const Index& index) {
  index.concave(typename Index::State{}, indices::Clock{});
};

/// `Said` is the index that the contest is told of, `Index` the one that the oracle is.
template <class Said, class Index>
Played play(const Said& said, const Index& index, int arms, int places, double first, int choices,
            std::uint64_t run) {
  const random::SimulationKey key(7, "contest", "test", run);
  const random::Dice dice(key);
  auto random = key.stream(random::Purpose::kOutcomes);
  Arms<Index> world(index, arms, first);
  Contest<Said> contest(arms, places);
  const actions::TopK set(arms, places);
  const auto oracle = set.oracle();
  Played played;
  Round t = 1;
  for (int i = 0; i < choices; ++i) {
    indices::Clock clock = indices::clock_of(index, t);
    const actions::ChosenSet chosen = contest.choose(said, world.states(), clock, dice);
    std::vector<Arm> ours(chosen.arms.begin(), chosen.arms.end());
    const actions::ChosenSet all = choose_by_all(index, world.states(), clock, *oracle, dice);
    std::vector<Arm> theirs(all.arms.begin(), all.arms.end());
    if (!all.tied) {  // who comes first is not said
      std::sort(ours.begin(), ours.end());
      std::sort(theirs.begin(), theirs.end());
    }
    ++played.choices;
    played.ties += all.tied ? 1 : 0;
    if (ours != theirs || chosen.tied != all.tied) ++played.differ;
    if constexpr (kCanStand<Index>) {
      if (!all.tied) {
        const Round limit = t + 1 + static_cast<Round>(random() % 1000);
        const Round until = contest.stands_until(said, world.states(), clock, limit);
        played.stood += until > t ? 1 : 0;
        const actions::ChosenSet then =
            choose_by_all(index, world.states(), indices::clock_of(index, until), *oracle, dice);
        std::vector<Arm> later(then.arms.begin(), then.arms.end());
        std::sort(later.begin(), later.end());
        if (later != theirs || then.tied) ++played.stood_wrong;
      }
    }
    for (const Arm arm : ours) {
      if (random::uniform_index(random, 3) > 0) continue;
      world.observe(arm, random);
      contest.changed(arm);
    }
    if (random::uniform_index(random, 40) == 0) {  // an answer that comes late
      const Arm arm = random::uniform_index(random, arms);
      world.observe(arm, random);
      contest.changed(arm);
    }
    if (random::uniform_index(random, 500) == 0) contest.forget();
    t += first > 1 ? static_cast<Round>(random() % 30) : 1;
  }
  return played;
}

template <class Index>
void expect_the_same(const Index& index, double first, int choices) {
  std::uint64_t run = 0;
  for (const int arms : {1, 2, 5, 20, 150}) {
    for (const int places : {1, 2, 4, 20}) {
      if (places > arms) continue;
      const Played played = play(index, index, arms, places, first, choices, ++run);
      EXPECT_EQ(played.differ, 0) << arms << " " << places;
      EXPECT_EQ(played.stood_wrong, 0) << arms << " " << places;
      EXPECT_EQ(played.ties > 0, arms > places) << arms << " " << places;  // at first
    }
  }
}

TEST(Contest, ChoosesWhatAnOracleOfAllIndicesDoes) {
  expect_the_same(indices::KlUcb({}), 1, 3000);
  expect_the_same(indices::KlUcb({.iterated_factor = 3}), 1, 1500);
  expect_the_same(indices::Ucb(2, 1), 1, 3000);
  expect_the_same(indices::Ucb(3, 3), 4, 3000);
  expect_the_same(indices::MgfUcb(1, indices::Level::kJustified, 1.5), 4, 1000);
  expect_the_same(indices::PhaseImed(1, 20), 8, 1000);
}

/// A bound that is one per cent too tight: a tangent that rises too little, and what is above a value by less than that is
/// not looked for.
template <class Index>
class TooTight : public Index {
 public:
  using Index::Index;
  explicit TooTight(const Index& index) : Index(index) {}
  indices::Enclosure near(const typename Index::State& s, const indices::Clock& clock,
                          double guess) const {
    indices::Enclosure e = Index::near(s, clock, guess);
    e.slope *= indices::kGrows<Index> ? 0.99 : 1.01;
    return e;
  }
};
/// An enclosure that misses the index by a millionth.
template <class Index>
class Biased : public Index {
 public:
  explicit Biased(const Index& index) : Index(index) {}
  indices::Enclosure near(const typename Index::State& s, const indices::Clock& clock,
                          double guess) const {
    indices::Enclosure e = Index::near(s, clock, guess);
    if (!e.lasting) e.value *= 1 - 1e-6 * (s.mean > 0.5 ? 1 : 0);
    return e;
  }
};

template <class Said, class Index>
int differences(const Index& index, double first) {
  int differ = 0;
  for (std::uint64_t run = 1; run <= 4; ++run) {
    differ += play(Said(index), index, 150, 1, first, 6000, run).differ;
  }
  return differ;
}

TEST(Contest, IsFoundOutWhenItsBoundsAreOnePerCentTooTight) {
  EXPECT_GT(differences<TooTight<indices::KlUcb>>(indices::KlUcb({}), 1), 0);
  EXPECT_GT(differences<TooTight<indices::Ucb>>(indices::Ucb(2, 1), 1), 0);
  EXPECT_GT(differences<Biased<indices::KlUcb>>(indices::KlUcb({}), 1), 0);
}

TEST(Contest, RanksThoseThatItChose) {
  const indices::KlUcb index({.iterated_factor = 3});
  const random::SimulationKey key(7, "contest", "rank", 0);
  const random::Dice dice(key);
  auto random = key.stream(random::Purpose::kOutcomes);
  Arms<indices::KlUcb> world(index, 20, 1);
  Contest<indices::KlUcb> contest(20, 4);
  std::vector<Arm> ranked;
  int told = 0;
  int equal = 0;
  for (Round t = 1; t <= 20000; ++t) {
    indices::Clock clock = indices::clock_of(index, t);
    const actions::ChosenSet chosen = contest.choose(index, world.states(), clock, dice);
    const std::vector<Arm> arms(chosen.arms.begin(), chosen.arms.end());
    if (!chosen.tied) {
      const bool apart = contest.rank(index, world.states(), clock, ranked);
      ASSERT_TRUE(std::is_permutation(ranked.begin(), ranked.end(), arms.begin(), arms.end()));
      bool strictly = true;
      for (std::size_t i = 1; i < ranked.size(); ++i) {
        strictly = strictly && index.value(world.states()[ranked[i - 1]], clock) >
                                   index.value(world.states()[ranked[i]], clock);
      }
      ASSERT_EQ(apart, strictly) << t;
      (apart ? told : equal) += 1;
    }
    for (const Arm arm : arms) {
      world.observe(arm, random);
      contest.changed(arm);
    }
  }
  EXPECT_GT(told, 1000);
  EXPECT_GT(equal, 10);
}

}  // namespace
}  // namespace tacit::policies
