#include "tacit/accounting/dependence.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/accounting/composition.hpp"
#include "tacit/core/check.hpp"

namespace tacit::accounting {
namespace {

double of_group(const Privacy& privacy, Round rounds) {
  const Cost all = group_privacy({.epsilon = privacy.epsilon, .delta = privacy.delta}, rounds);
  if (privacy.delta > 0) {
    return std::min(1.0, std::tanh(all.epsilon / 2) + 2 * all.delta / (std::exp(all.epsilon) + 1));
  }
  const double middle = rounds % 2 == 0 ? 0 : std::log(std::cosh(privacy.epsilon / 2));
  return -std::expm1(-all.epsilon / 2 - middle);
}

double of_reports(const Privacy& privacy, Round rounds) {
  const auto t = static_cast<double>(rounds);
  const double pure = std::min(1.0, std::sqrt(t * rho_of_pure(privacy.epsilon) / 2));
  return 1 - std::exp(t * std::log1p(-privacy.delta)) * (1 - pure);
}

}  // namespace

double most_dependence(const Privacy& privacy, Round rounds) {
  check::horizon("most_dependence", rounds);
  switch (privacy.notion) {
    case privacy::Notion::kCentral: return of_group(privacy, rounds);
    case privacy::Notion::kLocal:
      return std::min(of_group(privacy, rounds), of_reports(privacy, rounds));
    case privacy::Notion::kNone:
    case privacy::Notion::kInstantaneous:
    case privacy::Notion::kEnvironment: break;
  }
  return 1;
}

}  // namespace tacit::accounting
