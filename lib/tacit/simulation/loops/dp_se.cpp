#include "tacit/policies/recipes/dp_se.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::DpSe>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::DpSe>>(request);
}

}  // namespace tacit::simulation
