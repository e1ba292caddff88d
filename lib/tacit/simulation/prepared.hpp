// A request made ready, but for the loop: what regret is measured against, the guarantee, where a run is played.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tacit/policies/catalogue.hpp"
#include "tacit/simulation/channel.hpp"
#include "tacit/simulation/recorder.hpp"
#include "tacit/simulation/simulate.hpp"
#include "tacit/simulation/stage.hpp"

namespace tacit::simulation {

class Prepared : public Simulator {
 public:
  /// Throws now rather than in a thread.
  Prepared(const Request& request, const policies::Entry& entry);

  Run run(std::uint64_t index, accounting::Ledger* ledger) const final;
  privacy::Guarantee guarantee() const final { return guarantee_; }
  double benchmark() const final;
  bool benchmark_is_proven() const final;

 protected:
  /// The recipe's own loop, for answers that come at once: how many decisions it took.
  virtual std::int64_t play(const Backstage& behind, const Stage& stage,
                            AnyRecorder recorder) const = 0;

  policies::Setting setting() const;

 private:
  Run run_as_given(std::uint64_t index, accounting::Ledger* ledger) const;
  struct Best {
    std::int64_t value = 0;  // in units of ActionSet
    bool proven = true;
  };
  struct BestOverRuns {
    double mean = 0;
    bool proven = true;  // in every run
  };

  /// What every run is played on, or an environment of its own, the same for all policies.
  std::shared_ptr<const problems::Problem> environment(std::uint64_t index) const;
  /// `truth` are the means that intervals and recommendations are held against.
  template <class Rule>
  Run run(const Backstage& behind, const problems::Problem& played,
          const std::vector<double>& truth, Recorder<Rule> recorder) const;
  /// The same over virtual doors, where somebody reads what the learner is told.
  template <class Rule>
  Run run_watched(const Backstage& behind, const Stage& stage, const std::vector<double>& truth,
                  Recorder<Rule>& recorder) const;
  void check_readings() const;
  /// What is released of the environment in this run; null where it is played as it is.
  std::shared_ptr<const problems::Problem> released_in(std::uint64_t index) const;
  bool ranks() const noexcept { return entry_.card.feedback == feedback::Kind::kCascade; }
  /// Of what every run is played on, sought once.
  const Best& best() const;
  Best best_in(const problems::Problem& problem) const;
  /// Of a prior.
  const BestOverRuns& best_over_runs() const;
  Best set_to_reach(const problems::Problem& problem) const;
  /// Null where rounds are drawn.
  const Hindsight* hindsight() const;
  /// Of what is played on the problem, against this. The problem outlives it.
  ValueOfSets values(const problems::Problem& problem, std::int64_t benchmark) const;
  std::int64_t value(std::span<const Arm> action, const problems::Problem& problem) const;
  Backstage backstage(std::uint64_t index, accounting::Ledger* ledger) const;

  Request request_;
  policies::Entry entry_;
  std::string problem_name_;
  privacy::Guarantee guarantee_;
  mutable std::once_flag best_sought_;
  mutable Best best_;  // sets
  mutable std::once_flag best_over_runs_sought_;
  mutable BestOverRuns best_over_runs_;
  mutable std::once_flag hindsight_sought_;
  mutable std::optional<Hindsight> hindsight_;
};

}  // namespace tacit::simulation
