#include "tacit/core/invalid_parameter.hpp"

#include <utility>

namespace tacit {
namespace {

std::string sentence(const std::string& function, const std::string& parameter,
                     const std::string& value, const std::string& requirement) {
  std::string text =
      parameter + (value.empty() ? ": missing; " : " = " + value + ": ") + requirement;
  if (!function.empty()) text += " (" + function + ")";
  return text;
}

}  // namespace

InvalidParameter::InvalidParameter(std::string function, std::string parameter, std::string value,
                                   std::string requirement)
    : std::invalid_argument(sentence(function, parameter, value, requirement)),
      function_(std::move(function)),
      parameter_(std::move(parameter)),
      value_(std::move(value)),
      requirement_(std::move(requirement)) {}

}  // namespace tacit
