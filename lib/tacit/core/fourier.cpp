#include "tacit/core/fourier.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tacit::fourier {

void transform(Spectrum& values) {
  const std::size_t size = values.size();
  for (std::size_t i = 1, reversed = 0; i < size; ++i) {
    std::size_t bit = size >> 1;
    for (; (reversed & bit) != 0; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (i < reversed) std::swap(values[i], values[reversed]);
  }
  Spectrum roots(size / 2);
  for (std::size_t k = 0; k < roots.size(); ++k) {
    roots[k] =
        std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(size));
  }
  for (std::size_t half = 1; half < size; half *= 2) {
    const std::size_t stride = size / (2 * half);
    for (std::size_t begin = 0; begin < size; begin += 2 * half) {
      for (std::size_t k = 0; k < half; ++k) {
        const std::complex<double> even = values[begin + k];
        const std::complex<double> odd = product(values[begin + k + half], roots[k * stride]);
        values[begin + k] = even + odd;
        values[begin + k + half] = even - odd;
      }
    }
  }
}

void transform_back(Spectrum& values) {
  transform(values);
  if (values.size() > 1) std::reverse(values.begin() + 1, values.end());
  for (std::complex<double>& value : values) value /= static_cast<double>(values.size());
}

}  // namespace tacit::fourier
