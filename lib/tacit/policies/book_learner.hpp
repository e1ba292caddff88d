// What all shells on a book share: slots are assigned to it, sealed and delivered, and it is shown. A shell that has
// more to do then hides the function and calls it.
#pragma once

#include <utility>

#include "tacit/estimators/estimate.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/arm_states.hpp"

namespace tacit::policies {

template <class Book, class Index>
class BookLearner {
 public:
  BookLearner(Book book, Index index) : arms_(std::move(book), std::move(index)) {}

  Round assign(Slot slot, Round n) requires requires(Book& b) { b.assign(slot, n); }
  { return arms_.assign(slot, n); }
  Round seal(Slot slot) requires requires(Book& b) { b.seal(slot); }
  { return arms_.seal(slot); }
  void deliver(Slot slot, Values values, Round, int noises) requires requires(Book& b) {
    b.assign(slot, 1);
  }
  { arms_.deliver(slot, values, noises); }

  View show(Arm arm) const { return arms_.show(arm); }
  /// What an arm's released estimate is, and its index in round t: public, like all that led to it.
  estimators::Estimate estimate(Arm arm) const { return arms_.book().released(arm); }
  double index(Arm arm, Round t) const {
    return arms_.index().value(arms_.of(arm), indices::clock_of(arms_.index(), t));
  }

 protected:
  ArmStates<Book, Index> arms_;
};

}  // namespace tacit::policies
