// A budget that a helper took by value would be spent in the helper alone, and again by its caller.
// refused: use of deleted function 'tacit::privacy::Filter::Filter.const tacit::privacy::Filter&.'
// refused: call to deleted constructor of 'privacy::Filter'
#include "tacit/privacy/budget.hpp"

using namespace tacit;

bool allowed(privacy::Filter& budget) { return budget.try_spend({.epsilon = 1}); }

bool release(privacy::Filter& budget) {
#ifdef MUST_NOT_COMPILE
  privacy::Filter own = budget;
  return allowed(own);
#else
  return allowed(budget);
#endif
}
