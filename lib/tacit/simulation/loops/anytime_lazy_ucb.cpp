#include "tacit/policies/recipes/anytime_lazy_ucb.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::AnytimeLazyUcb>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::AnytimeLazyUcb>>(request);
}

}  // namespace tacit::simulation
