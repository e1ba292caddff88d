#include "tacit/simulation/measured.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tacit::simulation {

void Measurement::add_run(std::span<const double> regrets) {
  measured_.curve.resize(regrets.size());
  for (std::size_t c = 0; c < regrets.size(); ++c) measured_.curve[c].add(regrets[c]);
  measured_.final_regrets.push_back(regrets.back());
}

void Measurement::add_pulls(std::span<const double> pulls) {
  measured_.mean_pulls.resize(pulls.size());
  for (std::size_t a = 0; a < pulls.size(); ++a) measured_.mean_pulls[a] += pulls[a];
}

Measured Measurement::finish() && {
  const auto runs = static_cast<double>(measured_.final_regrets.size());
  for (double& pulls : measured_.mean_pulls) pulls /= runs;
  std::sort(measured_.final_regrets.begin(), measured_.final_regrets.end());
  return std::move(measured_);
}

}  // namespace tacit::simulation
