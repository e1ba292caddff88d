#include "tacit/service/keeping/damage.hpp"

#include <algorithm>

namespace tacit::service {

std::vector<std::string> damage_in(const storage::Database& database, Look look) {
  std::vector<std::string> lines;
  try {
    storage::Statement rows(
        database, look == Look::kQuick ? "PRAGMA quick_check(10)" : "PRAGMA integrity_check(10)");
    while (rows.step()) {
      std::string found = rows.text(0);
      std::replace(found.begin(), found.end(), '\n', ' ');
      if (found != "ok") lines.push_back("the file is damaged: " + found);
    }
  } catch (const storage::Damaged&) {
    // Some damage ends the check itself, before or after it is told.
    if (lines.empty()) lines.emplace_back("the file is damaged: it cannot be read to its end");
  }
  return lines;
}

}  // namespace tacit::service
