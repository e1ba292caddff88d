#include "tacit/privacy/toeplitz.hpp"

#include <algorithm>
#include <complex>

#include "tacit/privacy/fourier.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::privacy {

double ToeplitzNoise::next(const random::SimulationKey& key) {
  if (used_ == first_ + ahead_.size()) look_ahead(key);
  return ahead_[used_++ - first_];
}

void ToeplitzNoise::look_ahead(const random::SimulationKey& key) {
  constexpr std::size_t kAtFirst = 64;
  const std::size_t size = std::max(kAtFirst, 2 * used_);
  // One transform for both: c in the real part, z in the imaginary one. The imaginary part of the
  // square is then 2 c * z; twice the length, so that nothing wraps around.
  detail::Spectrum both(2 * size);
  auto draw = key.at(random::Purpose::kNoise, static_cast<std::uint64_t>(arm_));
  double c = 1;
  for (std::size_t k = 0; k < size; ++k) {
    both[k] = {c, random::standard_normal(draw)};
    c *= (static_cast<double>(k) + 0.5) / (static_cast<double>(k) + 1);
  }
  detail::transform(both);
  for (auto& value : both) value = detail::product(value, value);
  detail::transform_back(both);
  first_ = used_;
  ahead_.resize(size - first_);
  for (std::size_t k = first_; k < size; ++k) ahead_[k - first_] = 0.5 * sigma_ * both[k].imag();
}

Released<double> ToeplitzSum::add(const Secret<Sum>& outcome, const Releases& releases) {
  sum_ += outcome;
  return Vault::release(Vault::open(sum_).value() + noise_.next(releases.key()));
}

}  // namespace tacit::privacy
