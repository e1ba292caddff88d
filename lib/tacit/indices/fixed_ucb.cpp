#include "tacit/indices/fixed_ucb.hpp"

#include <map>
#include <mutex>
#include <numbers>
#include <utility>

#include "tacit/indices/laplace_sum.hpp"

namespace tacit::indices {

double LaplaceReportsUcb::radius(double n) const noexcept {
  const double root = 2 * std::sqrt(2 * level_ / n);
  if (n >= level_) return root + scale_ * root;
  const double few = std::numbers::sqrt2 * (level_ / n + std::numbers::ln2);
  return root + scale_ * std::max(root, few);
}

namespace {

/// Of laws that have a number from 0 on: law(number) gives the quantile. Made once a process: every run of a
/// simulation asks for the same ones. Thread safe.
template <class Key, class Law>
const std::vector<double>& table_of(const Key& key, int laws, Law law) {
  static std::mutex mutex;
  static std::map<Key, std::vector<double>> tables;  // nodes stay where they are
  const std::lock_guard lock(mutex);
  std::vector<double>& table = tables[key];
  for (int i = static_cast<int>(table.size()); i < laws; ++i) table.push_back(law(i));
  return table;
}

/// The e^-level upper quantiles of 0, 1, ..., max_terms Laplace(1) terms.
const std::vector<double>& noise_quantiles(int max_terms, double level) {
  return table_of(std::pair(max_terms, level), max_terms + 1, [&](int terms) {
    return terms == 0 ? 0 : LaplaceSum(terms).upper_quantile(level);
  });
}

const std::vector<double>& hybrid_noise_quantiles(Round horizon, double level) {
  const int levels = privacy::hybrid_parts(horizon).levels;
  return table_of(std::pair(levels, level), (levels + 1) * (levels + 2) / 2, [&](int number) {
    return HybridNoiseLaw(first_with_hybrid_law(number)).upper_quantile(level);
  });
}

/// Null where the law has no table.
const std::vector<double>* quantiles_of(const privacy::CounterNoise& shape, double level) {
  if (shape.kind() == privacy::Counter::kHybrid) {
    return &hybrid_noise_quantiles(shape.horizon(), level);
  }
  return has_whole_terms(shape) ? &noise_quantiles(shape.most_terms(), level) : nullptr;
}

}  // namespace

NoiseTailUcb::NoiseTailUcb(double scale, int max_terms, double level)
    : shape_(privacy::Counter::kTree, 1, 2),
      scale_(scale),
      level_(level),
      quantiles_(&noise_quantiles(max_terms, level)) {}

NoiseTailUcb::NoiseTailUcb(const privacy::CounterNoise& shape, double scale, double level)
    : shape_(shape), scale_(scale), level_(level), quantiles_(quantiles_of(shape, level)) {}

}  // namespace tacit::indices
