// JSON as the lab writes it: keys in the order in which they were added. Who looks into it includes
// <nlohmann/json.hpp>, which takes longer to compile than most files.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace tacit::lab {

using Json = nlohmann::ordered_json;

/// On one line. Names of files need not be UTF-8; what is not is replaced.
std::string on_one_line(const Json& json);

/// JSON has no infinity and no NaN: null.
Json number(double x);

}  // namespace tacit::lab
