#include "tacit/core/invalid_parameter.hpp"

#include <utility>

#include <fmt/format.h>

#include "tacit/core/one_line.hpp"

namespace tacit {
namespace {

const std::string& name_of(const Option& option) { return option.name; }
const std::string& name_of(const FileLine& line) { return line.option; }
const std::string& name_of(const Parameter& parameter) { return parameter.name; }

}  // namespace

const std::string& Refusal::name() const noexcept {
  return std::visit([](const auto& what) -> const std::string& { return name_of(what); }, about);
}

std::string Refusal::located() const {
  const auto* line = std::get_if<FileLine>(&about);
  if (line == nullptr) return requirement;
  return fmt::format("{} ({}, line {})", requirement, line->file, line->line);
}

std::string Refusal::in_words() const {
  return value.empty() ? located() : fmt::format("{} = {}: {}", name(), value, located());
}

std::string Refusal::sentence() const {
  const auto said = [&] {
    if (withheld) return fmt::format("{}: {}", name(), located());
    return value.empty() ? fmt::format("{}: missing; {}", name(), located()) : in_words();
  };
  const std::string text = said();
  const auto* parameter = std::get_if<Parameter>(&about);
  return parameter == nullptr ? text : fmt::format("{} ({})", text, parameter->function);
}

InvalidParameter::InvalidParameter(Refusal refusal)
    // A NUL byte would end what(), before what is wrong is said.
    : std::invalid_argument(in_one_line(refusal.sentence(), std::string::npos)),
      refusal_(std::move(refusal)) {}

InvalidParameter::InvalidParameter(About about, std::string value, std::string requirement)
    : InvalidParameter(Refusal{std::move(about), std::move(value), std::move(requirement)}) {}

InvalidParameter::InvalidParameter(std::string function, std::string parameter, std::string value,
                                   std::string requirement)
    : InvalidParameter(Parameter{std::move(function), std::move(parameter)}, std::move(value),
                       std::move(requirement)) {}

InvalidParameter::InvalidParameter(About about, Withheld, std::string requirement)
    : InvalidParameter(Refusal{std::move(about), "", std::move(requirement), true}) {}

InvalidParameter::InvalidParameter(std::string function, std::string parameter, Withheld,
                                   std::string requirement)
    : InvalidParameter(Parameter{std::move(function), std::move(parameter)}, Withheld{},
                       std::move(requirement)) {}

InvalidParameter::~InvalidParameter() = default;

}  // namespace tacit
