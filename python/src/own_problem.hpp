// A problem whose outcomes a Python object draws: draw(arm, t, rng), and where it has them draw_many(arm, t, n, rng) and
// draw_all(t, rng). Every run has a generator of its own, a function of the seed and the run.
//
// Regret is measured by the means that the object states, so a run whose draws contradict them is refused (unless the object
// says that it `drifts`). Draws of an arm, less its mean, add up to a martingale whichever policy asks for them, and Robbins'
// mixture bounds that at all times together: a run of a world that has its means is refused with probability at most kError.
//
// Thread safety: none; whoever draws holds the interpreter.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "tacit/problems/problem.hpp"

namespace tacit::python {

class OwnProblem final : public problems::Problem {
 public:
  OwnProblem(pybind11::object drawn_by, std::string name, std::vector<double> means);

  int arms() const noexcept override { return static_cast<int>(means().size()); }
  std::string name() const override { return name_; }
  /// Where draw_all() draws a round as a whole its outcomes may hang together.
  problems::Dependence dependence() const noexcept override {
    return draws_all_ ? problems::Dependence::kCorrelated : problems::Dependence::kIndependent;
  }
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
  // Of lists: items attract where their outcome is 1, and it must be 0 or 1; click_chance() is of independent items.
  privacy::Secret<Stop> draw_stop(std::span<const Arm> list, Round t,
                                  random::SimulationStream& stream) const override;
  privacy::Secret<Outcome> draw_click(Arm item, Round t,
                                      random::SimulationStream& stream) const override;
  privacy::Secret<Sum> draw_click_sum(Arm item, Round t, Round n,
                                      random::SimulationStream& stream) const override;

  double click_chance(std::span<const Arm> list) const override;

  /// The same with the generator of a run.
  std::shared_ptr<const problems::Problem> draw_environment(
      random::SimulationStream& stream) const override;

 private:
  /// What was drawn of an arm in this run.
  struct Drawn {
    double above_mean = 0;  // added up
    Round n = 0;
  };
  double outcome_of(pybind11::handle value, const char* method) const;
  double checked(double x, const char* method) const;
  /// Refuses what contradicts the mean.
  void note(Arm arm, double sum, Round n, const char* method) const;
  Outcome of_arm(Arm arm, Round t) const;
  bool attracts(Outcome outcome) const;
  Outcome draw(Arm arm, Round t) const;
  /// Every arm's.
  std::vector<Outcome> draw_row(Round t) const;

  pybind11::object drawn_by_;
  pybind11::object draw_, draw_many_, draw_all_;
  pybind11::object generator_;  // none before a run
  bool draws_many_ = false;
  bool draws_all_ = false;
  bool drifts_ = false;  // on purpose
  std::string name_;
  mutable std::vector<Drawn> drawn_;
};

}  // namespace tacit::python
