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
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "tacit/core/check.hpp"
#include "tacit/core/stop.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::privacy {

class StopResponse {
 public:
  /// For lists of `positions` items; takes the better of the two.
  StopResponse(double epsilon, int positions);
  /// Takes the response, or the encoding.
  enum class Kind { kResponse, kEncoding };
  StopResponse(double epsilon, int positions, Kind kind);

  Kind kind() const noexcept { return kind_; }
  double p() const noexcept { return p_; }
  double q() const noexcept { return q_; }
  int positions() const noexcept { return positions_; }
  Loss loss(const Sensitivity& sensitivity) const;

  /// One debiased number a position: unbiased for "stopped here".
  template <random::SimulatedRandomness G>
  Released<std::vector<double>> report(const Secret<Stop>& stop, G&& generator) const {
    const int truth = Vault::open(stop).position;
    std::vector<double> clicks(static_cast<std::size_t>(positions_));
    if (kind_ == Kind::kEncoding) {
      for (int k = 0; k < positions_; ++k) {
        clicks[static_cast<std::size_t>(k)] =
            debiased(random::bernoulli(generator, k == truth ? p_ : q_));
      }
    } else {
      const int said = respond(truth, generator);
      for (int k = 0; k < positions_; ++k)
        clicks[static_cast<std::size_t>(k)] = debiased(k == said);
    }
    return Vault::release(std::move(clicks));
  }

 private:
  double debiased(bool reported) const noexcept { return ((reported ? 1 : 0) - q_) / gap_; }

  /// The truth with probability p, else one of the other answers.
  template <class G>
  int respond(int truth, G&& generator) const {
    const bool truthful = random::bernoulli(generator, p_);
    const int other = random::uniform_index(generator, positions_);  // one draw in either case
    if (truthful) return truth;
    return other < truth ? other : other + 1;
  }

  double epsilon_;
  int positions_;
  Kind kind_;
  double p_;
  double q_;
  double gap_;  // p - q
};

}  // namespace tacit::privacy
