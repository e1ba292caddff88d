#include "tacit/lab/ranks.hpp"

#include <fmt/format.h>

#include "tacit/lab/runner.hpp"

namespace tacit::lab {

Progress Ranks::run(const Plan& plan, Results& results, const RunOptions& options) {
  return lab::run(plan, results, options);
}

std::string disagreement(const std::vector<std::string>& all) {
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank] == all[0]) continue;
    return fmt::format(
        "rank {} {}", rank,
        all[rank].empty() ? "failed" : "has another experiment, or other files behind it");
  }
  return "";
}

}  // namespace tacit::lab
