// Independent arms with given means: Bernoulli, Beta, point mass, or a normal truncated to [0, 1].
#pragma once

#include <vector>

#include "tacit/core/per_arm.hpp"
#include "tacit/problems/problem.hpp"

namespace tacit::problems {

enum class Rewards { kBernoulli, kBeta, kPoint, kTruncatedNormal };

const char* name_of(Rewards rewards);

/// Sums of n rounds are drawn in O(1) for Bernoulli (a Binomial) and point masses, and one by one
/// for the others, whose sums have no closed form.
///   Beta:             Beta(c m, c (1-m)) with c = 4; a point mass at m = 0 and m = 1.
///   truncated normal: N(location, s^2) kept within [0, 1], s = 0.2 (less within 0.1 of an edge:
///                     s = 2 min(m, 1-m)), the location solved so that the mean of what is kept is
///                     m; a point mass at m = 0 and m = 1.
class IndependentArms final : public Problem {
 public:
  /// At least one mean, each in [0, 1].
  IndependentArms(std::vector<double> means, Rewards rewards);

  int arms() const noexcept override { return static_cast<int>(means().size()); }
  std::string name() const override;
  Rewards rewards() const noexcept { return rewards_; }
  privacy::Secret<Outcome> draw_outcome(Arm arm, Round t,
                                        random::SimulationStream& stream) const override;
  void draw_outcomes(std::span<const Arm> arms, Round t, random::SimulationStream& stream,
                     privacy::SecretVector<Outcome>& outcomes) const override;
  privacy::Secret<Sum> draw_sum(Arm arm, Round t, Round n,
                                random::SimulationStream& stream) const override;
  void draw_all_sums(Round t, Round n, random::SimulationStream& stream,
                     privacy::SecretVector<Sum>& sums) const override;
  std::span<const double> environment() const noexcept override { return means(); }
  std::shared_ptr<const Problem> in_environment(std::vector<double> means) const override;

 private:
  Outcome outcome(Arm arm, random::SimulationStream& stream) const;

  Rewards rewards_;
  PerArm<char> certain_;     // whether an outcome is the mean itself
  PerArm<Outcome> point_;    // the mean on the grid
  PerArm<double> location_;  // truncated normal
  PerArm<double> deviation_;
};

/// Mean of N(location, deviation^2) conditioned on [0, 1].
double truncated_normal_mean(double location, double deviation);

}  // namespace tacit::problems
