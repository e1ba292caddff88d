// Action sets as the command line writes them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tacit/actions/action_set.hpp"

namespace tacit::cli {

struct ActionSpecHelp {
  std::string form;
  std::string meaning;
};

/// Every form that read_actions accepts.
const std::vector<ActionSpecHelp>& action_spec_help();

/// The action set of a problem with so many arms; null for "single". Throws InvalidParameter that
/// names the option, the file and the line.
std::shared_ptr<const actions::ActionSet> read_actions(const std::string& spec, int arms);

/// The bases of the linear matroid of these vectors.
std::shared_ptr<const actions::ActionSet> linear_matroid(
    const std::vector<std::vector<std::int64_t>>& vectors);

}  // namespace tacit::cli
