#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/policies/catalogue.hpp"

namespace tacit::cli {
namespace {

bool parse_double(std::string_view text, double& value) {
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && rest == text.data() + text.size();
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// Calls on_line(number, text without comment) for every line that is not blank.
template <class OnLine>
void for_each_line(const std::string& option, const std::string& path, OnLine on_line) {
  std::ifstream file(path);
  std::string line;
  // Opening a folder succeeds; reading from it does not.
  if (!file || (file.peek() == std::ifstream::traits_type::eof() && file.bad())) {
    throw InvalidParameter("", option, path, "cannot be read");
  }
  for (int number = 1; std::getline(file, line); ++number) {
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // a byte order mark
    const std::string_view content = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (!content.empty()) on_line(number, content);
  }
  if (file.bad()) throw InvalidParameter("", option, path, "cannot be read");
}

double number_at(const std::string& option, const std::string& path, int line,
                 std::string_view text) {
  double value = 0;
  if (!parse_double(text, value)) {
    throw InvalidParameter("", option, std::string(text),
                           fmt::format("is not a number ({}, line {})", path, line));
  }
  return value;
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
      "", "param", given.name + "=" + given.value,
      known.empty()
          ? fmt::format("{} has no parameters", fmt::join(policies, ", "))
          : fmt::format("no such parameter; did you mean {}?", nearest_name(given.name, known)));
}

}  // namespace

double read_number(const std::string& option, const std::string& text) {
  double value = 0;
  if (!parse_double(text, value)) throw InvalidParameter("", option, text, "must be a number");
  return value;
}

double read_positive(const std::string& option, const std::string& text) {
  const double value = read_number(option, text);
  if (!(std::isfinite(value) && value > 0)) {
    throw InvalidParameter("", option, text, "must be a finite number > 0");
  }
  return value;
}

std::int64_t read_integer(const std::string& option, const std::string& text, std::int64_t low,
                          std::int64_t high) {
  const std::string allowed =
      fmt::format("must be an integer from {} to {}", low,
                  high == kLastRound ? std::string("2^53") : fmt::format("{}", high));
  std::int64_t integer = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error != std::errc() || rest != text.data() + text.size()) {
    double value = 0;  // 1e6 is an integer too
    if (!parse_double(text, value) || std::floor(value) != value ||
        !(std::abs(value) <= static_cast<double>(kLastRound))) {
      throw InvalidParameter("", option, text, allowed);
    }
    integer = static_cast<std::int64_t>(value);
  }
  if (integer < low || integer > high) throw InvalidParameter("", option, text, allowed);
  return integer;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<double> read_means(const std::string& text) {
  std::vector<double> means;
  if (!text.empty() && text.front() == '@') {
    const std::string path = text.substr(1);
    for_each_line("means", path, [&](int number, std::string_view line) {
      std::string blanks(line);
      std::replace(blanks.begin(), blanks.end(), ',', ' ');
      std::replace(blanks.begin(), blanks.end(), '\t', ' ');
      for (const std::string& part : split(blanks, ' ')) {
        if (!part.empty()) means.push_back(number_at("means", path, number, part));
      }
    });
    if (means.empty()) throw InvalidParameter("", "means", text, "the file contains no number");
  } else {
    if (trimmed(text).empty()) throw InvalidParameter("", "means", "", "needs at least one number");
    for (const std::string& part : split(text, ',')) means.push_back(read_number("means", part));
  }
  for (const double mean : means) {
    if (!(mean >= 0 && mean <= 1)) {
      throw InvalidParameter("", "means", fmt::format("{}", mean), "every mean must be in [0, 1]");
    }
  }
  return means;
}

std::vector<std::vector<double>> read_table(const std::string& path) {
  std::vector<std::vector<double>> rows;
  for_each_line("problem", path, [&](int number, std::string_view line) {
    std::vector<double> row;
    for (const std::string& part : split(line, ',')) {
      row.push_back(number_at("problem", path, number, part));
      if (!(row.back() >= 0 && row.back() <= 1)) {
        throw InvalidParameter(
            "", "problem", part,
            fmt::format("every outcome must be in [0, 1] ({}, line {})", path, number));
      }
    }
    if (!rows.empty() && row.size() != rows.front().size()) {
      throw InvalidParameter("", "problem", path,
                             fmt::format("line {} has {} outcomes, the first row has {}", number,
                                         row.size(), rows.front().size()));
    }
    rows.push_back(std::move(row));
  });
  if (rows.empty()) throw InvalidParameter("", "problem", path, "the file contains no outcome");
  return rows;
}

ParameterOptions::ParameterOptions(const std::vector<std::string>& options,
                                   const std::vector<std::string>& policies) {
  for (const std::string& option : options) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == option.size()) {
      throw InvalidParameter("", "param", option, "must look like name=value or policy.name=value");
    }
    const std::string left = option.substr(0, equals);
    const std::size_t dot = left.find('.');
    Option parsed{
        dot == std::string::npos ? "" : left.substr(0, dot),
        {dot == std::string::npos ? left : left.substr(dot + 1), option.substr(equals + 1)}};
    if (dot != std::string::npos &&
        std::find(policies.begin(), policies.end(), parsed.policy) == policies.end()) {
      throw InvalidParameter("", "param", option,
                             fmt::format("no policy '{}' in this run; did you mean {}?",
                                         parsed.policy, nearest_name(parsed.policy, policies)));
    }
    for (const Option& earlier : options_) {
      if (earlier.policy == parsed.policy && earlier.value.name == parsed.value.name) {
        throw InvalidParameter("", "param", option, "was given before; give it once");
      }
    }
    if (parsed.policy.empty()) check_known(parsed.value, policies);
    options_.push_back(std::move(parsed));
  }
}

std::vector<policies::ParameterValue> ParameterOptions::of(const std::string& policy) const {
  std::vector<policies::ParameterValue> values;
  for (const Option& option : options_) {
    if (option.policy == policy ||
        (option.policy.empty() && has_parameter(policy, option.value.name))) {
      values.push_back(option.value);
    }
  }
  return values;
}

}  // namespace tacit::cli
