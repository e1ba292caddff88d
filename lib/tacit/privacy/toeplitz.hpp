// A running sum released after every outcome, with Gaussian noise that is correlated over time: the square
// root of the matrix of prefix sums (counter_noise.hpp; Fichtenberger, Henzinger & Upadhyay 2023).
//
// The prefix sums are A x with A = C C, C the Toeplitz matrix of c_k = C(2k, k)/4^k. Released is
// A x + C z = C (C x + z), z independent N(0, sigma^2): post-processing of C x + z, in which one outcome
// moves a column of length sqrt(S(T)). C is lower triangular, so an outcome may be chosen by whoever saw the
// earlier releases (Denisov, McMahan, Rush, Smith & Thakurta 2022): the Gaussian mechanism of
// sensitivity sqrt(S(T)) D.
//
// The noise does not depend on outcomes and is computed ahead by Fourier transform, twice as far
// each time: O(log n) operations an outcome, memory for as many numbers as there were outcomes.
// Idealised arithmetic only: C has real entries.
#pragma once

#include <cstddef>
#include <vector>

#include "tacit/core/sum.hpp"
#include "tacit/privacy/noise_source.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::privacy {

/// The noise C z, one number a time. It is as secret as the sum that it is added to, before and after.
class ToeplitzNoise {
 public:
  ToeplitzNoise(double sigma, Arm arm) : sigma_(sigma), arm_(arm) {}
  Secret<double> next(const SimulatedNoise& source);

 private:
  void look_ahead(const SimulatedNoise& source);

  double sigma_;
  Arm arm_;
  std::size_t used_ = 0;
  std::size_t first_ = 0;              // ahead_[0] is the noise of outcome first_
  std::vector<Secret<double>> ahead_;  // computed, from first_ on; what was used is wiped
};

class ToeplitzSum {
 public:
  ToeplitzSum(double sigma, Arm arm) : noise_(sigma, arm) {}
  /// The sum with one more outcome.
  Released<double> add(const Secret<Sum>& outcome, const SimulatedNoise& source);

 private:
  ToeplitzNoise noise_;
  Secret<Sum> sum_;
};

}  // namespace tacit::privacy
