#include "tacit/problems/problem.hpp"

#include <algorithm>

namespace tacit::problems {

void Problem::set_means(std::vector<double> means) {
  means_ = std::move(means);
  best_mean_ = *std::max_element(means_.begin(), means_.end());
}

void Problem::draw_each_one(std::span<const Arm> arms, Round t, random::SimulationStream& stream,
                            privacy::SecretVector<Outcome>& outcomes) const {
  for (std::size_t i = 0; i < arms.size(); ++i) outcomes.set(i, draw_one(arms[i], t, stream));
}

void Problem::draw_each(std::span<const Arm> arms, Round t, Round n,
                        random::SimulationStream& stream,
                        privacy::SecretVector<Sum>& sums) const {
  for (std::size_t i = 0; i < arms.size(); ++i) sums.set(i, draw(arms[i], t, n, 1, stream));
}

}  // namespace tacit::problems
