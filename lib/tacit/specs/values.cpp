#include "tacit/specs/values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <sstream>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "tacit/core/nearest_name.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/specs/files.hpp"

namespace tacit::specs {
namespace {

bool parse_double(std::string_view text, double& value) {
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && rest == text.data() + text.size();
}

constexpr const char* kMeanRequirement = "every mean must be in [0, 1]";

bool is_mean(double value) { return value >= 0 && value <= 1; }

/// Words separated by blanks or tabs.
std::vector<std::string> split_blanks(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<std::string> parameter_names(const std::string& policy) {
  std::vector<std::string> names;
  for (const policies::ParameterInfo& info : policies::find_policy(policy).parameters({})) {
    names.push_back(info.name);
  }
  return names;
}

bool has_parameter(const std::string& policy, const std::string& name) {
  const std::vector<std::string> names = parameter_names(policy);
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_known(const policies::ParameterValue& given, const std::vector<std::string>& policies) {
  std::vector<std::string> known;
  for (const std::string& policy : policies) {
    if (has_parameter(policy, given.name)) return;
    for (std::string& name : parameter_names(policy)) known.push_back(std::move(name));
  }
  throw InvalidParameter(
      Option{"param"}, given.name + "=" + given.value,
      known.empty()
          ? fmt::format("{} has no parameters", fmt::join(policies, ", "))
          : fmt::format("no such parameter; did you mean {}?", nearest_name(given.name, known)));
}

}  // namespace

double read_number(const About& about, const std::string& text) {
  double value = 0;
  if (!parse_double(text, value)) throw InvalidParameter(about, text, "must be a number");
  return value;
}

double read_positive(const About& about, const std::string& text) {
  const double value = read_number(about, text);
  if (!(std::isfinite(value) && value > 0)) {
    throw InvalidParameter(about, text, "must be a finite number > 0");
  }
  return value;
}

double read_share(const About& about, const std::string& text) {
  const double value = read_number(about, text);
  if (!(value > 0 && value < 1)) {
    throw InvalidParameter(about, text, "must be a number in (0, 1)");
  }
  return value;
}

feedback::Kind read_feedback(const std::string& text) {
  using feedback::Kind;
  for (const Kind kind : {Kind::kBandit, Kind::kFull, Kind::kSemi, Kind::kCascade}) {
    if (text == feedback::name_of(kind)) return kind;
  }
  throw InvalidParameter(Option{"feedback"}, text, "must be bandit, full, semi or cascade");
}

int read_threads(const std::optional<std::string>& text) {
  if (text) return static_cast<int>(read_integer(Option{"threads"}, *text, 1, 1024));
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::optional<std::int64_t> integer_in(const std::string& text, std::int64_t low,
                                       std::int64_t high) {
  std::int64_t integer = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error != std::errc() || rest != text.data() + text.size()) {
    double value = 0;  // 1e6 is an integer too
    if (!parse_double(text, value) || std::floor(value) != value ||
        !(std::abs(value) <= static_cast<double>(kLastRound))) {
      return {};
    }
    integer = static_cast<std::int64_t>(value);
  }
  if (integer < low || integer > high) return {};
  return integer;
}

std::int64_t read_integer(const About& about, const std::string& text, std::int64_t low,
                          std::int64_t high) {
  if (const auto integer = integer_in(text, low, high)) return *integer;
  throw InvalidParameter(
      about, text,
      fmt::format("must be an integer from {} to {}", low,
                  high == kLastRound ? std::string("2^53") : fmt::format("{}", high)));
}

std::vector<double> read_means(const std::string& text) {
  std::vector<double> means;
  if (!text.empty() && text.front() == '@') {
    const TextFile file = read_file("means", text.substr(1));
    for (const TextFile::Row& row : file.rows) {
      for (const std::string& field : row.fields) {
        for (const std::string& part : split_blanks(field)) {
          means.push_back(file.number({row.line, {part}}, 0));
          if (!is_mean(means.back())) file.refuse(row, part, kMeanRequirement);
        }
      }
    }
  } else {
    if (split(text, ',') == std::vector<std::string>{""}) {
      throw InvalidParameter(Option{"means"}, "", "needs at least one number");
    }
    for (const std::string& part : split(text, ',')) {
      means.push_back(read_number(Option{"means"}, part));
    }
  }
  for (const double mean : means) {
    if (!is_mean(mean)) {
      throw InvalidParameter(Option{"means"}, fmt::format("{}", mean), kMeanRequirement);
    }
  }
  return means;
}

ParameterOptions::ParameterOptions(const std::vector<std::string>& options,
                                   const std::vector<std::string>& policies) {
  for (const std::string& option : options) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == option.size()) {
      throw InvalidParameter(Option{"param"}, option,
                             "must look like name=value or policy.name=value");
    }
    const std::string left = option.substr(0, equals);
    const std::size_t dot = left.find('.');
    Given parsed{
        dot == std::string::npos ? "" : left.substr(0, dot),
        {dot == std::string::npos ? left : left.substr(dot + 1), option.substr(equals + 1)}};
    if (dot != std::string::npos &&
        std::find(policies.begin(), policies.end(), parsed.policy) == policies.end()) {
      throw InvalidParameter(Option{"param"}, option,
                             fmt::format("no policy '{}' in this run; did you mean {}?",
                                         parsed.policy, nearest_name(parsed.policy, policies)));
    }
    for (const Given& earlier : given_) {
      if (earlier.policy == parsed.policy && earlier.value.name == parsed.value.name) {
        throw InvalidParameter(Option{"param"}, option, "was given before; give it once");
      }
    }
    if (parsed.policy.empty()) check_known(parsed.value, policies);
    given_.push_back(std::move(parsed));
  }
}

std::vector<policies::ParameterValue> ParameterOptions::of(const std::string& policy) const {
  std::vector<policies::ParameterValue> values;
  for (const Given& option : given_) {
    if (option.policy == policy ||
        (option.policy.empty() && has_parameter(policy, option.value.name))) {
      values.push_back(option.value);
    }
  }
  return values;
}

}  // namespace tacit::specs
