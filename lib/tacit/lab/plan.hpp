// An experiment made ready: every configuration checked before the first run, and named by a
// fingerprint of all that its results depend on.
#pragma once

#include <string>
#include <vector>

#include "tacit/lab/blocks.hpp"
#include "tacit/lab/document.hpp"
#include "tacit/lab/experiment.hpp"

namespace tacit::lab {

struct Task {
  simulation::Request request;
  Document document;
  std::string fingerprint;  // equal fingerprints have equal results
};

struct Plan {
  std::string title;
  std::string text;  // of the experiment's file
  std::vector<Task> tasks;
};

/// Throws InvalidParameter that names the line.
Plan make_plan(const Experiment& experiment);

/// Of all tasks, their order and their runs, in 32 characters.
std::string digest_of(const Plan& plan);

/// A task's block, by its position in the plan.
struct WorkUnit {
  std::size_t task = 0;
  Block block;
};

/// All units, the first runs of all tasks before the second ones: what is stopped early shows every
/// curve.
std::vector<WorkUnit> work_units_of(const Plan& plan);

/// Shard `index` of `count`, from 1.
struct Shard {
  int index = 1;
  int count = 1;
  bool holds(std::size_t unit) const {
    return unit % static_cast<std::size_t>(count) == static_cast<std::size_t>(index - 1);
  }
};

}  // namespace tacit::lab
