#include "tacit/audit/learned.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "tacit/audit/certified.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::audit {
namespace {

using Stream = random::SimulationStream;
/// What is seen of a run on the one table, or on the other.
using World = std::function<Seen(bool one, Stream& stream)>;

struct Answer {
  int runs = 0;
  double certified = 0;
  std::string by;
};

/// Until the claim of epsilon 1 is refuted.
Answer guess(const World& world, int most = 5000, std::uint64_t seed = 1, double error = 1e-3) {
  auto stream =
      random::SimulationKey(seed, "learned", "world", 0).stream(random::Purpose::kOutcomes);
  LearnedGuess learned(2, 1);
  Certified certified(1, 0, error);
  Answer answer;
  for (; answer.runs < most && certified.epsilon() < 1; ++answer.runs) {
    // The second pair tells nothing.
    const std::size_t pair = answer.runs % 2 == 0 ? 0 : 1;
    const bool one = random::bernoulli(stream, 0.5);
    const Seen seen = world(one && pair == 0, stream);
    certified.add(one, {.by_law = 0, .learned = learned.log_odds(pair, seen)});
    learned.learn(pair, one, seen);
  }
  answer.certified = certified.epsilon();
  answer.by = learned.by();
  return answer;
}

double noise(Stream& stream) { return random::laplace(stream, 1); }

TEST(LearnedGuess, FindsWhatTellsWhereverItIs) {
  const struct {
    const char* by;
    World world;
  } leaks[] = {
      {"the value at place 3",
       [](bool one, Stream& s) {
         return Seen{{0, 1}, {noise(s), noise(s), one ? 9.0 : noise(s), noise(s)}};
       }},
      {"the action at place 2",
       [](bool one, Stream& s) {
         return Seen{{random::bernoulli(s, 0.5) ? 1.0 : 0.0, one ? 1.0 : 0.0}, {noise(s)}};
       }},
      {"the difference of values 1 and 12",  // the noise cancels
       [](bool one, Stream& s) {
         Seen seen{{0}, {}};
         for (int i = 0; i < 12; ++i) seen.shown.push_back(5 * noise(s));
         seen.shown[11] = seen.shown[0] + (one ? 1 : 0);
         return seen;
       }},
      {"the sum of values 2 and 5",
       [](bool one, Stream& s) {
         Seen seen{{0}, {}};
         for (int i = 0; i < 12; ++i) seen.shown.push_back(5 * noise(s));
         seen.shown[4] = (one ? 1 : 0) - seen.shown[1];
         return seen;
       }},
      {"the number of values",
       [](bool one, Stream& s) {
         Seen seen{{0}, {noise(s), noise(s)}};
         if (one) seen.shown.push_back(noise(s));
         return seen;
       }},
      {"the list of actions",  // whose bits are even
       [](bool one, Stream& s) {
         Seen seen{{}, {}};
         int ones = 0;
         for (int i = 0; i < 4; ++i) {
           const bool bit = random::bernoulli(s, 0.5);
           ones += bit ? 1 : 0;
           seen.actions.push_back(bit ? 1 : 0);
         }
         seen.actions.push_back((ones % 2 == 1) == one ? 1 : 0);
         return seen;
       }},
      {"all values together",
       [](bool one, Stream& s) {
         Seen seen{{0}, {}};
         for (int i = 0; i < 40; ++i) seen.shown.push_back(noise(s) + (one ? 0.7 : 0));
         return seen;
       }},
  };
  for (const auto& leak : leaks) {
    const Answer answer = guess(leak.world);
    EXPECT_GE(answer.certified, 1) << leak.by;
    EXPECT_LT(answer.runs, 4000) << leak.by;
    // An absent value tells as much as their number.
    if (leak.by == std::string("the number of values")) continue;
    EXPECT_EQ(answer.by, leak.by);
  }
}

TEST(LearnedGuess, SeldomRefutesWhatIsTrue) {
  // One value with Laplace noise of scale 1: epsilon is 1.
  int refuted = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const World world = [](bool one, Stream& s) {
      return Seen{{0}, {noise(s) + (one ? 1 : 0), noise(s)}};
    };
    refuted += guess(world, 1500, seed, 0.05).certified >= 1 ? 1 : 0;
  }
  EXPECT_LE(refuted, 7) << "3 are expected at most";
}

TEST(LearnedGuess, HasNoIdeaWhereNothingTells) {
  const World same = [](bool, Stream& s) { return Seen{{0, 1}, {noise(s)}}; };
  const Answer answer = guess(same, 2000);
  EXPECT_EQ(answer.certified, 0);
  const World nothing = [](bool, Stream&) { return Seen{}; };
  EXPECT_EQ(guess(nothing, 500).by, "");
  LearnedGuess fresh(1, 1);
  EXPECT_EQ(fresh.log_odds(0, {{1}, {2}}), 0) << "before the first run";
}

}  // namespace
}  // namespace tacit::audit
