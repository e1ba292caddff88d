#include "tacit/policies/recipes/dp_exp3.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::DpExp3>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::DpExp3>>(request);
}

}  // namespace tacit::simulation
