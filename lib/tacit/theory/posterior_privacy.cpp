#include "tacit/theory/posterior_privacy.hpp"

#include <cmath>

#include "tacit/core/check.hpp"

namespace tacit::theory {

double thompson_action_loss(Round observations_of_the_other) {
  check::at_least("thompson_action_loss", "observations_of_the_other", observations_of_the_other,
                  0);
  return std::log(static_cast<double>(observations_of_the_other) + 2);
}

}  // namespace tacit::theory
