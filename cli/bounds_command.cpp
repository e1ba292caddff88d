#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "tacit/reports/documents/bounds.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit::cli {
namespace {

/// Whom a bound concerns, in a few words.
std::string whom(const theory::Bound& bound) {
  if (!bound.policies.empty()) return fmt::format("{}", fmt::join(bound.policies, ", "));
  return bound.notion == privacy::Notion::kNone
             ? "every policy"
             : fmt::format("every {} policy", privacy::name_of(bound.notion));
}

std::string line(const theory::Bound& bound, const std::string& value, const std::string& what) {
  return fmt::format("{:<26} {:<5} {:<10} {:>12}  {}\n", bound.name, theory::name_of(bound.side),
                     theory::name_of(bound.kind), value, what);
}

/// How smooth the rewards of sets are, and what their oracle promises.
std::string rewards_of(const theory::Instance& i) {
  if (i.feedback != feedback::Kind::kSemi) return "";
  const double b = i.reward_scale;
  return fmt::format("sets of up to {} arms: B_1 {:.4g}, B_inf {:.4g}, gamma_g {:.4g}; oracle {}\n",
                     i.size, b * i.smoothness.b1, b * i.smoothness.b_infinity, b * i.gini.gamma_g,
                     i.approximation.exact()
                         ? "exact"
                         : fmt::format("alpha {:.4g}, beta {:.4g}, and regret is against that",
                                       i.approximation.alpha, i.approximation.beta));
}

}  // namespace

void bounds(const BoundsOptions& options) {
  const theory::Instance instance = specs::instance(options.instance);
  if (options.json) {
    fmt::print("{}\n", reports::bounds_json(instance).dump(2));
    return;
  }
  std::string with_number =
      fmt::format("{:<26} {:<5} {:<10} {:>12}  {}\n", "bound", "side", "kind", "regret", "of");
  std::string orders, elsewhere;
  int left_out = 0;
  for (const theory::Bound& bound : theory::bounds()) {
    const theory::Number found = theory::evaluate(bound, instance);
    if (found) {
      with_number += line(bound, fmt::format("{:.6g}", *found), whom(bound));
    } else if (bound.kind == theory::Kind::kOrder && theory::applies(bound, instance)) {
      orders += line(bound, "-", fmt::format("{}: {}", whom(bound), bound.form));
    } else {
      elsewhere += line(bound, "-", found.why_not().in_words());
      ++left_out;
    }
  }
  std::string text =
      fmt::format("{} feedback, {} arms, epsilon {}, {} rounds\n{}\n{}",
                  feedback::name_of(instance.feedback), instance.arms(), instance.epsilon.value(),
                  instance.horizon, rewards_of(instance), with_number + orders);
  if (options.all) {
    text += fmt::format("\ndo not apply here\n{}", elsewhere);
  } else {
    text += fmt::format("\n{} more do not apply here; --all says why\n", left_out);
  }
  text +=
      "finite: at every horizon. asymptotic: c ln T. minimax: of the worst instance, not of this "
      "one. order: no constant known. reference: of who learns nothing\n";
  fmt::print("{}", text);
}

}  // namespace tacit::cli
