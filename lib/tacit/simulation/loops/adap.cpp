#include "tacit/policies/recipes/adap.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::AdapUcb>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::AdapUcb>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::AdapKlUcb>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::AdapKlUcb>>(request);
}

}  // namespace tacit::simulation
