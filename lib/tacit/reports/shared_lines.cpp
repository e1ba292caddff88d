#include "tacit/reports/shared_lines.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tacit/lab/document.hpp"

namespace tacit::reports {

std::string short_name(const problems::Problem& problem) {
  constexpr std::size_t kLongest = 60;
  std::string name = problem.name();
  if (name.size() > kLongest) name = name.substr(0, kLongest - 3) + "...";
  return name;
}

std::string given_parameters(const simulation::Request& request) {
  std::vector<std::string> given;
  for (const policies::ParameterValue& p : request.parameters) {
    given.push_back(fmt::format("{}={}", p.name, p.value));
  }
  if (given.empty()) return "";
  return fmt::format("\n{}: played with {}\n", request.policy, fmt::join(given, ", "));
}

std::string reason_of(const privacy::Guarantee& guarantee) {
  return fmt::format("{}, because {}", lab::guarantee_text(guarantee), guarantee.because);
}

void SharedLines::add(const std::string& name, const std::string& said) {
  const auto same = std::find_if(lines_.begin(), lines_.end(),
                                 [&](const auto& line) { return line.second == said; });
  if (same == lines_.end()) {
    lines_.emplace_back(name, said);
  } else {
    same->first += ", " + name;
  }
}

std::string SharedLines::text() const {
  std::string text;
  for (const auto& [names, said] : lines_) text += fmt::format("{}: {}\n", names, said);
  return text;
}

}  // namespace tacit::reports
