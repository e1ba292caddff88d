// What is noted of the machine next to results. No names of machines or users: a
// results file may be passed on.
#pragma once

#include <string>

namespace tacit::lab {

/// System, processor, cores, compiler: JSON on one line.
std::string host_facts();

}  // namespace tacit::lab
