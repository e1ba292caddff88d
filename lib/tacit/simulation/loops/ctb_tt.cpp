#include "tacit/policies/recipes/ctb_tt.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CtbTt>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CtbTt>>(request);
}

}  // namespace tacit::simulation
