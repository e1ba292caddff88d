// What is noted of the machine next to results. No names of machines or users: a
// results file may be passed on.
#pragma once

#include "tacit/lab/document.hpp"

namespace tacit::lab {

/// System, processor, cores, compiler.
Json host_facts();

}  // namespace tacit::lab
