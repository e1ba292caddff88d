// "Did you mean ...": the known name closest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tacit {

/// The candidate at the smallest edit distance (ties: the first), or "" when there is none.
std::string nearest_name(std::string_view given, const std::vector<std::string>& candidates);

}  // namespace tacit
