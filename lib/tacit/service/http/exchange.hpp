// One request and the way to answer it: all that is between the server and what it serves.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "tacit/service/answer.hpp"

namespace tacit::service::http {

/// Valid until the handler returns; the body is wiped then.
class Request {
 public:
  virtual ~Request() = default;
  virtual std::string_view method() const = 0;  // "GET"
  virtual std::string_view path() const = 0;    // before any '?', as it was sent
  virtual std::string_view query() const = 0;   // after it
  /// By its name, in any case; empty: it is not there.
  virtual std::string_view header(std::string_view name) const = 0;
  /// May be written to: it is parsed where it lies, and no copy of it is made.
  virtual std::span<char> body() const = 0;
};

/// Called once, from any thread. If all copies are gone and none was called, the client is told 503.
using Respond = std::function<void(Answer&&)>;

/// Called in a thread of the server; must not block.
using Handler = std::function<void(const Request&, Respond)>;

}  // namespace tacit::service::http
