#include "tacit/audit/exact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tacit/audit/audit.hpp"
#include "tacit/core/indexed.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/per_arm.hpp"

namespace tacit::audit {
namespace {

TEST(ExactAudit, FindsWhatReportNoisyMaxReallyCosts) {
  for (const double epsilon : {0.5, 1.0, 2.0}) {
    SCOPED_TRACE(epsilon);
    const double corrected = exact_audit("rnm-ftnl", epsilon).epsilon;
    EXPECT_LE(corrected, epsilon);
    EXPECT_GT(corrected, 0.6 * epsilon);
    const double published = exact_audit("rnm-ftnl-as-published", epsilon).epsilon;
    EXPECT_GT(published, 1.3 * epsilon);
    EXPECT_LE(published, 2 * epsilon) << "which is what is computed for it";
    // Permute and flip wastes nothing: two steps of scale 2/epsilon.
    EXPECT_NEAR(exact_audit("pf-ftnl", epsilon).epsilon, epsilon, 1e-9);
  }
  // The epoch of rounds 4 to 7 is seen in the action of round 8.
  EXPECT_LT(exact_audit("rnm-ftnl-as-published", 1, 7).epsilon,
            exact_audit("rnm-ftnl-as-published", 1, 8).epsilon);
  EXPECT_EQ(exact_audit("rnm-ftnl", 1).epsilon, exact_audit("rnm-ftnl", 1, 8).epsilon);
  EXPECT_GT(exact_audit("rnm-ftnl", 1).beyond, 0);
  EXPECT_LT(exact_audit("rnm-ftnl", 1).beyond, 1e-9);
}

TEST(ExactAudit, AgreesWithProbabilitiesWorkedByHand) {
  // Sums 4 and 0 against 3 and 1, P(x) proportional to e^-(epsilon |x|): the second wins when its noise is
  // larger by more than the gap. Added up term by term; also where one minus it would be 1.
  for (const double epsilon : {1.0, 5.0, 20.0}) {
    SCOPED_TRACE(epsilon);
    const auto second_wins = [epsilon](int gap) {
      double total = 0;
      for (int x = -80; x <= 80; ++x) {
        for (int y = x + gap + 1; y <= 160; ++y) {
          total += std::exp(-epsilon * (std::abs(x) + std::abs(y)));
        }
      }
      return total;
    };
    EXPECT_NEAR(exact_audit("rnm-ftnl-as-published", epsilon).epsilon,
                std::log(second_wins(2) / second_wins(4)), 1e-9);
  }
}

TEST(ExactAudit, HasDigitsLeftForLargeEpsilons) {
  for (const double epsilon : {10.0, 30.0, 50.0, 100.0}) {
    SCOPED_TRACE(epsilon);
    EXPECT_NEAR(exact_audit("pf-ftnl", epsilon).epsilon, epsilon, 1e-9 * epsilon);
    EXPECT_LE(exact_audit("rnm-ftnl", epsilon).epsilon, epsilon);
    EXPECT_GT(exact_audit("rnm-ftnl", epsilon).epsilon, 0.9 * epsilon);
    EXPECT_LE(exact_audit("anytime-lazy-ucb", epsilon).epsilon, epsilon * (1 + 1e-9));
  }
}

// The same question, asked of every table of bits in turn: the law of all that the policy remembers, one round
// after the other, and no word about which sums a release could have had.
class EveryTable {
 public:
  /// Plays the `size` of `arms` arms with the largest mean + sqrt(3 L/n) + 3 scale L/n, L = ln(size t).
  EveryTable(int arms, int size, double scale, int rounds)
      : arms_(arms), size_(size), scale_(scale), rounds_(rounds) {}

  double largest_loss() const {
    const int bits = arms_ * (rounds_ - 1);  // what the last round shows changes no action
    Indexed<Law> laws;                       // by table
    for (int table = 0; table < 1 << bits; ++table) laws.push_back(law_of(table));
    double largest = 0;
    for (int table = 0; table < laws.count(); ++table) {
      for (int t = 0; t + 1 < rounds_; ++t) {
        for (int row = 0; row < 1 << arms_; ++row) {
          const int changed = (table & ~(((1 << arms_) - 1) << (t * arms_))) | (row << (t * arms_));
          largest = std::max(largest, loss(laws[table], laws[changed]));
        }
      }
    }
    return largest;
  }

  /// Between two tables, given as bits: the first arm's in the first round come first.
  double loss_between(int table, int other) const { return loss(law_of(table), law_of(other)); }

 private:
  using Law = std::map<std::string, double>;  // of the actions
  struct Memory {
    int epoch = 0, collected = 0, sum = 0, n = 0, released = 0;
    auto operator<=>(const Memory&) const = default;
  };
  using State = std::pair<std::string, std::vector<Memory>>;  // the actions so far

  static double loss(const Law& one, const Law& other) {
    double largest = 0;
    for (const auto& [actions, chance] : one) {
      // Rarer than what is cut off the noise.
      if (chance > 1e-7) largest = std::max(largest, std::log(chance / other.at(actions)));
    }
    return largest;
  }

  Law law_of(int table) const {
    std::map<State, double> now{{{"", std::vector<Memory>(static_cast<std::size_t>(arms_))}, 1.0}};
    for (int t = 1; t <= rounds_; ++t) {
      std::map<State, double> next;
      for (const auto& [state, chance] : now) {
        const std::vector<int> best = choices(state.second, t);
        for (const int action : best) {
          State after{state.first + static_cast<char>('0' + action), state.second};
          const int row = t < rounds_ ? table >> ((t - 1) * arms_) : 0;
          learn(after, action, row, 0, t == rounds_, chance / static_cast<double>(best.size()),
                next);
        }
      }
      now = std::move(next);
    }
    Law law;
    for (const auto& [state, chance] : now) law[state.first] += chance;
    return law;
  }

