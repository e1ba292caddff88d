// Matroids as action sets: play a basis.
//
// A matroid is given by an incremental independence test alone; one greedy serves them all: take the
// arms by decreasing score and keep each that leaves what was kept independent. The result is a
// basis of largest total score (Edmonds 1971).
//
// Why a choice stands: a basis B is the only best one exactly when every arm e outside scores less
// than every arm of the one circuit in B + e. So only the order of e and its circuit matters, not the
// order of all arms; the circuits are the guards of the skipping engine.
//
// Edmonds' start: of the arms that score +infinity, an independent set comes first without which the others need one round
// less (edmonds_start.hpp), then the others in random order. What is played is one of the best bases for the scores either way.
//
// Cost of a choice: a sort and at most one independence test an arm; the search stops at full rank.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "tacit/actions/action_set.hpp"

namespace tacit::actions {

struct Partition;

/// A growing independent set. Belongs to one oracle and must not outlive its matroid.
class IndependentSet {
 public:
  virtual ~IndependentSet() = default;
  virtual void clear() noexcept = 0;
  /// Adds the arm if the set stays independent; says whether it did. Distinct arms since clear().
  virtual bool add(Arm arm) = 0;
  /// The members of the circuit that `outside` closes with the set, which must be a basis; a
  /// superset within the basis is allowed. Appended to `members`. A loop closes an empty circuit.
  virtual void circuit(Arm outside, std::vector<Arm>& members) = 0;
};

/// Immutable.
class Matroid {
 public:
  virtual ~Matroid() = default;
  virtual int arms() const noexcept = 0;
  virtual std::unique_ptr<IndependentSet> empty_set() const = 0;
};

class MatroidBases final : public ActionSet {
 public:
  /// `name` identifies the matroid. Throws InvalidParameter when its rank is 0: nothing to play.
  MatroidBases(std::shared_ptr<const Matroid> matroid, std::string name);

  int arms() const noexcept override { return matroid_->arms(); }
  int size() const noexcept override { return rank_; }
  std::string name() const override { return name_; }
  std::unique_ptr<Oracle> oracle() const override;
  Structure structure() const noexcept override { return Structure::kMatroid; }
  std::vector<std::vector<Arm>> all(std::size_t most) const override;

 private:
  std::unique_ptr<Oracle> oracle_by_edmonds() const override;

  std::shared_ptr<const Matroid> matroid_;
  std::string name_;
  int rank_ = 0;
  // Of all arms, made when it is first asked for.
  mutable std::once_flag partitioned_;
  mutable std::shared_ptr<const Partition> partition_;
};

}  // namespace tacit::actions
