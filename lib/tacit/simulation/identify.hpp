// Runs that stop when the best arm is known, instead of at a horizon: how many samples that takes, and how often it is wrong.
//
// Stopping is a stage of the pipeline: it reads releases, as the learner does. A policy that identifies has a rule of its own
// (Learner::verdict); for all others whose releases allow it, it is the evidence of everything that was released.
// With a budget nothing is stopped: the budget is played, what is filling is released at its end, and the arms with the largest
// released means are recommended.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tacit/core/round.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/policies/release_log.hpp"
#include "tacit/problems/problem.hpp"

namespace tacit::simulation {

/// What is to be found. The horizon of the request is the budget, or the most samples of a run.
struct Goal {
  double error = 0;  // chance that the recommendation is wrong, in (0, 1); of no use with a budget
  bool budget = false;
  int top = 1;  // how many arms are to be found, fewer than there are
};

/// Of one run.
struct Identified {
  Round samples = 0;
  std::vector<Arm> recommended;  // empty: nothing was released of an arm that would be
  bool stopped = false;          // before the horizon
  bool right = false;  // none that is left out has a larger mean than one that is recommended
};

/// What the policy is told of the goal, by parameters of its own. Throws InvalidParameter for what cannot be identified: one
/// arm, policies of sets, releases that say nothing of means, parameters that say the same; and, where nothing ends a run,
/// equal best arms.
std::vector<policies::ParameterValue> parameters_for(const Goal& goal, const policies::Entry& entry,
                                                     std::vector<policies::ParameterValue> given,
                                                     const problems::Problem& problem,
                                                     Round horizon);

/// When a run is over.
class StoppingStage {
 public:
  /// The learner and the log outlive it. The log is null where releases say nothing of means.
  StoppingStage(const Goal& goal, const policies::Entry& entry, const policies::Learner& learner,
                const policies::ReleaseLog* log);

  /// Something new was released.
  void told();
  bool over() const noexcept { return !found_.empty(); }

  /// What is recommended now, and whether that is right.
  Identified finish(const std::vector<double>& means, std::span<const Round> pulls) const;

 private:
  std::vector<Arm> leaders(int arms) const;

  Goal goal_;
  bool by_evidence_;
  const policies::Learner& learner_;
  const policies::ReleaseLog* log_;
  std::int64_t told_ = 0;
  std::int64_t next_look_ = 1;
  std::vector<Arm> found_;
};

}  // namespace tacit::simulation
