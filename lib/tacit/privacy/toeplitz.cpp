#include "tacit/privacy/toeplitz.hpp"

#include <algorithm>
#include <complex>

#include "tacit/core/fourier.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::privacy {

Secret<double> ToeplitzNoise::next(const SimulatedNoise& source) {
  if (used_ == first_ + ahead_.size()) look_ahead(source);
  Secret<double>& noise = ahead_[used_++ - first_];
  const Secret<double> taken = noise;
  noise.clear();
  return taken;
}

void ToeplitzNoise::look_ahead(const SimulatedNoise& source) {
  constexpr std::size_t kAtFirst = 64;
  const std::size_t size = std::max(kAtFirst, 2 * used_);
  // One transform for both: c in the real part, z in the imaginary one. The imaginary part of the
  // square is then 2 c * z; twice the length, so that nothing wraps around.
  fourier::Spectrum both(2 * size);
  auto draw = source.at(static_cast<std::uint64_t>(arm_));
  double c = 1;
  for (std::size_t k = 0; k < size; ++k) {
    both[k] = {c, random::standard_normal(draw)};
    c *= (static_cast<double>(k) + 0.5) / (static_cast<double>(k) + 1);
  }
  fourier::transform(both);
  for (auto& value : both) value = fourier::product(value, value);
  fourier::transform_back(both);
  first_ = used_;
  ahead_.resize(size - first_);
  for (std::size_t k = first_; k < size; ++k) {
    ahead_[k - first_] = Secret<double>(0.5 * sigma_ * both[k].imag());
  }
  for (auto& value : both) privacy::wipe(value);
}

Released<double> ToeplitzSum::add(const Secret<Sum>& outcome, const SimulatedNoise& source) {
  sum_ += outcome;
  const Secret<double> noise = noise_.next(source);
  return Vault::release(Vault::open(sum_).value() + Vault::open(noise));
}

}  // namespace tacit::privacy
