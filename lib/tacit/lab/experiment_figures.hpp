// The [[figure]] and [[claim]] tables of an experiment, which may name only what the experiment has.
#pragma once

#include "tacit/lab/experiment.hpp"
#include "tacit/lab/strict_toml.hpp"

namespace tacit::lab {

/// Of an experiment whose configurations have been read. Throws InvalidParameter that names the line.
FigureRequest read_figure(StrictTable& table, const Experiment& experiment);
/// Of one whose figures have been read, too.
Claim read_claim(StrictTable& table, const Experiment& experiment);

}  // namespace tacit::lab
