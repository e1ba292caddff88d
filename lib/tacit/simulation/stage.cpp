#include "tacit/simulation/stage.hpp"

#include <cstddef>
#include <numeric>
#include <vector>

namespace tacit::simulation {

privacy::SecretVector<Outcome> draw_raw_outcomes(const Stage& stage, bool clicks) {
  std::vector<Arm> all(static_cast<std::size_t>(stage.problem.arms()));
  std::iota(all.begin(), all.end(), 0);
  privacy::SecretVector<Outcome> first(all.size());
  if (clicks) {
    for (const Arm item : all) {
      first.set(static_cast<std::size_t>(item), stage.problem.draw_click(item, 1, stage.outcomes));
    }
  } else {
    stage.problem.draw_outcomes(all, 1, stage.outcomes, first);
  }
  return first;
}

}  // namespace tacit::simulation
