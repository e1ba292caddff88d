#include "tacit/policies/recipes/cascade_baselines.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CascadeUcb1>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CascadeUcb1>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CascadeKlUcb>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CascadeKlUcb>>(request);
}

}  // namespace tacit::simulation
