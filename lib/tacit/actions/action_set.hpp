// What may be played in one round: a family of sets of arms, the reward of a set, and an oracle that
// finds a good set for given scores.
//
// An ActionSet is immutable and shared by threads. An Oracle belongs to one policy: it keeps the
// scores, so that a set whose scores hardly change is not searched from scratch.
//
// Definitions (Chen, Zheng, Zhou, Yang, Chen & Wang 2020, section 2.1). Rewards are monotone in the
// means and B_p-bounded smooth:  |r_mu(S) - r_mu'(S)| <= B_p ||mu_S - mu'_S||_p.  An
// (alpha, beta)-approximate oracle finds a set worth alpha times the best with probability beta;
// regret is then measured against alpha beta times the best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/core/round.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::actions {

/// Fact 1 of Chen et al. 2020: B_inf-smooth implies B_1-smooth with the same constant, and B_1-smooth
/// implies B_inf-smooth with `size` times it, size the largest number of arms in an action.
struct Smoothness {
  double b1 = 1;
  double b_infinity = 1;

  static Smoothness from_b1(double b1, int size) { return {b1, b1 * size}; }
  static Smoothness from_b_infinity(double b_infinity) { return {b_infinity, b_infinity}; }
};

/// How far the reward can move where outcomes are uncertain, which is where it matters (Merlis & Mannor 2019,
/// "Batch-size independent regret bounds for the combinatorial multi-armed bandit problem"): at all means
///   dr/dmu_i <= gamma_infinity    and    sum over S of mu_i (1 - mu_i) (dr/dmu_i)^2 <= gamma_g^2.
/// If outcomes are independent and the reward is linear in each of them, the sum is the part of the reward's variance
/// that single arms explain. So gamma_g is at most its largest standard deviation, which is at most half its range.
struct GiniSmoothness {
  double gamma_infinity = 1;
  double gamma_g = 0.5;
};

struct Approximation {
  double alpha = 1;  // share of the best reward
  double beta = 1;   // probability that the share is reached

  bool exact() const noexcept { return alpha == 1 && beta == 1; }
};

struct ChosenSet {
  std::span<const Arm> arms;  // valid until the next call; distinct
  bool tied = false;  // another set is, or may be, as good: a policy decides again next round
};

/// How long a choice stands while scores only grow.
enum class Skipping {
  kByOrder,  // as long as every arm outside stays below its guards inside
  kByValue,  // as long as still_best() says so
  kNever,    // not known: choose again every round
};

/// What may be known of a family of sets beyond its oracle.
enum class Structure {
  kAnyK,     // any K of the arms, so that they can be ranked; the bases of a matroid, too
  kMatroid,  // the bases of a matroid
  kOther,
};
/// Whether the actions are the bases of a matroid: the greedy choice is then the best.
constexpr bool are_bases(Structure structure) { return structure != Structure::kOther; }

/// How arms that score +infinity, so those that were never observed, come first.
enum class Start {
  kGreedy,   // in random order, as many as fit into a set
  kEdmonds,  // so that all were played after the fewest rounds: a rule for ties among best sets
};

/// An action set that a policy, a problem or a bound has no use for.
class UnfitActions : public InvalidParameter {
 public:
  UnfitActions(std::string actions, std::string requirement)
      : InvalidParameter(Option{"actions"}, std::move(actions), std::move(requirement)) {}
};

class Oracle {
 public:
  virtual ~Oracle() = default;
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  std::span<const double> scores() const noexcept { return scores_; }
  /// One score; +infinity for an arm that comes first, never NaN.
  virtual void set_score(Arm arm, double score) noexcept { scores_[arm] = score; }
  virtual void set_scores(std::span<const double> scores) noexcept;

  /// A best set for the scores, ties broken by randomness that depends on the round alone.
  virtual ChosenSet choose(Round t, const random::Dice& dice) = 0;

