// Local reports of where a user stopped in a list of K items: one of K + 1 answers.
//
// Lemma (k-ary randomised response, Kairouz, Bonawitz & Ramage 2016): the true answer is reported with
// probability p = e^eps/(e^eps + K) and any other with q = 1/(e^eps + K); no report's probability
// changes by more than the factor p/q = e^eps.
// Lemma (optimised unary encoding, Wang, Blocki, Li & Jha 2017): K bits, one for each position and all
// zero for "none"; the true bit is reported as 1 with probability p = 1/2, every other with
// q = 1/(e^eps + 1). Two inputs differ in at most two bits, whose factors are at most
// (p/q) ((1-q)/(1-p)) = e^eps together; from "none" one bit differs, by (e^eps + 1)/2 at most.
//
// Either way y_k = (report_k - q)/(p - q) has the mean of "stopped at k". Its variance at a position
// that is never stopped at is q(1-q)/(p-q)^2, which is (e^eps + K - 1)/(e^eps - 1)^2 for the response
// and 4 e^eps/(e^eps - 1)^2 for the encoding: the response is better while K - 1 < 3 e^eps.
//
// p of the response and 1 - q of the encoding are multiples of 2^-64 and below 1, so that every answer stays
// possible however large eps is; in exact arithmetic they are rounded down so that the factors stay at most e^eps.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "tacit/core/check.hpp"
#include "tacit/core/stop.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/exact.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::privacy {

class StopResponse {
 public:
  /// For lists of `positions` items; takes the better of the two.
  StopResponse(double epsilon, int positions, Arithmetic arithmetic = Arithmetic::kIdealised);
  /// Takes the response, or the encoding.
  enum class Kind { kResponse, kEncoding };
  StopResponse(double epsilon, int positions, Kind kind,
               Arithmetic arithmetic = Arithmetic::kIdealised);

  Kind kind() const noexcept { return kind_; }
  double p() const noexcept { return p_; }
  double q() const noexcept { return q_; }
  double gap() const noexcept { return gap_; }  // p - q, without cancellation
  int positions() const noexcept { return positions_; }
  Loss loss(const Sensitivity& sensitivity) const;

  /// One debiased number a position: unbiased for "stopped here". They take the place of what is in `clicks`: who asks
  /// every round lends the same memory again and again.
  template <random::SimulatedRandomness G>
  void report(const Secret<Stop>& stop, G&& generator,
              std::vector<Released<double>>& clicks) const {
    if (arithmetic_ == Arithmetic::kExact) return exactly(stop, generator, clicks);
    const bool responds = kind_ == Kind::kResponse;
    encoded(
        Vault::open(stop).position,
        [&] {
          return responds ? random::exact::chance(generator, threshold_)
                          : random::bernoulli(generator, p_);
        },
        [&] { return random::exact::chance(generator, 0 - threshold_); },
        [&](int count) { return random::uniform_index(generator, count); }, clicks);
  }

 private:
  friend class ExactStopResponse;

  /// How many answers the truth is weighed against: all others, or one bit's opposite.
  int alternatives() const noexcept { return kind_ == Kind::kResponse ? positions_ : 1; }

  template <class G>
  void exactly(const Secret<Stop>& stop, G& generator,
               std::vector<Released<double>>& clicks) const {
    const bool responds = kind_ == Kind::kResponse;
    encoded(
        Vault::open(stop).position,
        [&] {
          return responds ? random::exact::chance(generator, threshold_)
                          : random::exact::coin(generator);
        },
        [&] { return !random::exact::chance(generator, threshold_); },
        [&](int count) {
          return static_cast<int>(
              random::exact::below(generator, static_cast<std::uint64_t>(count)));
        },
        clicks);
  }

  /// `p` is true with probability p, `q` with q, `index` uniform below its argument.
  template <class P, class Q, class Index>
  void encoded(int truth, P p, Q q, Index index, std::vector<Released<double>>& clicks) const {
    clicks.clear();
    if (kind_ == Kind::kEncoding) {
      for (int k = 0; k < positions_; ++k) clicks.push_back(debiased(k == truth ? p() : q()));
      return;
    }
    // The truth with probability p, else one of the other answers; two draws in either case.
    const bool truthful = p();
    const int other = index(positions_);
    const int said = truthful ? truth : (other < truth ? other : other + 1);
    for (int k = 0; k < positions_; ++k) clicks.push_back(debiased(k == said));
  }

  Released<double> debiased(bool reported) const { return Vault::release(reported ? yes_ : no_); }

  double epsilon_;
  int positions_;
  Kind kind_;
  Arithmetic arithmetic_;
  std::uint64_t threshold_;  // 2^64 p of the response, 2^64 (1 - q) of the encoding
  double p_;
  double q_;
  double gap_;  // p - q
  double yes_;  // what a position is debiased to that was reported,
  double no_;   // and one that was not
};

/// Exact by its type, which is what secure randomness demands.
class ExactStopResponse : public StopResponse {
 public:
  ExactStopResponse(double epsilon, int positions)
      : StopResponse(epsilon, positions, Arithmetic::kExact) {}
  ExactStopResponse(double epsilon, int positions, Kind kind)
      : StopResponse(epsilon, positions, kind, Arithmetic::kExact) {}

  using StopResponse::report;
  void report(const Secret<Stop>& stop, random::SecureSource& source,
              std::vector<Released<double>>& clicks) const {
    exactly(stop, source, clicks);
  }
};

}  // namespace tacit::privacy
