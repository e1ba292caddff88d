// A budget that a helper took by value would be spent in the helper alone, and again by its caller.
// refused: use of deleted function 'tacit::accounting::Filter::Filter.const tacit::accounting::Filter&.'
// refused: call to deleted constructor of 'accounting::Filter'
#include "tacit/accounting/budget.hpp"

using namespace tacit;

bool allowed(accounting::Filter& budget) { return budget.try_spend({.epsilon = 1}); }

bool release(accounting::Filter& budget) {
#ifdef MUST_NOT_COMPILE
  accounting::Filter own = budget;
  return allowed(own);
#else
  return allowed(budget);
#endif
}
