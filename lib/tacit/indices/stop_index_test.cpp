#include "tacit/indices/stop_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tacit/core/indexed.hpp"
#include "tacit/privacy/stop_response.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::indices {
namespace {

using privacy::StopResponse;
using Kind = StopResponse::Kind;

constexpr int kListLength = 4;
constexpr std::array<Kind, 2> kKinds{Kind::kResponse, Kind::kEncoding};
constexpr std::array<double, 2> kEpsilons{0.5, 2};
constexpr std::array<double, 3> kAttractions{0.05, 0.2, 0.5};
constexpr std::array<int, 3> kRounds{10, 100, 1000};

StopIndex index_of(const StopResponse& r) { return {r.q(), r.gap(), r.kind() == Kind::kResponse}; }

/// What one report says of an item: whether its own bit is set, how many of the bits before it are.
struct Said {
  int own = 0;
  int before = 0;
  double chance = 0;
};

/// The law of a report on an item of attraction w at `position`, behind items of attraction `others`.
std::vector<Said> law_of_a_showing(const StopResponse& r, int position, double w, double others) {
  const double reached = std::pow(1 - others, position);
  struct Truth {
    bool here;
    bool before;
    double chance;
  };
  std::vector<Said> law;
  for (const Truth truth : {Truth{true, false, reached * w}, Truth{false, false, reached * (1 - w)},
                            Truth{false, true, 1 - reached}}) {
    const double own = truth.here ? r.p() : r.q();
    if (r.kind() == Kind::kResponse) {
      const double before = (truth.before ? r.p() - r.q() : 0) + position * r.q();
      law.push_back({1, 0, truth.chance * own});
      if (position > 0) law.push_back({0, 1, truth.chance * before});
      law.push_back({0, 0, truth.chance * (1 - own - before)});
      continue;
    }
    for (int bits = 0; bits < 1 << position; ++bits) {
      double chance = truth.chance;
      int set = 0;
      for (int k = 0; k < position; ++k) {
        // Where before the item the user stopped does not matter to the number of bits: say first.
        const double one = truth.before && k == 0 ? r.p() : r.q();
        const bool is_set = ((bits >> k) & 1) != 0;
        chance *= is_set ? one : 1 - one;
        set += is_set ? 1 : 0;
      }
      law.push_back({1, set, chance * own});
      law.push_back({0, set, chance * (1 - own)});
    }
  }
  return law;
}

double click_of(const StopResponse& r, double own) { return (own - r.q()) / (r.p() - r.q()); }
double examination_of(const StopResponse& r, int position, double before) {
  return 1 - (before - position * r.q()) / (r.p() - r.q());
}

/// Mean, variance and least value of X = y - w o in one showing, by enumeration.
struct Spread {
  double mean = 0;
  double variance = 0;
  double least = std::numeric_limits<double>::infinity();
};
Spread spread_of(const StopResponse& r, int position, double w, double others) {
  Spread s;
  double square = 0;
  for (const Said& said : law_of_a_showing(r, position, w, others)) {
    const double x = click_of(r, said.own) - w * examination_of(r, position, said.before);
    s.mean += said.chance * x;
    square += said.chance * x * x;
    s.least = std::min(s.least, x);
  }
  s.variance = square - s.mean * s.mean;
  return s;
}

template <class Check>
void for_each_response(Check check) {
  for (const Kind kind : kKinds) {
    for (const double epsilon : kEpsilons) {
      SCOPED_TRACE(::testing::Message() << (kind == Kind::kResponse ? "response" : "encoding")
                                        << ", epsilon " << epsilon);
      check(StopResponse(epsilon, kListLength, kind));
    }
  }
}

/// The state after showings at these positions, of which `own` and `before` bits were set in all.
StopIndex::State state_of(const StopIndex& index, const StopResponse& r,
                          const std::vector<int>& positions, int own, int before) {
  StopIndex::State s;
  double own_left = own;
  double before_left = before;
  for (const int position : positions) {
    // All in the first showing: sums are what counts.
    index.add(s, position, click_of(r, own_left), examination_of(r, position, before_left));
    own_left = 0;
    before_left = 0;
  }
  return s;
}

/// P(index < attraction) after the first n of these showings, for every n asked for, at every level.
class Failures {
 public:
  Failures(const StopResponse& r, const std::vector<int>& positions, double w, double others)
      : response_(r), index_(index_of(r)), positions_(positions), w_(w) {
    widest_ = 1;
    for (const int position : positions) widest_ += r.kind() == Kind::kResponse ? 1 : position;
    chances_.assign((positions.size() + 1) * widest_, 0);
    chances_[0] = 1;
    for (int position = 0; position < kListLength; ++position) {
      laws_.push_back(law_of_a_showing(r, position, w, others));
    }
  }

