// What is sent back for a request, whoever made it up.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tacit::service {

struct Answer {
  int status = 200;
  std::string body;
  std::string type = "application/json";
  std::string etag;     // "": none
  int retry_after = 0;  // seconds; 0: not said
  std::vector<std::pair<std::string, std::string>> headers;  // others
};

}  // namespace tacit::service
