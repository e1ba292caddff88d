// What is sent back for a request, whoever made it up.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tacit::service {

namespace http {
class Channel;
}

/// Names and values.
using Fields = std::vector<std::pair<std::string, std::string>>;

struct Answer {
  int status = 200;
  std::string body = {};
  std::string type = "application/json";
  std::string etag = {};  // "": none
  int retry_after = 0;    // seconds; 0: not said
  Fields headers = {};    // others
  /// If not null: what is published there follows the body for as long as both sides like, as Server-Sent Events.
  std::shared_ptr<http::Channel> stream = nullptr;
  /// What such a stream begins with: asked when its events are heard already, so that none is missed in between.
  std::function<std::string()> opening = nullptr;
  /// Goes when the stream ends: who counts them sees it.
  std::shared_ptr<const void> seat = nullptr;
};

}  // namespace tacit::service