  /// One showing more.
  void advance() {
    std::vector<double> next(chances_.size(), 0);
    const auto& law = laws_[positions_[shown_]];
    for (std::size_t i = 0; i < chances_.size(); ++i) {
      if (chances_[i] < kNegligible) continue;
      for (const Said& said : law) {
        next[i + static_cast<std::size_t>(said.own) * widest_ +
             static_cast<std::size_t>(said.before)] += chances_[i] * said.chance;
      }
    }
    chances_ = std::move(next);
    ++shown_;
  }

  std::size_t shown() const { return shown_; }

  /// What is negligible counts as a failure, so that nothing is left out.
  double at_level(double level) const {
    const std::vector<int> positions(positions_.begin(),
                                     positions_.begin() + static_cast<std::ptrdiff_t>(shown_));
    double covered = 0;
    // The showings and with them the variance are the same in every state; only the sums differ.
    StopIndex::State s = state_of(index_, response_, positions, 0, 0);
    const StopIndex::State none = s;
    const double step = 1 / (response_.p() - response_.q());
    for (std::size_t i = 0; i < chances_.size(); ++i) {
      if (chances_[i] < kNegligible) continue;
      s.clicks = none.clicks + step * static_cast<double>(i / widest_);
      s.examinations = none.examinations - step * static_cast<double>(i % widest_);
      if (index_.upper(s, level) >= w_ - 1e-9) covered += chances_[i];
    }
    return 1 - covered;
  }

