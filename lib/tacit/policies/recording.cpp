#include "tacit/policies/recording.hpp"

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::policies {

void refuse(std::span<const Arm> eligible) {
  throw InvalidParameter("choose", "eligible", fmt::format("{}", fmt::join(eligible, ",")),
                         "leaves no action that is made of these arms alone");
}

}  // namespace tacit::policies
