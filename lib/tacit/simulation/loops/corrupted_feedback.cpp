#include "tacit/policies/recipes/corrupted_feedback.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::KlUcbCf>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::KlUcbCf>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::TsCf>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::TsCf>>(request);
}

}  // namespace tacit::simulation