 private:
  static constexpr double kNegligible = 1e-11;
  StopResponse response_;
  StopIndex index_;
  std::vector<int> positions_;
  double w_;
  std::size_t widest_ = 0;
  std::size_t shown_ = 0;
  std::vector<double> chances_;      // of [own bits][bits before]
  Indexed<std::vector<Said>> laws_;  // by position
};

/// The largest failure probability, in units of 1/t, over everything that is tried.
template <class Level>
double worst_failure(Level level) {
  double worst = 0;
  for_each_response([&](const StopResponse& r) {
    // One position all the time, or the first and the last in turn.
    for (int position = 0; position <= kListLength; ++position) {
      const bool mixed = position == kListLength;
      const std::size_t most = position == 0 ? 400 : 40;
      std::vector<int> positions(most, position);
      if (mixed) {
        for (std::size_t i = 0; i < most; ++i) positions[i] = i % 2 == 0 ? 0 : kListLength - 1;
      }
      for (const double others : {0.0, 0.4}) {
        if (position == 0 && others > 0) continue;
        for (const double w : kAttractions) {
          Failures failures(r, positions, w, others);
          for (const std::size_t n : {1, 3, 10, 40, 400}) {
            if (n > most) break;
            while (failures.shown() < n) failures.advance();
            for (const int t : kRounds) {
              worst = std::max(worst, t * failures.at_level(level(static_cast<double>(t))));
            }
          }
        }
      }
    }
  });
  return worst;
}

TEST(StopIndex, CoversTheAttractionAtOneOverT) {
  EXPECT_LE(worst_failure([](double t) { return std::log(t); }), 1);
}

TEST(StopIndex, CoversTheAttractionAtThePolicysLevel) {
  const double worst =
      worst_failure([](double t) { return std::log(t) + 3 * std::log(std::log(t)); });
  EXPECT_LE(worst, std::pow(std::log(10.0), -3));  // e^-level t, largest for the least t
}

TEST(StopIndex, FailsToCoverAtHalfTheLevel) {
  EXPECT_GT(worst_failure([](double t) { return std::log(t) / 2; }), 1) << "the test can fail";
}

TEST(StopIndex, HasMeanZeroAtTheAttractionAndTheVarianceOfThoseWhoGotThere) {
  for_each_response([](const StopResponse& r) {
    const StopIndex index = index_of(r);
    for (int position = 0; position < kListLength; ++position) {
      StopIndex::State s;
      index.add(s, position, 0, 0);
      for (const double w : {0.0, 0.05, 0.2, 0.5, 0.9, 1.0}) {
        const double said = s.v0 + w * (s.v1 + w * s.v2);
        EXPECT_NEAR(said / spread_of(r, position, w, 0).variance, 1, 1e-9) << position << " " << w;
        for (const double others : {0.0, 0.3, 1.0}) {
          const Spread true_one = spread_of(r, position, w, others);
          EXPECT_NEAR(true_one.mean, 0, 1e-12) << position << " " << w;
          EXPECT_LE(true_one.variance, said * (1 + 1e-9)) << position << " " << w;
        }
      }
    }
  });
}

TEST(StopIndex, IsTheLargestAttractionThatBernsteinAllows) {
  auto random = random::SimulationKey(1, "indices", "stops", 0).stream(random::Purpose::kOutcomes);
  constexpr int kGrid = 1000;
  int inside = 0;
  for_each_response([&](const StopResponse& r) {
    const StopIndex index = index_of(r);
    for (const int n : {2, 20, 200, 2000}) {
      for (int repeat = 0; repeat < 5; ++repeat) {
        StopIndex::State s;
        Indexed<int> at(kListLength);
        for (int i = 0; i < n; ++i) {
          const int position = random::uniform_index(random, kListLength);
          double u = random::uniform_open(random);
          const auto law = law_of_a_showing(r, position, 0.1 * repeat, 0.2);
          std::size_t which = 0;
          while (which + 1 < law.size() && u >= law[which].chance) u -= law[which++].chance;
          index.add(s, position, click_of(r, law[which].own),
                    examination_of(r, position, law[which].before));
          at[position] += 1;
        }
        for (const double level : {1.0, 5.0, 14.0}) {
          double largest = 0;
          for (int i = 0; i <= kGrid; ++i) {
            const double w = static_cast<double>(i) / kGrid;
            double variance = 0;
            double c = 0;
            for (int k = 0; k < kListLength; ++k) {
              if (at[k] == 0) continue;
              const Spread x = spread_of(r, k, w, 0);
              variance += at[k] * x.variance;
              c = std::max(c, -x.least);
            }
            const double a = c * level / 3;
            const double radius = a + std::sqrt(a * a + 2 * variance * level);
            if (s.clicks - w * s.examinations >= -radius) largest = w;
          }
          const double upper = index.upper(s, level);
          EXPECT_GE(upper, largest - 1e-9) << n << " showings, level " << level;
          EXPECT_LE(upper, largest + 1.0 / kGrid) << n << " showings, level " << level;
          EXPECT_TRUE(largest < 1 || upper == 1) << upper;
          inside += upper > 0 && upper < 1 ? 1 : 0;
        }
      }
    }
  });
  EXPECT_GT(inside, 40);
}

TEST(StopIndex, IsInfiniteBeforeTheFirstShowing) {
  const StopIndex index = index_of(StopResponse(1, kListLength));
  EXPECT_EQ(index.upper({}, 1), std::numeric_limits<double>::infinity());
  EXPECT_EQ(index.upper({}, 0), std::numeric_limits<double>::infinity());
}

TEST(StopIndex, IsExactlyOneWhereOneIsAllowed) {
  for_each_response([](const StopResponse& r) {
    const StopIndex index = index_of(r);
    for (const int position : {0, 3}) {
      EXPECT_EQ(index.upper(state_of(index, r, {position}, 0, 0), 3), 1);
      EXPECT_EQ(index.upper(state_of(index, r, {position}, 1, 0), 3), 1);
    }
    // Every showing was a click: 1 is the mean itself, however much is known.
    StopIndex::State s;
    for (int i = 0; i < 100000; ++i) index.add(s, 0, 1, 1);
    EXPECT_EQ(index.upper(s, 3), 1);
  });
}

TEST(StopIndex, ShrinksToTheAttractionWithData) {
  for_each_response([](const StopResponse& r) {
    const StopIndex index = index_of(r);
    for (int position = 0; position < kListLength; ++position) {
      for (const double w : kAttractions) {
        const double reached = std::pow(0.8, position);
        double before = 1;
        StopIndex::State s;
        int n = 0;
        for (const int next : {100, 1000, 10000, 100000, 1000000}) {
          // As many clicks and examinations as one has to expect.
          for (; n < next; ++n) index.add(s, position, reached * w, reached);
          const double upper = index.upper(s, std::log(1000.0));
          EXPECT_GT(upper, w) << n;
          EXPECT_TRUE(before == 1 || upper - w < 0.7 * (before - w)) << n;
          before = upper;
        }
        EXPECT_LT(before, w + 0.1) << position << " " << w;
      }
    }
  });
}

TEST(StopIndex, GrowsWithTheLevel) {
  for_each_response([](const StopResponse& r) {
    const StopIndex index = index_of(r);
    StopIndex::State s;
    for (int i = 0; i < 3000; ++i) index.add(s, i % kListLength, 0.1, 0.7);
    double before = 0;
    for (double level = 0.1; level < 20; level *= 1.5) {
      const double upper = index.upper(s, level);
      EXPECT_TRUE(upper > before || upper == 1) << level;
      before = upper;
    }
  });
}

}  // namespace
}  // namespace tacit::indices
