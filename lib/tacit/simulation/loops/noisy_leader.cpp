#include "tacit/policies/recipes/noisy_leader.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::Ftnl>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::Ftnl>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::RnmFtnl>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::RnmFtnl>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::PfFtnl>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::PfFtnl>>(request);
}

}  // namespace tacit::simulation
