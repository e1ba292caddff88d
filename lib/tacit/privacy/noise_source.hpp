// The door to a mechanism's randomness. Curators hold one; learners cannot name it.
//
// Simulated: a function of (key, what the noise is for), so that a run can be repeated, and never good enough
// for a real user. Secure: drawn when it is asked for, never repeated; its mechanisms are the exact ones, by
// type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tacit/core/round.hpp"
#include "tacit/privacy/gaussian.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/noisy_max.hpp"
#include "tacit/random/secure.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::privacy {

class SimulatedLaplaceInTurn;

class SimulatedNoise {
 public:
  using LaplaceInTurn = SimulatedLaplaceInTurn;
  using LaplaceNoise = Laplace;
  using Selection = NoisyMax;

  explicit SimulatedNoise(const random::SimulationKey& key,
                          Arithmetic arithmetic = Arithmetic::kIdealised)
      : key_(key), arithmetic_(arithmetic) {}

  Arithmetic arithmetic() const noexcept { return arithmetic_; }
  Laplace laplace(double scale) const { return Laplace(scale, arithmetic_); }
  NoisyMax noisy_max(NoisyMax::Noise noise, double scale) const {
    return NoisyMax(noise, scale, arithmetic_);
  }
  /// Two different places never share noise.
  random::KeyedDraw at(std::uint64_t a, std::uint64_t b = 0) const {
    return key_.at(random::Purpose::kNoise, a, b);
  }
  random::KeyedDraw at(Arm arm, Round release) const {
    return at(static_cast<std::uint64_t>(arm), static_cast<std::uint64_t>(release));
  }

 private:
  random::SimulationKey key_;
  Arithmetic arithmetic_;
};

/// The Laplace noise of an arm's releases 1, 2, ...: four in a row come from one place, whose numbers are made four at
/// once, and several places are looked at together, so that their multiplications and logarithms overlap.
class SimulatedLaplaceInTurn {
 public:
  SimulatedLaplaceInTurn(const SimulatedNoise& source, double scale, Arm arm)
      : source_(source), mechanism_(source.laplace(scale)), arm_(arm) {}

  const Laplace& mechanism() const noexcept { return mechanism_; }
  Released<double> release(const Secret<Sum>& sum, Round release) {
    if (release < first_ || release >= first_ + kAhead) draw_around(release);
    return mechanism_.with_noise(sum, noise_[static_cast<std::size_t>(release - first_)]);
  }

 private:
  static constexpr Round kOfAPlace = 4;
  static constexpr Round kAhead = 4 * kOfAPlace;

  /// Where noise begins is a function of the release, so that its noise does not depend on those before it.
  [[gnu::noinline]] void draw_around(Round release) {
    first_ = release / kAhead * kAhead;
    const auto place = [&](Round i) { return source_.at(arm_, first_ / kOfAPlace + i); };
    std::array<random::KeyedDraw, kAhead / kOfAPlace> places{place(0), place(1), place(2),
                                                             place(3)};
    for (random::KeyedDraw& generator : places) generator.make_ready();
    for (std::size_t i = 0; i < kAhead; ++i) {
      noise_[i] = mechanism_.draw(places[i / kOfAPlace]);
    }
  }

  SimulatedNoise source_;
  Laplace mechanism_;
  Arm arm_;
  Round first_ = -kAhead;  // none is drawn
  std::array<Secret<double>, kAhead> noise_;
};

class SecureNoise {
 public:
  using LaplaceNoise = ExactLaplace;
  using Selection = ExactNoisyMax;

  /// The source outlives it.
  explicit SecureNoise(random::SecureSource& source) : source_(&source) {}

  Arithmetic arithmetic() const noexcept { return Arithmetic::kExact; }
  ExactLaplace laplace(double scale) const { return ExactLaplace(scale); }
  ExactNoisyMax noisy_max(NoisyMax::Noise noise, double scale) const {
    return ExactNoisyMax(noise, scale);
  }
  /// What it is for does not matter: noise is never drawn twice.
  random::SecureSource& at(Arm, Round) const noexcept { return *source_; }
  random::SecureSource& at(std::uint64_t, std::uint64_t = 0) const noexcept { return *source_; }

  /// Drawn when it is asked for: what is known before could be read before.
  class LaplaceInTurn {
   public:
    LaplaceInTurn(const SecureNoise& source, double scale, Arm)
        : source_(source.source_), mechanism_(scale) {}

    const ExactLaplace& mechanism() const noexcept { return mechanism_; }
    Released<double> release(const Secret<Sum>& sum, Round) const {
      return mechanism_.release(sum, *source_);
    }

   private:
    random::SecureSource* source_;
    ExactLaplace mechanism_;
  };

 private:
  random::SecureSource* source_;
};

}  // namespace tacit::privacy
