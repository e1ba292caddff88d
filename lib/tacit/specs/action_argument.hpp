// The argument of an action set as it is written, what is said when it is wrong, and the makers of each kind.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/specs/files.hpp"

namespace tacit::specs {

using Actions = std::shared_ptr<const actions::ActionSet>;

/// What follows the form's name, and how many arms the problem has.
struct Argument {
  std::string spec;  // the whole, as given
  std::string text;
  int arms;
};

[[noreturn]] void refuse(const Argument& a, const std::string& requirement);

/// Splits off the last `count` fields: file names may contain colons.
std::pair<std::string, std::vector<std::string>> from_the_right(const Argument& a,
                                                                std::size_t count,
                                                                const char* form);

/// An integer from 1 to `most`, which is the number `of_what`.
int count_at(const Argument& a, const std::string& text, int most, const std::string& of_what);

std::string joined(const TextFile::Row& row);

// matroids.cpp
Actions linear(const Argument& a);
Actions graphic(const Argument& a);
Actions uniform(const Argument& a);
Actions partition(const Argument& a);
Actions transversal(const Argument& a);
Actions laminar(const Argument& a);

// graphs.cpp
Actions paths(const Argument& a);
Actions matching(const Argument& a);
Actions cover(const Argument& a);
Actions influence(const Argument& a);
Actions cut(const Argument& a);
Actions neighbours(const Argument& a);

}  // namespace tacit::specs
