// Arms, nodes, slots and sets are counted in ints and looked up in vectors.
#pragma once

#include <cstddef>

namespace tacit::actions {

inline std::size_t at(int index) noexcept { return static_cast<std::size_t>(index); }

}  // namespace tacit::actions
