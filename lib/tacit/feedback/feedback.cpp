#include "tacit/feedback/feedback.hpp"

#include <fmt/format.h>

namespace tacit::feedback {

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::kBandit: return "bandit";
    case Kind::kFull: return "full";
    case Kind::kSemi: return "semi";
    case Kind::kCascade: return "cascade";
  }
  return "";
}

std::string Bandit::moves(int) { return "the played arm's outcome, so its sum, by at most 1"; }

std::string FullInformation::moves(int arms) {
  if (arms == 1) return "the one action's sum by at most 1";
  return fmt::format("the sums of all {} actions by at most 1 each, in either direction,", arms);
}

std::string SemiBandit::moves(int recorded) {
  if (recorded == 1) return "the outcome of the one recorded arm, so its sum, by at most 1";
  return fmt::format("the outcomes of at most {} played arms, so their sums, by at most 1 each",
                     recorded);
}

std::string Cascade::moves(int size) {
  return fmt::format("where the user stops: one of {} positions, or none,", size);
}

std::string CascadeFirst::moves(int) {
  return "whether the item shown first was clicked, so its sum, by at most 1";
}

}  // namespace tacit::feedback
