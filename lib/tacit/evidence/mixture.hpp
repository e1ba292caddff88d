// What releases say of a mean, in nats: evidence that holds at any time.
//
// Let S be the released sum of n reports in [0, 1] of mean p, with r noise terms. For 0 < l the variable
//   exp(l S - n ln(1 - p + p e^l) - r c(l)),   c(l) = ln E exp(l Z) of one noise term,
// is a nonnegative supermartingale that starts at 1, whatever decides when to look, who is played and how long phases are, as long
// as only releases do: given all rounds before, a report in [0, 1] of mean p has a moment generating function of at most that of
// a bit; noise is independent of all that; and a release is this process looked at less often. So is the
// mixture over a fixed grid of l with fixed weights,
//   M+(p) = sum over j of w_j exp(l_j S - n ln(1 - p + p e^l_j) - r c(l_j)),
// and M-(p) the same of 1 - reports. By Ville P(ever ln M(p) >= f) <= e^-f, with p the true mean.
//   ln M+ is decreasing and convex in p, ln M- increasing and convex.
//
// The grid: l_j = 2 e^(-j/2), down to 2 e^-19.5, with weights that fall like 1/(1 + (j/6)^2). What a wrong l costs is quadratic
// in ln l, so that steps of 1/2 lose a few percent; small l, which only tiny differences need, are paid for by those who need
// them. Noise forbids an l beyond which its moment generating function ends: what the grid has there, or so near that noise
// costs more than it tells, is moved to three shares of that end. Where noise rules, most of the weight is there, and rightly:
// the largest l that noise allows are then the best ones for all but tiny differences. At least twenty l lie below the shares.
//
// Two arms of which one moves at a time: the product of their supermartingales is one. With
//   G(a, b) = min over q of ln M+_a(q) + ln M-_b(q),
// P(ever G(a, b) >= f) <= e^-f if mean_a <= mean_b: at a q between the means both terms are at most those at the means.
// The same shifted by d tests mean_a <= mean_b + d, and what it does not refute is an interval of the difference.
#pragma once

#include <array>
#include <cstddef>

#include "tacit/evidence/record.hpp"
#include "tacit/evidence/release_law.hpp"

namespace tacit::evidence {

class Mixture {
 public:
  explicit Mixture(const ReleaseLaw& law);

  /// ln M+: how strongly it speaks against means of at most this.
  double above(const Record& record, double mean) const;
  /// ln M-: against means of at least this.
  double below(const Record& record, double mean) const;

  /// Whichever is larger: more than ln(2/alpha) if and only if the interval misses the mean.
  double against(const Record& record, double mean) const;
  /// Misses the mean, ever, with probability at most alpha.
  Interval interval(const Record& record, double alpha) const;

  /// G: how strongly it speaks against mean_a <= mean_b + shift. Never more than that. Arms that are not seen in the same
  /// round.
  double apart(const Record& a, const Record& b, double shift = 0) const;
  /// The same up to this much, which is cheaper. Of the records alone: who looks again sees the same.
  double apart_near(const Record& a, const Record& b, double tolerance) const;
  /// Of mean_a - mean_b, under the same condition: misses it, ever, with probability at most alpha.
  Interval difference(const Record& a, const Record& b, double alpha) const;

  /// The unbiased estimate; noise may carry it outside [0, 1].
  double mean(const Record& record) const noexcept { return law_.mean_of(record.sum / record.n); }
  const ReleaseLaw& law() const noexcept { return law_; }

 private:
  static constexpr std::size_t kGrid = 40;
  static constexpr std::size_t kShares = 3;
  /// As many as count_ are in use.
  using Tilts = std::array<double, kGrid + kShares>;

  /// A record's part that does not depend on the mean: ln w_j + l_j S - r c_j, of reports or of 1 - reports.
  struct Prepared {
    double n;
    Tilts base;
  };
  struct Value {
    double value;
    double slope;
    double curvature;
  };

  Prepared prepare(const Record& record) const;
  Prepared prepare_mirrored(const Record& record) const;
  double terms_at(const Prepared& prepared, double seen, Tilts& terms) const;
  double value(const Prepared& prepared, double seen) const;
  Value with_slopes(const Prepared& prepared, double seen) const;
  double lowest(const Prepared& prepared, double level) const;
  double apart(const Prepared& up, const Prepared& down, double shift, double guess,
               double tolerance) const;
  double largest_shift(const Prepared& up, const Prepared& down, double level) const;

  void add_tilt(double tilt, double weight);

  ReleaseLaw law_;
  std::size_t count_ = 0;
  Tilts tilt_{};
  Tilts lift_{};  // e^l - 1
  Tilts charge_{};
  Tilts log_weight_{};
};

}  // namespace tacit::evidence
