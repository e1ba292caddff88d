// Every policy and every problem, as `tacit list --json` prints them and Python shows them.
#pragma once

#include "tacit/lab/json.hpp"

namespace tacit::reports {

/// A row a policy: what it is, what was published of it, what is true, its parameters. Epsilons are multiples of the
/// parameter.
lab::Json policies_json();
/// A row a problem that has a name.
lab::Json problems_json();

}  // namespace tacit::reports
