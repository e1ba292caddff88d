#include "tacit/accounting/printed_composition.hpp"

#include <cmath>
#include <numbers>

#include "tacit/core/check.hpp"

namespace tacit::accounting {

Cost printed_share(const Cost& total, std::int64_t releases) {
  const char* function = "printed_share";
  check::positive(function, "epsilon", total.epsilon);
  check::positive(function, "delta", total.delta);
  check::within(function, "delta", total.delta, 0, 1);
  const auto k = static_cast<double>(check::at_least(function, "releases", releases, 1));
  const double spread = 4 * k * std::log(std::numbers::e + total.epsilon / total.delta);
  return {total.epsilon / std::sqrt(spread), total.delta / (2 * k)};
}

}  // namespace tacit::accounting
