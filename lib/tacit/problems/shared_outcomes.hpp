// Bernoulli arms in groups: in every round all arms of a group have the same outcome, and groups are
// independent. The extreme of dependence within a round, which the lower bounds for sets of arms are made
// of (Chen, Zheng, Zhou, Yang, Chen & Wang 2020): a set of arms of one group tells no more than one arm.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tacit/core/per_arm.hpp"
#include "tacit/problems/problem.hpp"

namespace tacit::problems {

/// Any number of rounds costs one Binomial for each group among the arms asked for.
class SharedOutcomes final : public Problem {
 public:
  /// group_means in [0, 1], at least one; group_of_arm[arm] in 0..groups-1, every group with an arm.
  SharedOutcomes(std::vector<double> group_means, const std::vector<int>& group_of_arm);

  int arms() const noexcept override { return group_of_arm_.arms(); }
  std::string name() const override;
  Dependence dependence() const noexcept override { return Dependence::kInGroups; }
  privacy::Secret<Outcome> draw_outcome(Arm arm, Round t,
                                        random::SimulationStream& stream) const override;
  privacy::Secret<Sum> draw_sum(Arm arm, Round t, Round n,
                                random::SimulationStream& stream) const override;
  void draw_outcomes(std::span<const Arm> arms, Round t, random::SimulationStream& stream,
                     privacy::SecretVector<Outcome>& outcomes) const override;
  void draw_sums(std::span<const Arm> arms, Round t, Round n, random::SimulationStream& stream,
                 privacy::SecretVector<Sum>& sums) const override;
  void draw_all_sums(Round t, Round n, random::SimulationStream& stream,
                     privacy::SecretVector<Sum>& sums) const override;
  privacy::Secret<Stop> draw_stop(std::span<const Arm> list, Round t,
                                  random::SimulationStream& stream) const override;
  double click_chance(std::span<const Arm> list) const override;
  Round looks_of_a_click_chance() const noexcept override { return 1; }
  /// One mean a group: which arms share their outcomes is public.
  std::span<const double> environment() const noexcept override { return group_means_; }
  std::shared_ptr<const Problem> in_environment(std::vector<double> group_means) const override;

 private:
  std::vector<double> group_means_;
  PerArm<std::size_t> group_of_arm_;
  std::vector<Arm> every_arm_;
};

}  // namespace tacit::problems
