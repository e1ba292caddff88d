// Arms as Python gives them.
#pragma once

#include <cstddef>
#include <vector>

#include <pybind11/pybind11.h>

#include "tacit/core/round.hpp"

namespace tacit::python {

/// A whole number; no bool, which is an entry of a mask. A TypeError that names the argument.
Arm arm_in(pybind11::handle given, const char* argument);
/// At most so many: what never ends is refused, not followed.
std::vector<Arm> arms_in(pybind11::handle given, const char* argument, std::size_t most);

}  // namespace tacit::python
