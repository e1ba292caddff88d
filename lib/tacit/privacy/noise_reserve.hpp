// Exact Laplace noise drawn in advance, so that the time of a release tells nothing of its noise.
//
// A draw takes longer when the noise is large (random/exact.hpp). Whoever can time a single release
// would learn something of the noise's size, and with it of the sum. A reserve draws a batch at once, at
// a time of its owner's choosing; a release then takes one number off it and adds, whatever the number
// is. An observer can at most time a whole batch, which tells of the sum of its sizes. The reserve lies in
// memory that the kernel empties in a child process, which draws its own: two processes never add the same
// noise. Where the kernel cannot do that, nothing is drawn in advance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "tacit/core/check.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/secure.hpp"
#include "tacit/random/wiped_on_fork.hpp"

namespace tacit::privacy {

class NoiseReserve {
 public:
  /// The source must outlive the reserve; a batch of at most 2^32.
  NoiseReserve(const ExactLaplace& mechanism, std::size_t batch, random::SecureSource& source)
      : mechanism_(mechanism),
        batch_(checked(batch)),
        source_(&source),
        memory_(sizeof(std::size_t) + batch_ * sizeof(Secret<double>)),
        left_(new (memory_.memory()) std::size_t{0}),
        noise_(reinterpret_cast<Secret<double>*>(left_ + 1)) {
    std::uninitialized_value_construct_n(noise_, batch_);
    refill();
  }
  NoiseReserve(const NoiseReserve&) = delete;  // a copy would add the same noise twice
  NoiseReserve& operator=(const NoiseReserve&) = delete;
  ~NoiseReserve() { std::destroy_n(noise_, batch_); }

  Loss loss(const Sensitivity& sensitivity) const { return mechanism_.loss(sensitivity); }
  double step() const noexcept { return mechanism_.step(); }
  std::size_t left() const noexcept { return *left_; }

  /// Fills the reserve up; call it when nobody waits for a release.
  void refill() {
    if (!memory_.works()) return;
    while (*left_ < batch_) {
      noise_[*left_] = mechanism_.draw(*source_);
      ++*left_;
    }
  }
  /// Refills only when there is nothing left.
  Released<double> release(const Secret<Sum>& sum) { return mechanism_.with_noise(sum, next()); }
  Released<double> report(const Secret<Outcome>& outcome) {
    return mechanism_.with_noise(outcome, next());
  }

 private:
  static std::size_t checked(std::size_t batch) {
    check::within("NoiseReserve", "batch", static_cast<double>(batch), 1, 0x1p32);
    return batch;
  }
  Secret<double> next() {
    if (!memory_.works()) return mechanism_.draw(*source_);
    if (*left_ == 0) refill();
    Secret<double>& last = noise_[--*left_];
    const Secret<double> noise = last;
    last.clear();
    return noise;
  }

  ExactLaplace mechanism_;
  std::size_t batch_;
  random::SecureSource* source_;
  random::WipedOnFork memory_;
  std::size_t* left_;      // in it; 0 in a child process
  Secret<double>* noise_;  // behind that
};

}  // namespace tacit::privacy
