#include "tacit/policies/recipes/full_information_baselines.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::Ftl>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::Ftl>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::HedgeDecreasing>(
    const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::HedgeDecreasing>>(request);
}

}  // namespace tacit::simulation
