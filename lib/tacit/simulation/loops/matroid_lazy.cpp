#include "tacit/policies/recipes/matroid_lazy.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::DpUcbMat>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::DpUcbMat>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::DpTsMat>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::DpTsMat>>(request);
}

}  // namespace tacit::simulation
