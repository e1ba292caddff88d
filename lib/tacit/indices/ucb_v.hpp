// UCB-V (Audibert, Munos & Szepesvari 2009) on released means: a radius by the largest variance that is plausible, which
// costs no privacy of its own.
//
// With p = mean + linear ln t/n, the released mean with its bonus for noise, and r = 4 root ln t/n, the index is the largest u
// with  u - p <= sqrt(r V),  V the largest s (1 - s) between p and u:
//   u <= 1/2             V = u (1 - u):  u = (p + r/2 + sqrt(r p (1-p) + r^2/4))/(1 + r)
//   p < 1/2 < u          V = 1/4:        u = p + sqrt(r)/2, which is Ucb(root, linear)
//   1/2 <= p < 1/(1+r)   V = p (1 - p):  u = p + sqrt(r p (1-p))
// Beyond that u is at least 1, where anything covers, and p < 0 is a noise that has strayed already; there it is continued so that
// it stays continuous, increasing and concave in ln t: by sqrt(p (1 + r)) and by (2 p + r)/(1 + r), or by Ucb where that is less.
// It is never more than Ucb(root, linear), since V <= 1/4.
//
// Coverage: let q be the mean of the n outcomes in [0, 1], mu their expectation, and let the noise be at least -linear ln t, so
// that 0 <= q <= p. If mu > u > p, then  kl(q, mu) >= kl(p, mu) = int_p^mu (s - p)/(s (1-s)) ds >= (mu - p)^2/(2 V'), V' the
// largest s (1-s) between p and mu, and that exceeds r/2: else mu would be u or less. By Chernoff, as their variance is at most that
// of bits, it happens with probability e^(-n r/2) = t^(-2 root) at most: as often as Hoeffding allows Ucb to fail.
//
// Concave: sqrt(L s (1-s)) is concave in (L, s), so that the first piece is the upper edge of a convex set in (ln t, u); the third
// is sqrt of a product of concave functions; the pieces meet with equal slopes, or as the lesser of two.
#pragma once

#include <cmath>
#include <limits>

#include "tacit/estimators/estimate.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/indices/concave.hpp"

namespace tacit::indices {

class UcbV {
 public:
  struct State {
    double mean = std::numeric_limits<double>::infinity();  // an unobserved arm comes first
    double root = 0;                                        // sqrt(root/n)
    double bonus = 0;                                       // linear/n
    double width = 0;                                       // 4 root/n
  };
  /// The factors of Ucb, at the same level.
  UcbV(double root_factor, double linear_factor)
      : root_factor_(root_factor), linear_factor_(linear_factor) {}

  State prepare(const estimators::Estimate& e) const noexcept {
    if (e.n == 0) return {};
    const double inverse = 1 / e.n;
    return {e.sum * inverse, std::sqrt(root_factor_ * inverse), linear_factor_ * inverse,
            4 * root_factor_ * inverse};
  }
  double value(const State& s, const Clock& clock) const noexcept;
  ConcaveIndex concave(const State& s, const Clock& clock) const noexcept;

 private:
  double root_factor_;
  double linear_factor_;
};

}  // namespace tacit::indices
