#include "tacit/policies/recipes/mgf_tt.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::MgfTt>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::MgfTt>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::LdpMgfTt>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::LdpMgfTt>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::TopTwo>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::TopTwo>>(request);
}

}  // namespace tacit::simulation
