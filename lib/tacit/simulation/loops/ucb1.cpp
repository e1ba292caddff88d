#include "tacit/policies/recipes/ucb1.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::Ucb1>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::Ucb1>>(request);
}

}  // namespace tacit::simulation
