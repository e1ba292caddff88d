#include "tacit/actions/edmonds_start.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tacit::actions {
namespace {

constexpr int kLoop = -1;

}  // namespace

EdmondsStart::EdmondsStart(std::shared_ptr<const Matroid> matroid,
                           std::shared_ptr<const Partition> of_all)
    : matroid_(std::move(matroid)),
      of_all_(std::move(of_all)),
      test_(matroid_->empty_set()),
      set_of_(matroid_->arms(), kLoop) {
  for (int set = 0; set < of_all_->sets.count(); ++set) {
    for (const Arm arm : of_all_->sets[set]) set_of_[arm] = set;
  }
}

bool EdmondsStart::is_loop(Arm arm) const noexcept { return set_of_[arm] == kLoop; }

std::span<const Arm> EdmondsStart::next(std::span<const Arm> unobserved) {
  if (std::equal(unobserved.begin(), unobserved.end(), unobserved_.begin(), unobserved_.end()))
    return next_;
  unobserved_.assign(unobserved.begin(), unobserved.end());
  PerArm<char> is_unobserved(set_of_.arms());
  Indexed<char> needed(of_all_->sets.count());
  for (const Arm arm : unobserved) {
    is_unobserved[arm] = true;
    needed[set_of_[arm]] = true;
  }
  const auto of_these = [&](std::span<const Arm> arms) {
    std::vector<Arm> kept;
    std::copy_if(arms.begin(), arms.end(), std::back_inserter(kept),
                 [&](Arm arm) { return is_unobserved[arm]; });
    return kept;
  };
  const auto sets = static_cast<int>(std::count(needed.begin(), needed.end(), true));
  if (proves(of_these(of_all_->tightest), sets) || proves(unobserved_, sets)) {
    const auto first = std::find(needed.begin(), needed.end(), true) - needed.begin();
    next_ = of_these(of_all_->sets[static_cast<int>(first)]);
  } else {
    next_ = fewest_independent_sets(*matroid_, unobserved).sets[0];
  }
  return next_;
}

/// Whether these arms need so many sets.
bool EdmondsStart::proves(const std::vector<Arm>& arms, int sets) {
  test_->clear();
  const auto rank =
      std::count_if(arms.begin(), arms.end(), [this](Arm arm) { return test_->add(arm); });
  return std::ssize(arms) > rank * (sets - 1);
}

}  // namespace tacit::actions
