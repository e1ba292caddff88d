#include "tacit/simulation/identify.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "tacit/core/arms_by.hpp"
#include "tacit/core/check.hpp"

namespace tacit::simulation {
namespace {

bool has_parameter(const policies::Entry& entry, const std::string& name) {
  const auto all = entry.parameters({});
  return std::any_of(all.begin(), all.end(), [&](const auto& info) { return info.name == name; });
}

bool are_unique(std::vector<double> means, int top) {
  std::sort(means.begin(), means.end(), std::greater<>());
  const auto last = static_cast<std::size_t>(top);
  return means[last - 1] > means[last];
}

}  // namespace

std::vector<policies::ParameterValue> parameters_for(const Goal& goal, const policies::Entry& entry,
                                                     std::vector<policies::ParameterValue> given,
                                                     const problems::Problem& problem,
                                                     Round horizon) {
  const policies::Card& card = entry.card;
  const int arms = problem.arms();
  if (arms < 2) {
    throw InvalidParameter(Option{"means"}, fmt::format("{}", fmt::join(problem.means(), ",")),
                           "one arm is the best there is: give two or more");
  }
  if (card.plays_sets()) {
    throw InvalidParameter(
        Option{"policy"}, card.name,
        "plays sets of arms; to identify, take one that plays a single arm: mgf-tt");
  }
  if (problem.playback() != nullptr) {
    throw InvalidParameter(Option{"problem"}, problem.name(),
                           "plays rounds back, and has no means whose best could be identified");
  }
  if (goal.top < 1 || goal.top >= arms) {
    throw InvalidParameter(Option{"top"}, fmt::format("{}", goal.top),
                           fmt::format("must be a number of arms from 1 to {}", arms - 1));
  }
  if (!goal.budget) check::strictly_within("identify", "error", goal.error, 0, 1);
  for (const policies::ParameterValue& one : given) {
    if (entry.error_parameter == nullptr || one.name != "horizon" || one.value != "doubling")
      continue;
    throw InvalidParameter(
        Option{"param"}, "horizon=doubling",
        fmt::format("{} begins anew with every guess, and never knows: must be known", card.name));
  }
  const auto refuse_given = [&](const std::string& name, const char* option) {
    for (const policies::ParameterValue& one : given) {
      if (one.name != name) continue;
      throw InvalidParameter(Option{"param"}, fmt::format("{}={}", one.name, one.value),
                             fmt::format("is for --{} to say", option));
    }
  };
  if (entry.error_parameter != nullptr) {
    refuse_given("top", "top");
    refuse_given("stops", "budget");
    if (!goal.budget) refuse_given(entry.error_parameter, "error");
  }
  if (goal.top > 1) {
    if (entry.error_parameter != nullptr && !has_parameter(entry, "top")) {
      throw InvalidParameter(Option{"top"}, fmt::format("{}", goal.top),
                             fmt::format("{} finds one arm; mgf-tt finds several", card.name));
    }
    if (has_parameter(entry, "top")) given.push_back({"top", fmt::format("{}", goal.top)});
  }
  if (goal.budget) {
    if (has_parameter(entry, "stops")) given.push_back({"stops", "never"});
    return given;
  }
  if (entry.error_parameter != nullptr) {
    given.push_back({entry.error_parameter, fmt::format("{}", goal.error)});
  }
  if (problem.prior() == nullptr && horizon == kLastRound &&
      !are_unique(problem.means(), goal.top)) {
    throw InvalidParameter(Option{"means"}, fmt::format("{}", fmt::join(problem.means(), ",")),
                           goal.top == 1 ? "the best arms are equal, so that it may never stop: "
                                           "give --most N, after which it gives up"
                                         : "the last of the best arms equals another, so that it "
                                           "may never stop: give --most N, after "
                                           "which it gives up");
  }
  return given;
}

StoppingStage::StoppingStage(const Goal& goal, const policies::Entry& entry,
                             const policies::Learner& learner, const policies::ReleaseLog* log)
    : goal_(goal),
      by_evidence_(entry.error_parameter == nullptr && !goal.budget),
      learner_(learner),
      log_(log) {}

void StoppingStage::told() {
  if (goal_.budget || over()) return;
  if (!by_evidence_) {
    found_.assign(learner_.verdict().begin(), learner_.verdict().end());
    return;
  }
  // Reports come one by one, and evidence is dear: looking less often is as right.
  if (++told_ < next_look_) return;
  next_look_ = told_ + told_ / 50 + 1;
  found_ = log_->readout().best(goal_.top, goal_.error);
}

std::vector<Arm> StoppingStage::leaders(int arms) const {
  if (log_ != nullptr) return log_->readout().leaders(goal_.top);
  return arms_by(arms, goal_.top, [this](Arm arm) {
    const policies::View view = learner_.show(arm);
    return view.n > 0 ? view.sum / view.n : -std::numeric_limits<double>::infinity();
  });
}

Identified StoppingStage::finish(const std::vector<double>& means,
                                 std::span<const Round> pulls) const {
  Identified result;
  result.samples = std::accumulate(pulls.begin(), pulls.end(), Round{0});
  result.stopped = over();
  result.recommended = over() ? found_ : leaders(static_cast<int>(means.size()));
  // Of an arm that nothing was released of nothing is known: there is no recommendation, and none is right.
  for (const Arm arm : result.recommended) {
    if (learner_.show(arm).n > 0) continue;
    result.recommended.clear();
    return result;
  }
  double least = std::numeric_limits<double>::infinity();
  std::vector<char> chosen(means.size(), 0);
  for (const Arm arm : result.recommended) {
    chosen[static_cast<std::size_t>(arm)] = 1;
    least = std::min(least, means[static_cast<std::size_t>(arm)]);
  }
  result.right = true;
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (chosen[i] == 0 && means[i] > least) result.right = false;
  }
  return result;
}

}  // namespace tacit::simulation
