// What can be said of a figure: which claims hold, what is really promised, and whether theory is kept. How it is told is up to
// others (verdict_text.hpp, page/figure_section.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacit/reports/bound_check.hpp"
#include "tacit/reports/judgement.hpp"

namespace tacit::reports {

struct JudgedClaim {
  std::string says;
  Judged judged;
};

/// What is kept, next to what was published.
enum class Kept {
  kAsPublished,
  kMore,   // of the same notion, a smaller epsilon or delta
  kLess,   // nothing, or of the same notion a larger one
  kOther,  // of another notion
};

/// What was promised of a policy at an epsilon, and what is true.
struct PolicyPromise {
  std::string policy;
  std::optional<double> epsilon;
  lab::Promises promises;

  Kept kept() const;
};

/// How many arms of the best set are among the most played, as many as the set has.
struct BestArms {
  std::size_t found = 0;
  std::size_t of = 0;
};

/// What was asked of a policy that identifies, and how often it was wrong.
struct Identification {
  std::optional<double> error;  // none with a budget
  std::optional<Round> budget;
  double wrong = 0;  // share of all runs
};

/// Regret at the end, or samples.
struct MeasuredRow {
  std::string policy;
  std::string problem;
  std::optional<double> epsilon;
  std::int64_t runs = 0;
  double value = 0;
  std::optional<double> half_width;          // of the 95% interval; none for one run
  std::optional<BestArms> best_arms;         // none for single arms
  std::optional<Identification> identified;  // all rows of a figure have it, or none
};

struct Verdict {
  std::string
      name;  // of the figure, and what its request says of it; all but the name may be empty
  std::string title;
  std::string source;
  std::string note = {};
  std::vector<JudgedClaim> claims = {};
  std::vector<PolicyPromise> promises = {};  // no two the same, in the order of the curves
  std::vector<BoundFinding> bounds = {};
  int broken_bounds = 0;  // at how many epsilons, too
  std::vector<MeasuredRow> measured = {};

  /// Whether it is of samples, and not of regret.
  bool is_of_samples() const { return !measured.empty() && measured.front().identified; }
  int count(Judgement judgement) const;
  /// "3 of 4 claims hold" and the like.
  std::string summary() const;
};

/// `curves` are those that the figure shows.
Verdict give_verdict(const FigureRequest& request, const Figure& figure,
                     const std::vector<Claim>& claims, const std::vector<Curve>& curves);

}  // namespace tacit::reports
