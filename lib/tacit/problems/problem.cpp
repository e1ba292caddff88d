#include "tacit/problems/problem.hpp"

#include <algorithm>

namespace tacit::problems {

void Problem::set_means(std::vector<double> means) {
  means_ = std::move(means);
  best_mean_ = *std::max_element(means_.begin(), means_.end());
}

}  // namespace tacit::problems
