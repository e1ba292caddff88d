// What becomes of an arm's earlier phases when a new one is released: Forget (Hu et al.: one noise term, half the
// data; ForgetButCount, who knows how many there were), Accumulate (Azize et al. 2025: all data, one noise term a phase), KeepPhases (each phase by itself, for
// indices that weigh them), Running (a release is about everything so far, and replaces).
//
// expect() is the same for a phase that is under way, as if it came out at this mean: what the learner reckons
// with while answers are late.
#pragma once

#include <vector>

#include "tacit/core/round.hpp"
#include "tacit/estimators/estimate.hpp"

namespace tacit::estimators {

/// Only the last phase counts.
struct Forget : Estimate {
  void add(double phase_sum, Round length, int /*noises*/) noexcept {
    sum = phase_sum;
    n = static_cast<double>(length);
    noises = 1;
  }
  void expect(double mean, Round length) noexcept {
    add(mean * static_cast<double>(length), length, 1);
  }
};

/// And how many there were.
struct ForgetButCount : Forget {
  int phases = 0;

  void add(double phase_sum, Round length, int count) noexcept {
    Forget::add(phase_sum, length, count);
    ++phases;
  }
  void expect(double mean, Round length) noexcept {
    add(mean * static_cast<double>(length), length, 1);
  }

  template <class Archive>
  void state(Archive& archive) {
    Forget::state(archive);
    archive(phases);
  }
};

/// Every phase counts alike.
struct Accumulate : Estimate {
  void add(double phase_sum, Round length, int /*noises*/) noexcept {
    sum += phase_sum;
    n += static_cast<double>(length);
    ++noises;
  }
  void expect(double mean, Round length) noexcept {
    add(mean * static_cast<double>(length), length, 1);
  }
};

/// Every phase is kept by itself.
struct KeepPhases : Accumulate {
  struct Phase {
    double sum = 0;
    double n = 0;
    template <class Archive>
    void state(Archive& archive) {
      archive(sum, n);
    }
  };
  std::vector<Phase> phases;

  void add(double phase_sum, Round length, int count) {
    Accumulate::add(phase_sum, length, count);
    phases.push_back({phase_sum, static_cast<double>(length)});
  }
  void expect(double mean, Round length) { add(mean * static_cast<double>(length), length, 1); }

  template <class Archive>
  void state(Archive& archive) {
    Estimate::state(archive);
    archive(phases);
  }
};

/// A release is the running sum, and says how many noise terms are in it.
struct Running : Estimate {
  double told = 0;  // n when the sum was released, on which its noise depends; 0: it never was

  void add(double running_sum, Round length, int terms) noexcept {
    sum = running_sum;
    n += static_cast<double>(length);
    noises = terms;
    told = n;
  }
  /// A counter's noise does not grow with what it will have counted; its first release has a term at least.
  void expect(double mean, Round length) noexcept {
    sum += mean * static_cast<double>(length);
    n += static_cast<double>(length);
    if (noises == 0) noises = 1;
  }
  /// Of the observations whose sum has the noise that this one has: what is under way brings none yet.
  double noisy_n() const noexcept { return told > 0 ? told : n; }

  template <class Archive>
  void state(Archive& archive) {
    Estimate::state(archive);
    archive(told);
  }
};

}  // namespace tacit::estimators
