// A bound on regret as a value: where it comes from, what it says, when it holds, whom it concerns, and its
// number on an instance.
//
//   finite      holds at every horizon: may be asserted of a measured mean
//   asymptotic  c ln T, for T to infinity: at small T it may exceed the largest possible regret
//   minimax     of the worst instance, chosen after the policy: says nothing of the instance at hand unless
//               that is the one the proof uses, with its gap tuned to T
//   order       no constant is known, so no number
//   reference   no bound: what somebody has who learns nothing, to compare with
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/policies/setting.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/theory/instance.hpp"
#include "tacit/theory/number.hpp"

namespace tacit::theory {

enum class Kind { kFinite, kAsymptotic, kMinimax, kOrder, kReference };
enum class Side { kLower, kUpper };

const char* name_of(Kind kind);
const char* name_of(Side side);

struct Bound {
  std::string name;       // hu-theorem-3
  std::string reference;  // authors, year, theorem
  Kind kind = Kind::kOrder;
  Side side = Side::kUpper;
  std::string form;                // the formula
  std::string conditions;          // in words
  std::string caveat = {};         // empty: none
  std::string superseded_by = {};  // the name of a bound that says more; empty: none
  bool conjecture = false;
  /// It knows nothing of the means: so it holds of environments that are drawn from a prior too, a lower bound of the
  /// prior that its proof uses.
  bool of_any_means = false;
  std::vector<feedback::Kind> feedback;
  /// A lower bound concerns all policies of this notion of privacy (none: all policies) ...
  privacy::Notion notion = privacy::Notion::kNone;
  /// ... unless it names some; an upper bound always does.
  std::vector<std::string> policies = {};
  /// Parameters that its policies must have for it; others are not spoken of.
  std::vector<policies::ParameterValue> only_with = {};
  /// Of an order: conditions that can be checked, and are not met. Null: there are none.
  std::optional<Refusal> (*unless)(const Instance&) = nullptr;
  /// Its number where the conditions are met; null for kOrder. Bounds with a notion of privacy find an epsilon.
  Number (*value)(const Instance&) = nullptr;
  /// Minimax bounds: by how much one arm is better than the others, which have mean 1/2, on the instance of the
  /// proof; NaN where the proof has none. Null: the instance is not of this kind.
  double (*worst_gap)(int arms, double epsilon, Round horizon) = nullptr;
};

/// Every bound, papers in the order of docs/bounds.md.
const std::vector<Bound>& bounds();
/// Throws InvalidParameter that suggests the nearest name.
const Bound& find_bound(std::string_view name);

/// Whether the bound speaks of the instance, as far as that can be checked: feedback and conditions, where it has no number.
bool applies(const Bound& bound, const Instance& instance);

/// The bound's number on an instance, or why there is none: another feedback, conditions that are not met, an
/// order without a constant.
Number evaluate(const Bound& bound, const Instance& instance);

/// The means of a minimax bound's own instance, its gap tuned to the horizon. Throws InvalidParameter where there is
/// none.
std::vector<double> worst_instance(const Bound& bound, int arms, double epsilon, Round horizon);
/// Whether an instance is that one: only there may a minimax bound be drawn.
bool is_worst_instance(const Bound& bound, const Instance& instance);

bool concerns_feedback(const Bound& bound, feedback::Kind feedback);
/// Whether the bound speaks of a policy with this name, this notion of privacy and this feedback. What is
/// locally private is centrally private too, so bounds for central policies concern it.
bool concerns(const Bound& bound, std::string_view policy, privacy::Notion notion,
              feedback::Kind feedback);
/// Whether it holds of one of its policies with these parameters.
bool holds_with(const Bound& bound, const std::vector<policies::ParameterInfo>& in_force);

}  // namespace tacit::theory
