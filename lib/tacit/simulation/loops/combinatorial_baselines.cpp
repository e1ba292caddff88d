#include "tacit/policies/recipes/combinatorial_baselines.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::Cucb>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::Cucb>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CtsBeta>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CtsBeta>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CtsGaussian>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CtsGaussian>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::Omm>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::Omm>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::KlOsm>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::KlOsm>>(request);
}

}  // namespace tacit::simulation
