// What is sent back for a request, whoever made it up.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tacit::service {

namespace http {
class Channel;
}

struct Answer {
  int status = 200;
  std::string body = {};
  std::string type = "application/json";
  std::string etag = {};                                          // "": none
  int retry_after = 0;                                            // seconds; 0: not said
  std::vector<std::pair<std::string, std::string>> headers = {};  // others
  /// If not null: what is published there follows the body for as long as both sides like, as Server-Sent Events.
  std::shared_ptr<http::Channel> stream = nullptr;
};

}  // namespace tacit::service
