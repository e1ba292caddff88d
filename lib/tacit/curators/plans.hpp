// What stands between users and a learner, as numbers: which mechanism, how much noise, how many releases a
// round enters. A recipe names its curator (or its users' device) by a plan; simulation and live build it from
// there, the guarantee is computed from it, and audit and theory read the same numbers.
//
// No Secret is named here: recipes see this header.
#pragma once

#include <string>
#include <variant>

#include "tacit/core/round.hpp"
#include "tacit/privacy/counter_noise.hpp"
#include "tacit/privacy/guarantee.hpp"

namespace tacit::curators {

/// What one user's round can move: the sensitivity, and the same in words.
struct Movement {
  privacy::Sensitivity sensitivity;
  std::string moves;
};

/// A sum a phase of an arm, released once, with Laplace noise of this scale.
struct PhasePlan {
  double scale;
  Round first_phase = 0;  // the number of an arm's first phase

  privacy::Guarantee guarantee(const Movement&, privacy::Arithmetic) const;
};

/// The running sum of an arm after every observation, by a counter. `share` is how far one round moves all
/// arms' counters together: in L1 for trees, in squared L2 for Toeplitz noise, which alone uses delta.
struct CounterPlan {
  privacy::CounterNoise shape;
  double epsilon;
  double delta;
  double share;

  /// The scale of a Laplace term, the deviation of a Gaussian one.
  double term_scale() const;
  privacy::Guarantee guarantee(const Movement&, privacy::Arithmetic) const;
};

/// A binary tree an arm whose nodes have Laplace noise of this scale, whatever that comes to.
struct TreePlan {
  Round horizon;
  double scale;

  privacy::Guarantee guarantee(const Movement&, privacy::Arithmetic) const;
};

/// The running sum of an arm after every `interval` observations, with Laplace(n^(v/2)) noise on it
/// (interval_sums.hpp); delta is the one at which the guarantee over `horizon` rounds is stated.
struct IntervalPlan {
  Round interval;
  double v;
  Round horizon;
  double delta;

  /// On the sum of n observations.
  double scale(Round n) const;
  privacy::Guarantee guarantee(const Movement&, privacy::Arithmetic) const;
};

/// The sums of all arms over an epoch of 1, 2, 4, ... rounds, each with Laplace noise: all of them leave.
struct NoisySumsPlan {
  double scale;

  privacy::Guarantee guarantee(const Movement&, privacy::Arithmetic) const;
};

/// The same sums, of which only the position of the largest noisy one leaves.
struct NoisyLeaderPlan {
  bool one_sided;  // exponential noise, else Laplace
  double scale;

  privacy::Guarantee guarantee(const Movement&, privacy::Arithmetic) const;
};

/// Every outcome as it is: no protection.
struct ExactPlan {
  privacy::Guarantee guarantee(const Movement&, privacy::Arithmetic) const;
};

/// Every outcome rounded to a bit at random, and no protection.
struct ExactBitPlan : ExactPlan {};

/// One randomised-response bit an outcome.
struct ResponsePlan {
  double epsilon;

  /// 1/(p - q)^2: how many reports say about as much as one outcome that is seen.
  double reports_worth_an_outcome() const;
  privacy::Guarantee guarantee(const Movement&, privacy::Arithmetic) const;
};

/// Every outcome with Laplace noise of its own.
struct LaplaceReportPlan {
  double scale;

  privacy::Guarantee guarantee(const Movement&, privacy::Arithmetic) const;
};

/// Every outcome with Gaussian noise of its own.
struct GaussianReportPlan {
  double sigma;
  double delta;

  privacy::Guarantee guarantee(const Movement&, privacy::Arithmetic) const;
};

/// Where the user of a ranked list stopped, by randomised response or unary encoding.
struct StopReportPlan {
  double epsilon;
  int positions;

  /// Chance of a 1 where the user did not stop, p - q, and whether it is the response.
  struct Numbers {
    double q;
    double gap;
    bool response;
  };
  Numbers numbers() const;
  privacy::Guarantee guarantee(const Movement&, privacy::Arithmetic) const;
};

/// Where the user of a ranked list stopped, as it is; starts from one outcome of every item.
struct OpenStopPlan {
  privacy::Guarantee guarantee(const Movement&, privacy::Arithmetic) const;
};

/// As published: the stop as it is, and noise on the outcomes of the items up to it; starts from one raw
/// outcome of every item.
struct LeakingStopPlan : OpenStopPlan {
  enum class Noise { kLaplace, kGaussian, kHybrid };
  Noise noise;
  double scale;  // sigma of a Gaussian
  double delta;
};

/// As published: Gaussian reports after one raw outcome of every arm.
struct RawStartPlan : GaussianReportPlan {
  int arms;

  privacy::Guarantee guarantee(const Movement&, privacy::Arithmetic) const;
};

using Plan =
    std::variant<PhasePlan, CounterPlan, TreePlan, IntervalPlan, NoisySumsPlan, NoisyLeaderPlan,
                 ExactPlan, ExactBitPlan, ResponsePlan, LaplaceReportPlan, GaussianReportPlan,
                 StopReportPlan, OpenStopPlan, LeakingStopPlan, RawStartPlan>;

privacy::Guarantee guarantee(const Plan& plan, const Movement& movement,
                             privacy::Arithmetic arithmetic);

/// The smallest Gaussian noise that is (epsilon, delta)-private at this L2 sensitivity.
double gaussian_sigma(double epsilon, double delta, double l2);

}  // namespace tacit::curators
