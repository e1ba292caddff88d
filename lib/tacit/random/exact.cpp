#include "tacit/random/exact.hpp"

namespace tacit::random::exact {

template std::int64_t discrete_laplace(KeyedDraw&, std::uint64_t);
template std::int64_t discrete_laplace(SimulationStream&, std::uint64_t);
template std::int64_t discrete_laplace(SecureSource&, std::uint64_t);
template std::int64_t discrete_gaussian(KeyedDraw&, std::uint64_t);
template std::int64_t discrete_gaussian(SimulationStream&, std::uint64_t);
template std::int64_t discrete_gaussian(SecureSource&, std::uint64_t);

}  // namespace tacit::random::exact
