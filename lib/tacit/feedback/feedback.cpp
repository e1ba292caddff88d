#include "tacit/feedback/feedback.hpp"

#include <fmt/format.h>

namespace tacit::feedback {

const char* name_of(Kind kind) { return kind == Kind::kBandit ? "bandit" : "full"; }

std::string Bandit::moves(int) { return "the played arm's outcome, so its sum, by at most 1"; }

std::string FullInformation::moves(int arms) {
  if (arms == 1) return "the one action's sum by at most 1";
  return fmt::format("the sums of all {} actions by at most 1 each, in either direction,", arms);
}

}  // namespace tacit::feedback
