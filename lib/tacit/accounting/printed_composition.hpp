// A rule of composition as Kairouz, Oh & Viswanath 2015 print it for use, Corollary 4.1 (Theorem 7 of Wang et al.,
// "Cascading bandit under differential privacy"): k releases that are each (sqrt(eps^2/(4 k ln(e + eps/delta))), delta/(2k))-private
// are together (eps, delta)-private, for eps <= 0.9. composition.hpp has the exact theorem, which shows where the rule ends.
#pragma once

#include <cstdint>

#include "tacit/accounting/composition.hpp"

namespace tacit::accounting {

/// Up to which epsilon the corollary is stated.
inline constexpr double kPrintedCompositionEnds = 0.9;

/// What each of so many releases may cost by the rule, whatever epsilon is. Throws unless 0 < epsilon, 0 < delta <= 1 and
/// releases >= 1.
Cost printed_share(const Cost& total, std::int64_t releases);

}  // namespace tacit::accounting