  virtual Skipping skipping() const noexcept { return Skipping::kNever; }
  /// kByOrder: the arms of the last choice that an arm outside it would have to overtake one of to
  /// get in; a superset is allowed (the policy then looks again sooner than it must). Empty: the
  /// arm can never get in.
  virtual std::span<const Arm> guards(Arm /*outside*/) { return {}; }
  /// kByValue: whether the last choice is best by a margin under these scores.
  virtual bool still_best(std::span<const double> /*scores*/) { return false; }

 protected:
  explicit Oracle(int arms) : scores_(arms) {}
  PerArm<double> scores_;
};

class ActionSet {
 public:
  virtual ~ActionSet() = default;
  ActionSet() = default;
  ActionSet(const ActionSet&) = delete;
  ActionSet& operator=(const ActionSet&) = delete;

  virtual int arms() const noexcept = 0;
  /// K: the largest number of arms in an action, so of outcomes that one user's round contains.
  virtual int size() const noexcept = 0;
  /// As the command line writes it; part of the key of a run's randomness.
  virtual std::string name() const = 0;
  virtual std::unique_ptr<Oracle> oracle() const = 0;
  /// The same oracle but for the ties of unobserved arms. Throws UnfitActions where nobody knows the fewest rounds: for
  /// all but matroids and top:K.
  std::unique_ptr<Oracle> oracle_for(Start start) const;

  virtual Structure structure() const noexcept { return Structure::kOther; }
  /// All actions, where they are written down one by one; empty where they are not.
  virtual std::span<const std::vector<Arm>> listed() const noexcept { return {}; }
  /// Every action; none where there are more than `most`, or where nobody has a way to go through them.
  virtual std::vector<std::vector<Arm>> all(std::size_t most) const;

  virtual Approximation approximation() const { return {}; }
  virtual Smoothness smoothness() const { return Smoothness::from_b1(1, size()); }
  /// Of sums: B_1 and B_1 sqrt(K)/2, reached where all means are 1/2.
  virtual GiniSmoothness gini_smoothness() const;
  /// Whether rewards are linear in the means, perhaps with a constant for the set.
  virtual bool linear() const noexcept { return true; }
  /// Whether value() is the expected reward itself, not an estimate.
  virtual bool values_are_exact() const noexcept { return true; }

  /// The expected reward of an action when arms have these means; the sum of its means unless
  /// overridden. Exact integers in units of 2^-kValueBits, so that regret does not depend on how
  /// rounds were batched.
  virtual std::int64_t value(std::span<const Arm> action, std::span<const double> means) const;
  /// Whether value() is surely the sum of what it is for each arm alone: then a run asks for these once.
  virtual bool values_add_up() const noexcept { return false; }
  /// The largest value of all actions, in the same units. None where nobody knows: the oracle is approximate, and
  /// there are more actions than can be tried.
  virtual std::optional<std::int64_t> best_value(std::span<const double> means) const;
  /// What regret is measured against: alpha beta times the best value, in the same units. Where that is not known,
  /// the value of what the oracle finds stands for it: never more, so that regret comes out too small rather than
  /// too large.
  std::int64_t benchmark(std::span<const double> means) const;
  /// The same where best_value() was asked already, which may take a while: `best` is what it said.
  std::int64_t benchmark(std::span<const double> means, std::optional<std::int64_t> best) const;

  /// The best action for the means by this set's own oracle.
  std::vector<Arm> best_for(std::span<const double> means) const;

  static constexpr int kValueBits = 36;
  static std::int64_t units(double value);
  static double from_units(std::int64_t units);

 protected:
  /// The largest value, if there are no more than `most` actions.
  std::optional<std::int64_t> best_of_all(std::span<const double> means, std::size_t most) const;

 private:
  /// With Edmonds' start; null where there is none. What oracle_for() asks.
  virtual std::unique_ptr<Oracle> oracle_by_edmonds() const { return nullptr; }
};

}  // namespace tacit::actions