  /// Sets, as bits, none of whose arms has a smaller index than an arm outside.
  std::vector<int> choices(const std::vector<Memory>& memory, int t) const {
    const double level = std::log(size_ * t);
    PerArm<double> index;
    for (const Memory& m : memory) {
      index.push_back(m.n == 0 ? std::numeric_limits<double>::infinity()
                               : static_cast<double>(m.released) / m.n +
                                     std::sqrt(3 * level / m.n) + 3 * scale_ * level / m.n);
    }
    std::vector<int> best;
    for (int set = 0; set < 1 << arms_; ++set) {
      if (std::popcount(static_cast<unsigned>(set)) != size_) continue;
      bool largest = true;
      for (Arm in = 0; in < arms_; ++in) {
        for (Arm out = 0; out < arms_; ++out) {
          if ((set >> in & 1) != 0 && (set >> out & 1) == 0) {
            largest = largest && index[in] >= index[out] - 1e-12;
          }
        }
      }
      if (largest) best.push_back(set);
    }
    return best;
  }

  void learn(State state, int action, int row, int arm, bool last, double chance,
             std::map<State, double>& next) const {
    if (arm == arms_ || last) {
      next[state] += chance;
      return;
    }
    if ((action >> arm & 1) == 0) {
      learn(std::move(state), action, row, arm + 1, last, chance, next);
      return;
    }
    Memory& m = state.second[static_cast<std::size_t>(arm)];
    m.sum += row >> arm & 1;
    if (++m.collected < 1 << m.epoch) {
      learn(std::move(state), action, row, arm + 1, last, chance, next);
      return;
    }
    const int sum = m.sum;
    m = {m.epoch + 1, 0, 0, 1 << m.epoch, 0};
    const auto reach = static_cast<int>(std::ceil(24 * scale_));
    for (int x = -reach; x <= reach; ++x) {
      m.released = sum + x;
      learn(state, action, row, arm + 1, last,
            chance * std::tanh(0.5 / scale_) * std::exp(-std::abs(x) / scale_), next);
    }
  }

  int arms_;
  int size_;
  double scale_;
  int rounds_;
};

TEST(ExactAudit, AgreesWithEveryTableInTurn) {
  EXPECT_NEAR(exact_audit("anytime-lazy-ucb", 4, 5).epsilon,
              EveryTable(2, 1, 1 / 4.0, 5).largest_loss(), 1e-5);
  EXPECT_NEAR(exact_audit("dpucb-mat", 6, 3).epsilon, EveryTable(3, 2, 2 / 6.0, 3).largest_loss(),
              1e-5);
  // Where the index decides, between the two tables that are named as the worst: the second arm's outcome in
  // round 2; in round 2 the first arm's against the third's, after a 1 of the first.
  EXPECT_NEAR(exact_audit("anytime-lazy-ucb", 1, 5).epsilon,
              EveryTable(2, 1, 1, 5).loss_between(0, 1 << 3), 1e-5);
  EXPECT_NEAR(exact_audit("dpucb-mat", 4).epsilon,
              EveryTable(3, 2, 0.5, 4).loss_between(1 | 1 << 3, 1 | 1 << 5), 1e-5)
      << "over 4 rounds";
}

TEST(ExactAudit, KeepsLazyPoliciesWithinTheirClaims) {
  const ExactResult lazy = exact_audit("anytime-lazy-ucb", 1, 7);
  EXPECT_LE(lazy.epsilon, 1 + 1e-9);
  EXPECT_GT(lazy.epsilon, 0.9) << "one release of one sum, of which actions tell almost all";
  EXPECT_LT(lazy.beyond, 1e-9);
  EXPECT_GT(lazy.beyond, 0);
  const ExactResult matroid = exact_audit("dpucb-mat", 1, 3);
  EXPECT_LE(matroid.epsilon, 1 + 1e-9) << "not the 2 that is published";
  EXPECT_GT(matroid.epsilon, 0.4);
}

TEST(ExactAudit, IsNeverBelowWhatSamplingCertifies) {
  // Samples have idealised noise, of which whole numbers are a coarse version: close, not equal.
  for (const char* policy : {"rnm-ftnl", "rnm-ftnl-as-published"}) {
    // The claim is out of reach, so that it goes on to the end.
    const Play play = play_of(AuditRequest(policy, 1));
    const double sampled =
        sequential_audit(ways_of_playing(play), {2, 0}, {.samples = 20000}).lower_bound;
    const double exact = exact_audit(policy, 1).epsilon;
    EXPECT_LE(sampled, exact);
    EXPECT_GT(sampled, 0.5 * exact);
  }
}

TEST(ExactAudit, SaysWhatItCannotDo) {
  EXPECT_THROW(exact_audit("lazy-dp-ts", 1), InvalidParameter);
  EXPECT_THROW(exact_audit("rnm-ftnl", -1), InvalidParameter);
  EXPECT_THROW(exact_audit("rnm-ftnl", 1, 100), InvalidParameter);
  EXPECT_THROW(exact_audit("rnm-ftnl", 101), InvalidParameter);
  // Wide noise: more states than fit into memory, more values than an int counts.
  EXPECT_THROW(exact_audit("dpucb-mat", 0.1), InvalidParameter);
  EXPECT_THROW(exact_audit("anytime-lazy-ucb", 0.001), InvalidParameter);
  EXPECT_THROW(exact_audit("pf-ftnl", 1e-12), InvalidParameter);
}

}  // namespace
}  // namespace tacit::audit
