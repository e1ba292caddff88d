#include "tacit/policies/setting.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tacit/actions/top_k.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"

namespace tacit::policies {

std::shared_ptr<const actions::ActionSet> action_set(const Setting& setting) {
  if (setting.actions) return setting.actions;
  return std::make_shared<actions::TopK>(setting.arms, 1);
}

double required_epsilon(std::string_view policy, const Setting& setting) {
  if (!setting.epsilon) {
    throw InvalidParameter(std::string(policy), "epsilon", "",
                           "a private policy needs one, a finite number > 0");
  }
  // Below this the noise scale 1/epsilon, and its square, leave the range of doubles.
  constexpr double kSmallest = 1e-100;
  if (!(std::isfinite(*setting.epsilon) && *setting.epsilon >= kSmallest)) {
    throw InvalidParameter(std::string(policy), "epsilon", fmt::format("{}", *setting.epsilon),
                           "must be a finite number > 0 (and not below 1e-100)");
  }
  return *setting.epsilon;
}

namespace detail {

double read_real(std::string_view policy, const ParameterValue& given, double low, double high) {
  double value = std::numeric_limits<double>::quiet_NaN();
  const char* begin = given.value.data();
  const char* end = begin + given.value.size();
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || rest != end || !(value > low && value < high)) {
    throw InvalidParameter(std::string(policy), given.name, given.value,
                           "must be a number in " + range_text(low, high));
  }
  return value;
}

int read_integer(std::string_view policy, const ParameterValue& given, int low, int high) {
  int value = 0;
  const char* begin = given.value.data();
  const char* end = begin + given.value.size();
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || rest != end || value < low || value > high) {
    throw InvalidParameter(std::string(policy), given.name, given.value,
                           fmt::format("must be an integer from {} to {}", low, high));
  }
  return value;
}

void refuse_choice(std::string_view policy, const ParameterValue& given,
                   const std::vector<std::string>& allowed) {
  std::string all;
  for (const std::string& value : allowed) all += (all.empty() ? "" : ", ") + value;
  throw InvalidParameter(std::string(policy), given.name, given.value, "must be one of " + all);
}

void refuse_unknown(std::string_view policy, const ParameterValue& given,
                    const std::vector<std::string>& known) {
  const std::string requirement =
      known.empty() ? fmt::format("{} has no parameters", policy)
                    : fmt::format("{} has no parameter of this name; did you mean {}?", policy,
                                  nearest_name(given.name, known));
  throw InvalidParameter(Option{given.name}, given.value, requirement);
}

std::string show(double value) { return fmt::format("{}", value); }

std::string range_text(double low, double high) {
  return std::isinf(high) ? fmt::format("({}, inf)", low) : fmt::format("({}, {})", low, high);
}

}  // namespace detail
}  // namespace tacit::policies
