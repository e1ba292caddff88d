// A table of outcomes, one row a round and one column an arm, replayed as given: worst-case inputs,
// audits, known-answer tests. Nothing is random, so a run's trace depends on the policy alone.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tacit/problems/problem.hpp"

namespace tacit::problems {

class Table final : public Problem, private Playback {
 public:
  /// Rows of equal length >= 1, at least one, every outcome in [0, 1]. Means are those of its columns; regret is
  /// against the best fixed action in hindsight (simulation/hindsight.hpp).
  explicit Table(const std::vector<std::vector<double>>& rows);

  int arms() const noexcept override { return arms_; }
  std::string name() const override { return name_; }
  Round last_round() const noexcept override { return rounds_; }
  Dependence dependence() const noexcept override { return Dependence::kReplayed; }
  privacy::Secret<Outcome> draw_outcome(Arm arm, Round t,
                                        random::SimulationStream& stream) const override;
  privacy::Secret<Sum> draw_sum(Arm arm, Round t, Round n,
                                random::SimulationStream& stream) const override;
  void draw_all_sums(Round t, Round n, random::SimulationStream& stream,
                     privacy::SecretVector<Sum>& sums) const override;
  privacy::Secret<Stop> draw_stop(std::span<const Arm> list, Round t,
                                  random::SimulationStream& stream) const override;
  privacy::Secret<Outcome> draw_click(Arm item, Round t,
                                      random::SimulationStream& stream) const override;
  privacy::Secret<Sum> draw_click_sum(Arm item, Round t, Round n,
                                      random::SimulationStream& stream) const override;
  double click_chance(std::span<const Arm> list) const override;
  Round looks_of_a_click_chance() const noexcept override { return rounds_; }
  const Playback* playback() const noexcept override { return this; }

 private:
  Sum sum(Arm arm, Round t, Round n) const override {
    return prefix(arm, t + n - 1) - prefix(arm, t - 1);
  }
  std::span<const Outcome> row(Round t) const override {
    return std::span(outcomes_).subspan(place(t - 1, 0), static_cast<std::size_t>(arms_));
  }
  bool clicks(std::span<const Arm> list, Round t) const override;

  /// Where a row's entry for the arm is: one row after the other.
  std::size_t place(Round row, Arm arm) const noexcept {
    return static_cast<std::size_t>(row * arms_ + arm);
  }
  Outcome outcome(Arm arm, Round t) const noexcept { return outcomes_[place(t - 1, arm)]; }
  /// As an item of a ranked list: an outcome of a half or more is a click.
  bool attracts(Arm arm, Round t) const noexcept { return outcome(arm, t).value() >= 0.5; }
  /// Sum of the arm's outcomes over rounds 1..t.
  Sum prefix(Arm arm, Round t) const noexcept { return prefixes_[place(t, arm)]; }

  int arms_ = 0;
  Round rounds_ = 0;
  std::string name_;
  std::vector<Outcome> outcomes_;
  std::vector<Sum> prefixes_;
};

}  // namespace tacit::problems
