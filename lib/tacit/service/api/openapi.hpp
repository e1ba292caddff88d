// What the service says of itself: openapi.json, an OpenAPI 3.1 document that is part of the program.
#pragma once

#include <string>
#include <vector>

#include "tacit/core/embedded_file.hpp"

namespace tacit::service::api {

/// As it is sent: with the version of the program in it.
const std::string& openapi_document();

}  // namespace tacit::service::api
