// The door to a mechanism's randomness. Curators hold one; learners cannot name it.
//
// Simulated: a function of (key, what the noise is for), so that a run can be repeated, and never good enough
// for a real user. Secure: drawn when it is asked for, never repeated; its mechanisms are the exact ones, by
// type.
#pragma once

#include <cstdint>

#include "tacit/core/round.hpp"
#include "tacit/privacy/gaussian.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/noisy_max.hpp"
#include "tacit/random/secure.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::privacy {

class SimulatedNoise {
 public:
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

 private:
  random::SecureSource* source_;
};

}  // namespace tacit::privacy
