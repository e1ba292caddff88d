// What every command must meet: an answer, or one line that refuses.
#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include "cli/documents.hpp"
#include "odd_commands.hpp"

namespace tacit::cli_test {
namespace {

/// The first value that is no finite number; documents have null for what there is not.
std::string not_finite(const Json& value) {
  if (value.is_number_float() && !std::isfinite(value.get<double>())) return value.dump();
  if (value.is_string()) {
    static const std::regex whole("[-+]?(nan|inf|infinity)", std::regex::icase);
    const std::string text = value;
    return std::regex_match(text, whole) ? text : "";
  }
  if (value.is_structured()) {
    for (const Json& part : value) {
      if (const std::string found = not_finite(part); !found.empty()) return found;
    }
  }
  return "";
}

double least_of(const Json& regret) {
  double least = INFINITY;
  for (const char* field : {"mean"}) {
    if (regret.at(field).is_number()) least = std::min(least, regret.at(field).get<double>());
  }
  for (const Json& quantile : regret.at("quantiles"))
    least = std::min(least, quantile.get<double>());
  return least;
}

/// What of a probability of a half is lost where an epsilon is computed from a difference of two.
constexpr double kRounded = 1e-14;

std::string complaint_about_row(const OddCommand& command, const Json& row) {
  if (row.contains("guarantee") && !command.epsilon.empty()) {
    const Json& guarantee = row.at("guarantee");
    const double stated = std::stod(command.epsilon);
    if (guarantee.at("notion") != "none" &&
        !(guarantee.at("epsilon").is_number() &&
          guarantee.at("epsilon").get<double>() <= stated * (1 + 1e-9) + kRounded)) {
      return "guarantees " + guarantee.dump() + " at epsilon " + command.epsilon;
    }
  }
  if (row.contains("regret") && !command.can_regret_less) {
    // Sums of so many rounds round.
    const double rounds = row.at("horizon").get<double>();
    if (least_of(row.at("regret")) < -1e-12 * rounds)
      return "negative regret " + row.at("regret").dump();
  }
  return "";
}

std::string complaint_about_answer(const OddCommand& command, const Result& result) {
  const auto& words = command.arguments;
  if (std::find(words.begin(), words.end(), "--json") == words.end()) return "";
  if (!result.err.empty()) return "answers, and says " + result.err;
  const Json document = Json::parse(result.out, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return "prints no JSON: " + result.out.substr(0, 200);
  if (const std::string found = not_finite(document); !found.empty()) return "prints " + found;
  if (!document.is_array()) return "";
  for (const Json& row : document) {
    if (const std::string found = complaint_about_row(command, row); !found.empty()) return found;
  }
  return "";
}

/// Everything that a refusal may be about: options, parameters, and the words of the command.
bool is_known(const std::string& name, const OddCommand& command, const Catalogue& all) {
  if (all.names.contains(name)) return true;
  for (const std::string& word : command.arguments) {
    if (word == name) return true;
  }
  return false;
}

/// Whether this stands in the command, perhaps written as a number is.
bool was_given(const std::string& value, const OddCommand& command) {
  for (const std::string& word : command.arguments) {
    if (word.find(value) != std::string::npos) return true;
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    if (end == value.c_str() || *end != '\0') continue;
    const std::size_t last = word.find_last_of("=:,");
    if (std::strtod(word.c_str() + (last == std::string::npos ? 0 : last + 1), nullptr) == number)
      return true;
  }
  return false;
}

std::string complaint_about_refusal(const OddCommand& command, const Result& result,
                                    const Catalogue& all) {
  const std::string& line = result.err;
  if (!result.out.empty()) return "refuses, and prints " + result.out.substr(0, 100);
  if (std::count(line.begin(), line.end(), '\n') != 1 || !line.ends_with('\n') ||
      !line.starts_with("tacit: ")) {
    return "refuses, but not in one line: " + line;
  }
  const std::string said = line.substr(7, line.size() - 8);
  if (std::any_of(said.begin(), said.end(), [](unsigned char c) { return c < 0x20; })) {
    return "repeats control characters";
  }
  if (said.empty() || std::string("=:, ").find(said.back()) != std::string::npos) {
    return "does not say why: " + said;
  }
  if (said.find("std::") != std::string::npos) return "speaks of its own: " + said;
  if (!command.must_say.empty() && said.find(command.must_say) == std::string::npos) {
    return "does not say " + command.must_say + ": " + said;
  }
  if (command.of_a_file) return "";
  const std::size_t equals = said.find(" = ");
  const std::string name = said.substr(
      0, std::min({equals, said.find(": "), said.find(" is "), said.find(" excludes ")}));
  if (!is_known(name, command, all)) return "says of what was not given: " + said;
  if (equals == std::string::npos || equals > said.find(": ")) return "";
  const std::string value = said.substr(equals + 3, said.find(": ", equals) - equals - 3);
  if (!was_given(value, command)) return "repeats what was not given: " + said;
  return "";
}

}  // namespace

std::string complaint_about(const OddCommand& command, bool ended, const Result& result,
                            const Catalogue& all) {
  if (!ended) return "does not end";
  if (result.exit == 0) {
    if (!command.must_say.empty()) return "does not refuse what is " + command.must_say;
    return complaint_about_answer(command, result);
  }
  if (result.exit == 2) return complaint_about_refusal(command, result, all);
  return "exit " + std::to_string(result.exit) + ": " + result.err;
}

}  // namespace tacit::cli_test
