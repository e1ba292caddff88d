// Everything that a learner was told, as evidence: whatever the learner makes of it, or forgets.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "tacit/curators/plans.hpp"
#include "tacit/evidence/readout.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/learner.hpp"

namespace tacit::policies {

class ReleaseLog {
 public:
  /// None where releases do not say what a mean is: running sums, leaders, stops of lists (evidence/of_plan.hpp).
  /// `recorded` outcomes of a round are told at most.
  static std::optional<ReleaseLog> of(const curators::Plan& plan, feedback::Kind kind, int arms,
                                      int recorded);

  /// What the learner is told, in its words.
  void deliver(Slot slot, Values values, Round n, int noises);
  void take(const Choice& choice, Values reports);

  const evidence::Readout& readout() const noexcept { return readout_; }
  /// The arms that the last of it was about.
  const std::vector<Arm>& told() const noexcept { return told_; }

  template <class Archive>
  void state(Archive& archive) {
    archive(readout_);
  }

 private:
  ReleaseLog(evidence::Readout readout, feedback::Kind kind)
      : readout_(std::move(readout)), kind_(kind) {}

  void add(Arm arm, double released, double n, double noises);

  evidence::Readout readout_;
  feedback::Kind kind_;
  std::vector<Arm> told_;
};

}  // namespace tacit::policies
