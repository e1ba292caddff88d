#include "tacit/policies/recipes/adap_tt.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::AdapTt>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::AdapTt>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::AdapTtStar>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::AdapTtStar>>(request);
}

}  // namespace tacit::simulation
