#include "tacit/policies/recipes/cucb_dp.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CucbDp>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CucbDp>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CucbDpWeakest>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CucbDpWeakest>>(request);
}

}  // namespace tacit::simulation
