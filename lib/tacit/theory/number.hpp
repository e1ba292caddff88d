// What a bound says of an instance.
#pragma once

#include "tacit/core/answer.hpp"

namespace tacit::theory {

/// A number, or which of the bound's conditions the instance does not meet. Parameters that no instance can have
/// (an epsilon below 0) are mistakes, and are thrown.
using Number = Answer<double>;

}  // namespace tacit::theory
