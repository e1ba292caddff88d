// Strict readers of single values as people write them. Each throws InvalidParameter about what it is told that
// the text was given for: an option, or a part of one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/round.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/setting.hpp"

namespace tacit::specs {

/// A finite or infinite decimal number, the whole text.
double read_number(const About& about, const std::string& text);
/// A finite number > 0.
double read_positive(const About& about, const std::string& text);
/// A number in (0, 1).
double read_share(const About& about, const std::string& text);
/// An integer in [low, high], also written like 1e6.
std::int64_t read_integer(const About& about, const std::string& text, std::int64_t low,
                          std::int64_t high);
/// The same; no value where the text is none.
std::optional<std::int64_t> integer_in(const std::string& text, std::int64_t low,
                                       std::int64_t high);
/// bandit, full, semi or cascade.
feedback::Kind read_feedback(const std::string& text);
/// --threads: from 1 to 1024, all cores unless given.
int read_threads(const std::optional<std::string>& text);
/// "0.75,0.5" or "@file" (numbers separated by commas, blanks or lines; # starts a comment).
std::vector<double> read_means(const std::string& text);

/// "[POLICY.]name=value" options, and which of them concern one policy: those with its name in
/// front, and those without a name that are parameters of it.
class ParameterOptions {
 public:
  /// Refused: a policy that is not among `policies`, and a parameter that none of them has.
  ParameterOptions(const std::vector<std::string>& options,
                   const std::vector<std::string>& policies);
  std::vector<policies::ParameterValue> of(const std::string& policy) const;

 private:
  struct Given {
    std::string policy;  // empty: every policy
    policies::ParameterValue value;
  };
  std::vector<Given> given_;
};

}  // namespace tacit::specs
