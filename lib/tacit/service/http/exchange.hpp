// One request and the way to answer it: all that is between the server and what it serves.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "tacit/service/answer.hpp"
#include "tacit/service/http/body_budget.hpp"

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
  /// Also with an empty value.
  virtual bool has(std::string_view header) const = 0;
  /// Of several of that name the last one: what the nearest proxy has added.
  virtual std::string_view last_header(std::string_view name) const = 0;
  /// The address at the other end, as inet_ntop writes it; "": a Unix socket has none.
  virtual std::string_view peer() const = 0;
  /// May be written to: it is parsed where it lies, and no copy of it is made.
  virtual std::span<char> body() const = 0;
};

/// Called once, from any thread. If all copies are gone and none was called, the client is told 503.
using Respond = std::function<void(Answer&&)>;

/// Called in a thread of the server; must not block.
using Handler = std::function<void(const Request&, Respond)>;

/// What is decided of a request when its header is there.
struct Entry {
  Handler handler;
  /// What its body is read into. Null: nothing is read of it, the handler is asked at once and does not look at it. If the client has
  /// not sent all of it by then, the connection ends with the answer.
  std::shared_ptr<BodyBudget> bodies;
};

/// Asked once the header of a request is there, and before anything is read of its body: nothing is to be kept of those who may not
/// ask. Called in a thread of the server; must not block.
using Door = std::function<Entry(const Request& header)>;

}  // namespace tacit::service::http
