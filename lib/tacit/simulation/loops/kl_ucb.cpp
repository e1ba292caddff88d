#include "tacit/policies/recipes/kl_ucb.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::KlUcb>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::KlUcb>>(request);
}

}  // namespace tacit::simulation
