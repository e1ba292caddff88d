// The one exception of the library: a value that a constructor or a parser cannot accept.
#pragma once

#include <stdexcept>
#include <string>

namespace tacit {

/// Thrown from constructors and parsers, never from the hot path. what() is one line fit for a
/// user: it names the parameter, the value that was given and what is allowed.
class InvalidParameter : public std::invalid_argument {
 public:
  InvalidParameter(std::string function, std::string parameter, std::string value,
                   std::string requirement);

  const std::string& function() const noexcept { return function_; }
  const std::string& parameter() const noexcept { return parameter_; }
  const std::string& value() const noexcept { return value_; }
  const std::string& requirement() const noexcept { return requirement_; }

 private:
  std::string function_;
  std::string parameter_;
  std::string value_;
  std::string requirement_;
};

}  // namespace tacit
