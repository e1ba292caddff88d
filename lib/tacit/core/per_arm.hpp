// One thing an arm: a vector that is indexed by Arm.
#pragma once

#include "tacit/core/indexed.hpp"
#include "tacit/core/round.hpp"

namespace tacit {

template <class T>
class PerArm : public Indexed<T> {
 public:
  using Indexed<T>::Indexed;

  int arms() const noexcept { return this->count(); }
};

}  // namespace tacit
