#include "tacit/reports/looks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

namespace tacit::reports {
namespace {

/// Of lines that protect nobody, first of a policy's only one.
constexpr std::array<const char*, 4> kDashes{"(16,7)", "(7,5)", "(28,7)", "(4,4)"};

/// From a mark to those that look least like it first: other shapes, then the same ones filled the other way.
constexpr std::array<int, kPolicyMarks - 1> kStepsToOthers{6, 2, 8, 4, 10, 7, 3, 9, 5, 11, 1};

/// A bound that nobody reads as broken: only a finite one has to be kept at every horizon.
Look line_of_bound(theory::Kind kind) {
  switch (kind) {
    case theory::Kind::kFinite: return {.dashes = "(14,5,3,5)"};
    case theory::Kind::kMinimax: return {.dashes = "(12,4,3,4,3,4)", .width = 1.8};
    case theory::Kind::kReference: return {.dashes = "(2,9)", .width = 1.8};
    case theory::Kind::kAsymptotic:
    case theory::Kind::kOrder: break;
  }
  return {.dashes = "(3,6)", .width = 1.8};
}

class Looks {
 public:
  const Look& of(const Series& series) {
    const auto known = known_.find(series.label);
    if (known != known_.end()) return known->second;
    const Look look = series.is_measured() ? measured(series) : bound(series);
    taken_.push_back(look);
    return known_.emplace(series.label, look).first->second;
  }

 private:
  bool is_taken(const std::string& colour, Mark mark) const {
    return std::any_of(taken_.begin(), taken_.end(), [&](const Look& other) {
      return other.colour == colour && other.mark == mark;
    });
  }

  Look measured(const Series& series) {
    const Ink ink = ink_of(series.policy_name);
    const int earlier = lines_of_[series.policy_name]++;
    Look look{.colour = ink.colour, .mark = ink.mark};
    for (const int steps : kStepsToOthers) {
      if (is_taken(look.colour, *look.mark)) look.mark = later_mark(ink.mark, steps);
    }
    if (!series.is_private)
      look.dashes = kDashes[static_cast<std::size_t>(earlier) % kDashes.size()];
    return look;
  }

  Look bound(const Series& series) {
    Look look = line_of_bound(series.bound_kind);
    const auto number = static_cast<std::size_t>(bounds_++);
    constexpr std::array kMarks{Mark::kPlus, Mark::kCross, Mark::kStar};
    look.mark = kMarks[number % kMarks.size()];
    look.colour =
        series.policy_name.empty()
            ? std::string(
                  kNobodysColours[(number + number / kMarks.size()) % kNobodysColours.size()])
            : ink_of(series.policy_name).colour;
    return look;
  }

  std::map<std::string, Look> known_;  // by label
  std::vector<Look> taken_;
  std::map<std::string, int> lines_of_;  // by policy
  int bounds_ = 0;
};

}  // namespace

void give_looks(Figure& figure) {
  Looks looks;
  for (Panel& panel : figure.panels) {
    for (Series& series : panel.series) {
      if (series.origin == Origin::kFit) {
        series.look = {
            .colour = ink_of(series.policy_name).colour, .dashes = "(2,3)", .width = 1.2};
      } else {
        series.look = looks.of(series);
      }
    }
  }
}

}  // namespace tacit::reports
