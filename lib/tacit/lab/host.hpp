// What is noted of the program and the machine next to results. No names of machines or users: a
// results file may be passed on.
#pragma once

#include "tacit/lab/document.hpp"

namespace tacit::lab {

/// The version of tacit.
extern const char* const kVersion;

/// System, processor, cores, compiler.
Json host_facts();

}  // namespace tacit::lab
