// Exact Laplace noise drawn in advance, so that the time of a release tells nothing of its noise.
//
// A draw takes longer when the noise is large (random/exact.hpp). Whoever can time a single release
// would learn something of the noise's size, and with it of the sum. A reserve draws a batch at once, at
// a time of its owner's choosing; a release then takes one number off it and adds, whatever the number
// is. An observer can at most time a whole batch, which tells of the sum of its sizes. In a child process
// the reserve is thrown away and drawn afresh: two processes never add the same noise.
#pragma once

#include <cstdint>
#include <vector>

#include <unistd.h>

#include "tacit/core/check.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/secure.hpp"

namespace tacit::privacy {

class NoiseReserve {
 public:
  /// Noise of this mechanism's scale, in exact arithmetic whatever its own.
  NoiseReserve(const Laplace& mechanism, std::size_t batch, random::SecureSource& source)
      : mechanism_(mechanism.scale(), Arithmetic::kExact),
        batch_(static_cast<std::size_t>(
            check::at_least("NoiseReserve", "batch", static_cast<std::int64_t>(batch), 1))),
        source_(&source),
        owner_(getpid()) {
    noise_.reserve(batch_);  // never moved: a moved-from copy would stay in freed memory
    refill();
  }
  NoiseReserve(const NoiseReserve&) = delete;  // a copy would add the same noise twice
  NoiseReserve& operator=(const NoiseReserve&) = delete;
  ~NoiseReserve() { forget(); }

  Loss loss(const Sensitivity& sensitivity) const { return mechanism_.loss(sensitivity); }
  std::size_t left() const noexcept { return noise_.size(); }

  /// Fills the reserve up; call it when nobody waits for a release.
  void refill() {
    while (noise_.size() < batch_) noise_.push_back(mechanism_.draw_securely(*source_));
  }
  /// Refills only when there is nothing left.
  Released<double> release(const Secret<Sum>& sum) { return mechanism_.with_noise(sum, next()); }
  Released<double> report(const Secret<Outcome>& outcome) {
    return mechanism_.with_noise(outcome, next());
  }

 private:
  void forget() {
    for (double& noise : noise_) wipe(noise);
    noise_.clear();
  }
  double next() {
    if (owner_ != getpid()) {
      forget();
      owner_ = getpid();
    }
    if (noise_.empty()) refill();
    const double noise = noise_.back();
    wipe(noise_.back());
    noise_.pop_back();
    return noise;
  }

  Laplace mechanism_;
  std::size_t batch_;
  random::SecureSource* source_;
  pid_t owner_;
  std::vector<double> noise_;  // whole numbers of steps
};

}  // namespace tacit::privacy
