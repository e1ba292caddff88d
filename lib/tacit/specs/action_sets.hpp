// Action sets as people write them: "top:3", "matroid:graphic:FILE", "paths:FILE:SOURCE:TARGET". docs/formats.md
// describes the files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tacit/actions/action_set.hpp"

namespace tacit::specs {

struct ActionSetForm {
  std::string form;
  std::string meaning;
};

/// Every form that action_set accepts.
const std::vector<ActionSetForm>& action_set_forms();

/// The action set of a problem with so many arms; null for "single". Throws InvalidParameter that
/// names the option, the file and the line.
std::shared_ptr<const actions::ActionSet> action_set(const std::string& text, int arms);

/// The bases of the linear matroid of these vectors.
std::shared_ptr<const actions::ActionSet> linear_matroid(
    const std::vector<std::vector<std::int64_t>>& vectors);

}  // namespace tacit::specs
