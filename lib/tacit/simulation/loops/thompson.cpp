#include "tacit/policies/recipes/thompson.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::ThompsonBeta>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::ThompsonBeta>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::ThompsonGaussian>(
    const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::ThompsonGaussian>>(request);
}

}  // namespace tacit::simulation
