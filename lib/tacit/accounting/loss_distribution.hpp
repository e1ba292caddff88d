// Accounting by the privacy-loss distribution: what n Laplace or Gaussian releases cost, as exactly as one
// is willing to compute (Koskela, Jalko & Honkela 2020; Gopi, Lee & Wutschitz 2021).
//
// With P and Q the laws of a release on two neighbouring inputs and L = ln(dP/dQ) its loss under P,
//   delta(epsilon) = E_P[(1 - e^(epsilon - L))_+],
// and releases add their losses. L is put on a grid; both roundings keep the P- and the Q-mass of cells:
//   kUp    the mass of a cell is split between its two ends. delta is convex in e^epsilon, and this is the
//          chord between grid points (Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022): an upper bound.
//   kDown  the outcomes of a cell are reported as one, which is post-processing; its loss ln(P/Q) is near
//          the middle, where it is put after a shift of the whole grid below every one: a lower bound.
// Either errs by about grid^2 a release, so that the truth lies in a narrow bracket. Tails that are cut off
// and an allowance for rounding, 1e-12 + 1e-15 n a composition, are added to the mass at infinity (kUp) or
// taken from it (kDown): deltas below 1e-10 are not for this file.
//
// The pairs (P, Q) and (Q, P) have the same distribution for both mechanisms, so one direction is enough.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace tacit::accounting {

class LossDistribution {
 public:
  enum class Rounding { kUp, kDown };

  /// Laplace noise of this scale on a value of sensitivity `l1`. The bracket is narrowest when the grid
  /// divides 2 l1/scale, since the loss then has its two atoms on it.
  static LossDistribution laplace(double scale, double l1, double grid, Rounding rounding);
  static LossDistribution gaussian(double sigma, double l2, double grid, Rounding rounding);

  /// Of this release and then the other. Both must have the same grid and rounding.
  LossDistribution then(const LossDistribution& other) const;
  /// Of this release, `times` times, up to 1e9.
  LossDistribution repeated(std::int64_t times) const;

  /// A bound of the smallest delta at this epsilon >= 0, from above or below as rounded.
  double delta(double epsilon) const;
  /// The smallest epsilon >= 0 with delta(epsilon) <= delta; infinity when there is none.
  double epsilon(double delta) const;

  std::size_t size() const noexcept { return masses_.size(); }
  /// The probability of an unbounded loss. Below zero by what rounding down takes away.
  double mass_at_infinity() const noexcept { return at_infinity_; }

 private:
  struct Cell {
    double p = 0;
    double q = 0;
  };
  /// P- and Q-mass of the losses in (low, high].
  using Masses = std::function<Cell(double low, double high)>;

  LossDistribution(double grid, Rounding rounding) : grid_(grid), rounding_(rounding) {}
  void discretise(const Masses& masses, double lowest, std::size_t points);
  void split_cells(const Masses& masses);
  void merge_cells(const Masses& masses);
  void cut_tails();
  /// How many steps of the grid the sum of `times` losses stays away from its largest (lowest) value, but
  /// for a negligible probability.
  std::int64_t distance_from_end(std::int64_t times, bool upper) const;
  double loss(std::size_t i) const { return lowest_ + grid_ * static_cast<double>(i); }
  void allow(double error) { at_infinity_ += rounding_ == Rounding::kUp ? error : -error; }

  double grid_;
  Rounding rounding_;
  double lowest_ = 0;           // the loss of masses_[0]
  std::vector<double> masses_;  // probabilities under P; a composition can leave -1e-17 in a tail
  double at_infinity_ = 0;
};

}  // namespace tacit::accounting
