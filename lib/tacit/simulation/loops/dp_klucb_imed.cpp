#include "tacit/policies/recipes/dp_klucb_imed.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::DpKlUcb>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::DpKlUcb>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::DpImed>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::DpImed>>(request);
}

}  // namespace tacit::simulation
