#include "tacit/policies/recipes/mgf.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::MgfKlUcb>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::MgfKlUcb>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::MgfImed>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::MgfImed>>(request);
}

}  // namespace tacit::simulation
