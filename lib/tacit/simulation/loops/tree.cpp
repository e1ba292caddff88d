#include "tacit/policies/recipes/tree.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::DpUcbTree>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::DpUcbTree>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::DpTsTree>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::DpTsTree>>(request);
}

}  // namespace tacit::simulation
