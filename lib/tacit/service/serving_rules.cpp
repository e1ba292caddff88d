#include "tacit/service/serving_rules.hpp"

#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/core/one_line.hpp"
#include "tacit/service/budget.hpp"
#include "tacit/service/problem.hpp"
#include "tacit/specs/action_sets.hpp"

namespace tacit::service {
namespace {

using namespace curators;  // NOLINT: the plans

[[noreturn]] void refuse(const std::string& field, const std::string& given,
                         const std::string& why) {
  throw Problem(422, field, fmt::format("{} = {}: {}", field, in_short(given), why));
}

/// Why it cannot be served, whatever its setting; "" where it can.
std::string why_not(const policies::Entry& entry) {
  if (entry.card.trust == policies::Trust::kNone) {
    return "protects nobody: it is a baseline, or plays as it was published";
  }
  if (entry.starts_from_raw_outcomes) return "starts from raw outcomes of every arm";
  if (!entry.anytime({})) return "needs to know how many decisions there will be, or guesses it";
  return "";
}

std::string why_not(const Plan& plan) {
  if (std::holds_alternative<PhasePlan>(plan) || std::holds_alternative<NoisySumsPlan>(plan) ||
      std::holds_alternative<NoisyLeaderPlan>(plan) || std::holds_alternative<ResponsePlan>(plan) ||
      std::holds_alternative<StopReportPlan>(plan)) {
    return "";
  }
  if (std::holds_alternative<LaplaceReportPlan>(plan) ||
      std::holds_alternative<GaussianReportPlan>(plan)) {
    return "needs noise on users' devices that is exact, which there is not yet";
  }
  return "releases something after every decision, or protects nobody";
}

/// To be suggested: those that a newcomer would not be refused.
std::vector<std::string> servable_names() {
  std::vector<std::string> names;
  for (const policies::Entry& entry : policies::catalogue()) {
    if (!why_not(entry).empty()) continue;
    Spec usual;
    usual.arms.resize(3);
    usual.epsilon = 1;
    if (entry.card.plays_sets()) usual.actions = "top:2";
    const bool can_be = why_not(entry.plan(setting_of(usual), usual.parameters)).empty();
    const std::string name = entry.card.name;
    if (can_be && !name.ends_with("-as-published")) names.push_back(name);
  }
  return names;
}

}  // namespace

policies::Setting setting_of(const Spec& spec) {
  policies::Setting setting{.arms = static_cast<int>(spec.arms.size()),
                            // Not above the fraction that the population is debited.
                            .epsilon = spec.user_level() ? spec.epsilon : not_above(spec.epsilon),
                            .delta = std::nullopt,
                            .horizon = kLastRound,
                            .pace = policies::Pace::kPlain,
                            .actions = nullptr};
  // Other forms read files: whoever may create an experiment need not be one who may read this machine's files.
  if (spec.actions != "single" && !spec.actions.starts_with("top:")) {
    refuse("actions", spec.actions, "must be single, or top:K for lists of K arms");
  }
  try {
    setting.actions = specs::action_set(spec.actions, setting.arms);
  } catch (const InvalidParameter& refused) {
    refuse("actions", spec.actions, refused.refusal().requirement);
  }
  // An event names each of them, and must not become longer than what is read of one.
  constexpr int kMostShown = 1000;
  if (setting.actions && setting.actions->size() > kMostShown) {
    refuse("actions", spec.actions, fmt::format("must be lists of at most {} arms", kMostShown));
  }
  return setting;
}

const policies::Entry& servable(const Spec& spec) {
  const policies::Entry* entry = nullptr;
  try {
    entry = &policies::find_policy(spec.policy);
  } catch (const InvalidParameter&) {
    refuse("policy", spec.policy,
           fmt::format("there is no such policy; did you mean {}?",
                       nearest_name(in_short(spec.policy), servable_names())));
  }
  try {
    std::string why = why_not(*entry);
    const policies::Setting setting = why.empty() ? setting_of(spec) : policies::Setting{};
    if (why.empty() && setting.actions && !entry->card.plays_sets()) {
      refuse("actions", spec.actions, spec.policy + " shows a single arm at a time");
    }
    if (why.empty()) why = why_not(entry->plan(setting, spec.parameters));
    if (!why.empty()) {
      refuse("policy", spec.policy,
             fmt::format("cannot be served: it {}; mgf-imed can, and so can {}", why,
                         nearest_name(in_short(spec.policy), servable_names())));
    }
    const bool by_arm = std::holds_alternative<PhasePlan>(entry->plan(setting, spec.parameters)) &&
                        entry->card.feedback == feedback::Kind::kBandit;
    if (spec.holdout > 0 && !by_arm) {
      refuse("holdout", fmt::format("{}", spec.holdout),
             spec.policy + " has none: it is for single arms whose outcomes are added up");
    }
    if (spec.floor > 0 && entry->error_parameter != nullptr) {
      refuse("floor", fmt::format("{}", spec.floor),
             spec.policy + " has none: it plans how long it shows an arm by what is known of it");
    }
    if (spec.floor > 0 && entry->card.plays_sets()) {
      refuse("floor", fmt::format("{}", spec.floor),
             spec.policy + " has none: it shows lists, not single arms");
    }
    guarantee_of(*entry, setting, spec);
  } catch (const InvalidParameter& refused) {
    const Refusal& why = refused.refusal();
    const std::string field = in_short(why.name());
    if (!why.value.empty()) refuse(field, why.value, why.requirement);
    throw Problem(422, field, fmt::format("{}: {}", field, why.requirement));
  }
  return *entry;
}

privacy::Guarantee guarantee_of(const policies::Entry& entry, const policies::Setting& setting,
                                const Spec& spec) {
  privacy::Guarantee guarantee =
      entry.guarantee(setting, spec.parameters, privacy::Arithmetic::kExact);
  guarantee.randomness = privacy::Randomness::kSecure;
  if (!guarantee.is_private() || guarantee.arithmetic != privacy::Arithmetic::kExact ||
      guarantee.epsilon > spec.epsilon * (1 + 1e-12) || guarantee.delta > 0) {
    refuse("policy", spec.policy,
           fmt::format("has with these parameters no guarantee of the epsilon that was given, but "
                       "{} with epsilon {:.6g} and delta {:.6g}",
                       privacy::name_of(guarantee.notion), guarantee.epsilon, guarantee.delta));
  }
  // Told as it was written, which is a hair more.
  if (guarantee.epsilon >= not_above(not_above(spec.epsilon))) guarantee.epsilon = spec.epsilon;
  return guarantee;
}

}  // namespace tacit::service
