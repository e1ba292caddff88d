// Who is played on until his phase is full: the arm whose phase a choice began last, or, while that one is not eligible, the one
// that was begun in its place. Not held are arms that only got on the side what is in their phases: floors and decisions that are
// shown later put it there, and playing their phases to the end would give every arm as much as the best.
#pragma once

#include "tacit/core/round.hpp"
#include "tacit/policies/choice.hpp"

namespace tacit::policies {

class HeldArm {
 public:
  static constexpr Arm kNobody = -1;

  template <class Book>
  Arm find(const Book& book, const Situation& situation) const {
    if (!holds(book, arm_)) return kNobody;
    if (situation.is_eligible(arm_)) return arm_;
    return holds(book, in_its_place_) && situation.is_eligible(in_its_place_) ? in_its_place_
                                                                              : kNobody;
  }
  /// A choice begins a phase of this arm, or takes it up.
  template <class Book>
  void begin(const Book& book, Arm arm) {
    (holds(book, arm_) ? in_its_place_ : arm_) = arm;
  }

  template <class Archive>
  void state(Archive& archive) {
    archive(arm_, in_its_place_);
  }

 private:
  template <class Book>
  static bool holds(const Book& book, Arm arm) {
    return arm != kNobody && book.in_phase(arm);
  }

  Arm arm_ = kNobody;
  Arm in_its_place_ = kNobody;
};

}  // namespace tacit::policies
