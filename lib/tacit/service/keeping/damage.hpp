// What SQLite finds in its own pages that cannot be.
#pragma once

#include <string>
#include <vector>

#include "tacit/storage/sqlite.hpp"

namespace tacit::service {

enum class Look {
  kQuick,  // at every page
  kWhole,  // also whether indices agree with their tables
};

/// A line each, of which the first few are told; none: it is whole.
std::vector<std::string> damage_in(const storage::Database& database, Look look);

}  // namespace tacit::service
