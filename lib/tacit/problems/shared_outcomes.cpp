#include "tacit/problems/shared_outcomes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include <set>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::problems {
namespace {

constexpr std::size_t kNotYet = std::numeric_limits<std::size_t>::max();

/// Fills results[i] for arms[i]: fresh(group) for the first arm of a group, a copy of it for the others.
template <class T, class GroupOf, class Fresh>
void draw_by_group(std::span<const Arm> arms, std::size_t groups, GroupOf group_of, Fresh fresh,
                   privacy::SecretVector<T>& results) {
  std::vector<std::size_t> drawn_at(groups, kNotYet);
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const std::size_t group = group_of(arms[i]);
    if (drawn_at[group] == kNotYet) {
      drawn_at[group] = i;
      results.set(i, privacy::Secret<T>(fresh(group)));
    } else {
      results.set(i, results[drawn_at[group]]);
    }
  }
}

}  // namespace

SharedOutcomes::SharedOutcomes(std::vector<double> group_means,
                               const std::vector<int>& group_of_arm)
    : group_means_(std::move(group_means)) {
  if (group_means_.empty()) {
    throw InvalidParameter("SharedOutcomes", "group_means", "", "needs at least one group");
  }
  for (const double mean : group_means_) check::within("SharedOutcomes", "group_mean", mean, 0, 1);
  const auto groups = static_cast<int>(group_means_.size());
  std::vector<bool> has_arm(group_means_.size(), false);
  std::vector<double> means;
  for (const int group : group_of_arm) {
    if (group < 0 || group >= groups) {
      throw InvalidParameter("SharedOutcomes", "group_of_arm", fmt::format("{}", group),
                             fmt::format("must be in 0..{}", groups - 1));
    }
    const auto known = static_cast<std::size_t>(group);
    group_of_arm_.push_back(known);
    has_arm[known] = true;
    means.push_back(group_means_[known]);
  }
  const auto lonely = std::find(has_arm.begin(), has_arm.end(), false);
  if (lonely != has_arm.end()) {
    throw InvalidParameter("SharedOutcomes", "group_of_arm", "",
                           fmt::format("has no arm of group {}", lonely - has_arm.begin()));
  }
  every_arm_.resize(group_of_arm.size());
  std::iota(every_arm_.begin(), every_arm_.end(), 0);
  set_means(std::move(means));
}

std::string SharedOutcomes::name() const {
  return fmt::format("shared({};{})", fmt::join(group_means_, ","), fmt::join(group_of_arm_, ","));
}

privacy::Secret<Outcome> SharedOutcomes::draw_outcome(Arm arm, Round,
                                                      random::SimulationStream& stream) const {
  return privacy::Secret<Outcome>(
      Outcome::bit(random::bernoulli(stream, group_means_[group_of_arm_[arm]])));
}

privacy::Secret<Sum> SharedOutcomes::draw_sum(Arm arm, Round, Round n,
                                              random::SimulationStream& stream) const {
  return privacy::Secret<Sum>(
      Sum::of_ones(random::binomial(stream, n, group_means_[group_of_arm_[arm]])));
}

void SharedOutcomes::draw_outcomes(std::span<const Arm> arms, Round,
                                   random::SimulationStream& stream,
                                   privacy::SecretVector<Outcome>& outcomes) const {
  draw_by_group(
      arms, group_means_.size(), [this](Arm arm) { return group_of_arm_[arm]; },
      [&](std::size_t g) { return Outcome::bit(random::bernoulli(stream, group_means_[g])); },
      outcomes);
}

void SharedOutcomes::draw_sums(std::span<const Arm> arms, Round, Round n,
                               random::SimulationStream& stream,
                               privacy::SecretVector<Sum>& sums) const {
  draw_by_group(
      arms, group_means_.size(), [this](Arm arm) { return group_of_arm_[arm]; },
      [&](std::size_t g) { return Sum::of_ones(random::binomial(stream, n, group_means_[g])); },
      sums);
}

void SharedOutcomes::draw_all_sums(Round t, Round n, random::SimulationStream& stream,
                                   privacy::SecretVector<Sum>& sums) const {
  draw_sums(every_arm_, t, n, stream, sums);
}

privacy::Secret<Stop> SharedOutcomes::draw_stop(std::span<const Arm> list, Round,
                                                random::SimulationStream& stream) const {
  std::vector<int> seen(group_means_.size(), -1);  // -1: not drawn in this round
  int position = 0;
  for (const Arm arm : list) {
    int& outcome = seen[group_of_arm_[arm]];
    if (outcome < 0) outcome = random::bernoulli(stream, group_means_[group_of_arm_[arm]]) ? 1 : 0;
    if (outcome == 1) break;
    ++position;
  }
  return privacy::Secret<Stop>(Stop{position});
}

std::shared_ptr<const Problem> SharedOutcomes::in_environment(
    std::vector<double> group_means) const {
  const auto groups = static_cast<double>(group_means_.size());
  check::within("in_environment", "number of means", static_cast<double>(group_means.size()),
                groups, groups);
  const std::vector<int> groups_of_arms(group_of_arm_.begin(), group_of_arm_.end());
  return std::make_shared<SharedOutcomes>(std::move(group_means), groups_of_arms);
}

double SharedOutcomes::click_chance(std::span<const Arm> list) const {
  std::set<std::size_t> groups;
  for (const Arm arm : list) groups.insert(group_of_arm_[arm]);
  double none = 1;
  for (const std::size_t g : groups) none *= 1 - group_means_[g];
  return 1 - none;
}

}  // namespace tacit::problems
