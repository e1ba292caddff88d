#include "tacit/feedback/feedback.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/stop_response.hpp"

namespace tacit::feedback {
namespace {

using Vector = std::vector<int>;

constexpr int kLongest = 6;

/// What a user who stops at `stop` (size: nowhere) of a list of `size` items does to each sum.
Vector clicks(int size, int stop) {
  Vector v;
  for (int k = 0; k < size; ++k) v.push_back(k == stop ? 1 : 0);
  return v;
}
Vector first_click(int /*size*/, int stop) { return {stop == 0 ? 1 : 0}; }

/// What was seen to move, in the numbers of a Sensitivity.
struct Moved {
  double l0 = 0;
  double linf = 0;
  double l1 = 0;
  double l2 = 0;
  bool monotone = true;
};

/// The largest changes over all pairs of stops.
template <class Datum>
Moved by_trying(int size, Datum datum) {
  Moved most;
  for (int a = 0; a <= size; ++a) {
    for (int b = 0; b <= size; ++b) {
      const Vector x = datum(size, a);
      const Vector y = datum(size, b);
      Moved s;
      bool up = false;
      bool down = false;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double moved = std::abs(x[i] - y[i]);
        s.l0 += moved > 0 ? 1 : 0;
        s.linf = std::max(s.linf, moved);
        s.l1 += moved;
        s.l2 += moved * moved;
        up = up || y[i] > x[i];
        down = down || y[i] < x[i];
      }
      most = {.l0 = std::max(most.l0, s.l0),
              .linf = std::max(most.linf, s.linf),
              .l1 = std::max(most.l1, s.l1),
              .l2 = std::max(most.l2, std::sqrt(s.l2)),
              .monotone = most.monotone && !(up && down)};
    }
  }
  return most;
}

void expect_sensitivity(const privacy::Sensitivity& said, const Moved& tried) {
  EXPECT_EQ(said.l0(), tried.l0);
  EXPECT_EQ(said.linf(), tried.linf);
  EXPECT_EQ(said.l1(), tried.l1);
  EXPECT_DOUBLE_EQ(said.l2(), tried.l2);
  EXPECT_TRUE(tried.monotone || !said.monotone()) << "promises less than it can move";
}

TEST(CascadeFeedback, ClicksMoveAsFarAsTheWorstPairOfStops) {
  for (int size = 1; size <= kLongest; ++size) {
    SCOPED_TRACE(size);
    expect_sensitivity(Cascade::sensitivity(size), by_trying(size, clicks));
  }
}

TEST(CascadeFeedback, TheFirstPositionMovesByOneHoweverLongTheListIs) {
  for (int size = 1; size <= kLongest; ++size) {
    SCOPED_TRACE(size);
    expect_sensitivity(CascadeFirst::sensitivity(size), by_trying(size, first_click));
  }
}

TEST(CascadeFeedback, IsTwoClicksHoweverLongTheListIs) {
  EXPECT_EQ(Cascade::sensitivity(4).l1(), 2);
  EXPECT_DOUBLE_EQ(Cascade::sensitivity(4).l2(), std::sqrt(2.0));
  EXPECT_EQ(CascadeFirst::sensitivity(4).l1(), 1);
}

TEST(CascadeFeedback, GuaranteesFollowFromWhatMoves) {
  const privacy::Laplace noise(2);
  EXPECT_DOUBLE_EQ(guarantee<Cascade>(privacy::Notion::kCentral, 4, 1, noise).epsilon, 1);
  EXPECT_DOUBLE_EQ(guarantee<Cascade>(privacy::Notion::kCentral, 1, 1, noise).epsilon, 0.5);
  EXPECT_DOUBLE_EQ(guarantee<CascadeFirst>(privacy::Notion::kCentral, 4, 3, noise).epsilon, 1.5);
  const auto local =
      guarantee<Cascade>(privacy::Notion::kLocal, 4, 1, privacy::StopResponse(0.7, 4));
  EXPECT_DOUBLE_EQ(local.epsilon, 0.7);
  EXPECT_EQ(local.delta, 0);
  EXPECT_NE(local.because.find("one of 4 positions, or none"), std::string::npos) << local.because;
}

/// Outcomes of all arms in {0, 1/2, 1}: how far two users can be apart.
Moved by_trying_outcomes(int arms) {
  int vectors = 1;
  for (int i = 0; i < arms; ++i) vectors *= 3;
  double l1 = 0;
  double l2 = 0;
  bool monotone = true;
  for (int a = 0; a < vectors; ++a) {
    for (int b = 0; b < vectors; ++b) {
      double sum = 0;
      double squares = 0;
      bool up = false;
      bool down = false;
      for (int i = 0, x = a, y = b; i < arms; ++i, x /= 3, y /= 3) {
        const double moved = 0.5 * (y % 3 - x % 3);
        sum += std::abs(moved);
        squares += moved * moved;
        up = up || moved > 0;
        down = down || moved < 0;
      }
      l1 = std::max(l1, sum);
      l2 = std::max(l2, std::sqrt(squares));
      monotone = monotone && !(up && down);
    }
  }
  return {.l0 = static_cast<double>(arms), .linf = 1, .l1 = l1, .l2 = l2, .monotone = monotone};
}

TEST(OutcomeFeedback, MovesAsFarAsTheWorstPairOfUsers) {
  for (int arms = 1; arms <= 4; ++arms) {
    SCOPED_TRACE(arms);
    const Moved all = by_trying_outcomes(arms);
    expect_sensitivity(FullInformation::sensitivity(arms), all);
    expect_sensitivity(SemiBandit::sensitivity(arms), all);
    expect_sensitivity(Bandit::sensitivity(arms), by_trying_outcomes(1));
  }
}

TEST(Feedback, HasItsNames) {
  EXPECT_STREQ(name_of(Kind::kBandit), "bandit");
  EXPECT_STREQ(name_of(Kind::kFull), "full");
  EXPECT_STREQ(name_of(Kind::kSemi), "semi");
  EXPECT_STREQ(name_of(Kind::kCascade), "cascade");
}

}  // namespace
}  // namespace tacit::feedback
