// What a request is answered with that cannot be served: RFC 9457 in C++. Its text names what was given, what is allowed and the
// nearest right thing, and never an outcome, a token, a unit or a key.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "tacit/service/answer.hpp"

namespace tacit::service {

class Problem : public std::runtime_error {
 public:
  /// `field`: where in the request, or "". Whatever the detail repeats, it is told in one line.
  Problem(int status, std::string field, const std::string& detail, int retry_after = 0);

  int status() const noexcept { return status_; }
  const std::string& field() const noexcept { return field_; }
  /// Seconds; 0: not said.
  int retry_after() const noexcept { return retry_after_; }

 private:
  int status_;
  std::string field_;
  int retry_after_;
};

/// application/problem+json.
Answer answer_of(const Problem& problem);

}  // namespace tacit::service
