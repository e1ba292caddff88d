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

/// The e^-level upper quantiles of 0, 1, ..., max_terms Laplace(1) terms, made once a process: every
/// run of a simulation asks for the same ones. Thread safe.
const std::vector<double>& noise_quantiles(int max_terms, double level) {
  static std::mutex mutex;
  static std::map<std::pair<int, double>, std::vector<double>> tables;  // nodes stay where they are
  const std::lock_guard lock(mutex);
  std::vector<double>& table = tables[{max_terms, level}];
  if (table.empty()) {
    table.push_back(0);
    for (int r = 1; r <= max_terms; ++r) table.push_back(LaplaceSum(r).upper_quantile(level));
  }
  return table;
}

}  // namespace

NoiseTailUcb::NoiseTailUcb(double scale, int max_terms, double level)
    : shape_(privacy::Counter::kTree, 1, 2),
      scale_(scale),
      level_(level),
      quantiles_(&noise_quantiles(max_terms, level)) {}

NoiseTailUcb::NoiseTailUcb(const privacy::CounterNoise& shape, double scale, double level)
    : shape_(shape),
      scale_(scale),
      level_(level),
      quantiles_(has_whole_terms(shape) ? &noise_quantiles(shape.most_terms(), level) : nullptr) {}

}  // namespace tacit::indices
