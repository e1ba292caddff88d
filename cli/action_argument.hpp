// The argument of an action spec, what is said when it is wrong, and the makers of each kind.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "files.hpp"
#include "tacit/actions/action_set.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::cli {

using Actions = std::shared_ptr<const actions::ActionSet>;

/// What follows the form's name, and how many arms the problem has.
struct Argument {
  std::string spec;
  std::string text;
  int arms;
};

[[noreturn]] void refuse(const Argument& a, const std::string& requirement);

/// What the library says of its parameters, said of the option.
template <class Make>
auto in_the_name_of(const Argument& a, Make make) {
  try {
    return make();
  } catch (const InvalidParameter& error) {
    if (error.function().empty()) throw;  // names the option already
    refuse(a, error.value().empty() ? error.requirement()
                                    : fmt::format("{} = {}: {}", error.parameter(), error.value(),
                                                  error.requirement()));
  }
}

/// Splits off the last `count` fields: file names may contain colons.
std::pair<std::string, std::vector<std::string>> from_the_right(const Argument& a,
                                                                std::size_t count,
                                                                const char* form);

/// An integer from 1 to `most`, which is the number `of_what`.
int count_at(const Argument& a, const std::string& text, int most, const std::string& of_what);

std::string joined(const TextFile::Row& row);

// matroid_specs.cpp
Actions linear(const Argument& a);
Actions graphic(const Argument& a);
Actions uniform(const Argument& a);
Actions partition(const Argument& a);
Actions transversal(const Argument& a);
Actions laminar(const Argument& a);

// graph_specs.cpp
Actions paths(const Argument& a);
Actions matching(const Argument& a);
Actions cover(const Argument& a);
Actions influence(const Argument& a);

}  // namespace tacit::cli
