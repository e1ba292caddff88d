#include "tacit/service/api/openapi.hpp"

#include <nlohmann/json.hpp>

#include "tacit/core/version.hpp"
#include "tacit/service/embedded_file.hpp"

namespace tacit::service::api {

const std::string& openapi_document() {
  static const std::string document = [] {
    auto json = nlohmann::ordered_json::parse(embedded_openapi().at(0).text);
    json["info"]["version"] = kVersion;
    return json.dump();
  }();
  return document;
}

}  // namespace tacit::service::api
