#include "tacit/policies/recipes/as_published/cascade.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CascadeDpHybridAsPublished>(
    const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CascadeDpHybridAsPublished>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CascadeLdpLaplaceAsPublished>(
    const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CascadeLdpLaplaceAsPublished>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CascadeLdpGaussianAsPublished>(
    const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CascadeLdpGaussianAsPublished>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CascadeLdpComposedAsPublished>(
    const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CascadeLdpComposedAsPublished>>(request);
}

}  // namespace tacit::simulation
