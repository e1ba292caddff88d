#include "tacit/policies/recipes/lazy_dp_ts.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::LazyDpTs>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::LazyDpTs>>(request);
}

}  // namespace tacit::simulation
