#include "tacit/problems/hard_instances.hpp"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "tacit/core/check.hpp"

namespace tacit::problems {
namespace {

constexpr double kBestMean = 0.5;
/// Keeps means away from 0, where telling two Bernoullis apart is easier.
constexpr double kLargestStep = 0.35;

double lower_mean(const char* function, int k, double gap, double factor) {
  const double limit = kLargestStep * k * factor;
  if (!(gap > 0 && gap < limit)) {
    throw InvalidParameter(function, "gap", fmt::format("{}", gap),
                           fmt::format("must be a number in (0, {:.6g})", limit));
  }
  return kBestMean - gap / factor / k;
}

/// Independent arms: every arm is a group of its own.
HardInstance single_arms(std::vector<double> means) {
  HardInstance instance;
  instance.group_of_arm.resize(means.size());
  std::iota(instance.group_of_arm.begin(), instance.group_of_arm.end(), 0);
  instance.means = std::move(means);
  return instance;
}

}  // namespace

HardInstance k_path(int arms, int k, double gap, double factor) {
  check::at_least("k_path", "k", k, 1);
  check::at_least("k_path", "arms", arms, 2 * std::int64_t{k});
  if (arms % k != 0) {
    throw InvalidParameter("k_path", "arms", fmt::format("{}", arms),
                           fmt::format("must be a multiple of k = {}", k));
  }
  const double lower = lower_mean("k_path", k, gap, factor);
  HardInstance instance;
  Arm arm = 0;
  for (int path = 0; path < arms / k; ++path) {
    instance.means.push_back(path == 0 ? kBestMean : lower);
    std::vector<Arm> action;
    for (int i = 0; i < k; ++i) {
      action.push_back(arm++);
      instance.group_of_arm.push_back(path);
    }
    instance.actions.push_back(std::move(action));
  }
  return instance;
}

HardInstance public_arms(int arms, int k, double gap, double factor) {
  check::at_least("public_arms", "k", k, 1);
  check::at_least("public_arms", "arms", arms, 2 * std::int64_t{k});
  const double lower = lower_mean("public_arms", k, gap, factor);
  HardInstance instance;
  const auto new_group = [&instance](double mean) {
    instance.means.push_back(mean);
    return static_cast<int>(instance.means.size()) - 1;
  };

  std::vector<Arm> best;
  for (Arm arm = 0; arm < k; ++arm) {
    best.push_back(arm);
    instance.group_of_arm.push_back(new_group(kBestMean));
  }
  instance.actions.push_back(std::move(best));

  std::vector<Arm> shared;
  const int public_group = k > 1 ? new_group(lower) : 0;  // k = 1 has no public arm
  for (Arm arm = k; arm < 2 * k - 1; ++arm) {
    shared.push_back(arm);
    instance.group_of_arm.push_back(public_group);
  }
  for (Arm arm = 2 * k - 1; arm < arms; ++arm) {
    instance.group_of_arm.push_back(new_group(lower));
    instance.actions.push_back(shared);
    instance.actions.back().push_back(arm);
  }
  return instance;
}

HardInstance common_arms(int sets, int k, double gap) {
  constexpr double kLow = 0.05;  // far below 1, so that an index soon tells the arms apart
  check::at_least("common_arms", "sets", sets, 2);
  check::at_least("common_arms", "k", k, 1);
  check::positive_up_to("common_arms", "gap", gap, 1 - kLow);
  std::vector<double> means(static_cast<std::size_t>(k) - 1, kBestMean);
  std::vector<Arm> common(means.size());
  std::iota(common.begin(), common.end(), 0);
  std::vector<std::vector<Arm>> actions;
  for (int set = 0; set < sets; ++set) {
    actions.push_back(common);
    actions.back().push_back(static_cast<Arm>(means.size()));
    means.push_back(set == 0 ? kLow + gap : kLow);
  }
  HardInstance instance = single_arms(std::move(means));
  instance.actions = std::move(actions);
  return instance;
}

HardInstance equal_gaps(int arms, double gap) {
  check::at_least("equal_gaps", "arms", arms, 2);
  check::positive_up_to("equal_gaps", "gap", gap, 1);
  std::vector<double> means(static_cast<std::size_t>(arms), 0.5 - gap / 2);
  means.front() = 0.5 + gap / 2;
  return single_arms(std::move(means));
}

HardInstance doubling_gaps(int arms, double smallest) {
  constexpr double kBest = 0.9;
  check::at_least("doubling_gaps", "arms", arms, 2);
  check::positive("doubling_gaps", "smallest", smallest);
  const double largest_allowed = std::ldexp(kBest, -(arms - 2));
  if (smallest > largest_allowed) {
    throw InvalidParameter("doubling_gaps", "smallest", fmt::format("{}", smallest),
                           fmt::format("must be at most {} for the last of {} means to be >= 0",
                                       largest_allowed, arms));
  }
  std::vector<double> means{kBest};
  for (int i = 1; i < arms; ++i) means.push_back(kBest - std::ldexp(smallest, i - 1));
  return single_arms(std::move(means));
}

HardInstance cascade_instance(int items, int k, double p, double gap) {
  check::at_least("cascade_instance", "items", items, 1);
  if (k < 1 || k > items) {
    throw InvalidParameter("cascade_instance", "k", fmt::format("{}", k),
                           fmt::format("must be from 1 to the number of items, {}", items));
  }
  check::within("cascade_instance", "p", p, 0, 1);
  if (!(gap > 0 && gap <= p)) {
    throw InvalidParameter("cascade_instance", "gap", fmt::format("{}", gap),
                           fmt::format("must be in (0, p], p = {}", p));
  }
  HardInstance instance;
  for (int item = 0; item < items; ++item) {
    instance.means.push_back(item < k ? p : p - gap);
    instance.group_of_arm.push_back(item);
  }
  return instance;
}

}  // namespace tacit::problems
