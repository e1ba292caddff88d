#include "tacit/lab/json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace tacit::lab {

std::string on_one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

}  // namespace tacit::lab
