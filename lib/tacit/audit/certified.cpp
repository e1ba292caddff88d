#include "tacit/audit/certified.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tacit/audit/logarithms.hpp"

namespace tacit::audit {

Certified::Certified(double about, double delta, double error) : enough_(-std::log(error)) {
  constexpr double kStep = 1.1;
  constexpr int kBelow = 24;  // a tenth
  constexpr int kAbove = 36;  // thirty times as much
  // A large epsilon may be out of reach of so many runs, and 1 be certified all the same.
  const double lowest = std::min(about, 1.0) * std::pow(kStep, -kBelow);
  const int below = static_cast<int>(std::ceil(std::log(about / lowest) / std::log(kStep) - 1e-9));
  for (int i = -below; i <= kAbove; ++i) {
    const double epsilon = about * std::pow(kStep, i);
    claims_.push_back({epsilon, {epsilon, delta}, {epsilon, delta}});
  }
}

double Certified::Claim::log_value() const {
  return log_mean(std::array{by_law.log_value(), learned.log_value()});
}

double Certified::next() const noexcept {
  return claims_[std::min(refuted_, claims_.size() - 1)].epsilon;
}

void Certified::add(bool one, const Guess& guess) {
  // What is refuted stays so.
  for (std::size_t i = refuted_; i < claims_.size(); ++i) {
    claims_[i].by_law.add(one, guess.by_law);
    claims_[i].learned.add(one, guess.learned);
  }
  while (refuted_ < claims_.size() && claims_[refuted_].log_value() >= enough_) ++refuted_;
}

}  // namespace tacit::audit
