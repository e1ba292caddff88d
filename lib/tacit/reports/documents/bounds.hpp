// What theory says of an instance, as `tacit bounds --json` prints it and Python shows it.
#pragma once

#include "tacit/lab/json.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit::reports {

/// A row a bound, with its number on the instance, or why it has none.
lab::Json bounds_json(const theory::Instance& instance);

}  // namespace tacit::reports
