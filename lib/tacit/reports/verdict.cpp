#include "tacit/reports/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include <fmt/format.h>

namespace tacit::reports {
namespace {

/// Lines of at most this many letters, each after `indent`.
std::string wrapped(const std::string& text, const std::string& indent) {
  constexpr std::size_t kWidth = 100;
  std::string out;
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && line.size() + 1 + word.size() > kWidth) {
      out += fmt::format("{}{}\n", indent, line);
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
    at = end + 1;
  }
  return line.empty() ? out : fmt::format("{}{}{}\n", out, indent, line);
}

/// Policies of one figure, each once with its first epsilon: what was promised, and what is true.
std::string guarantees_text(const std::vector<Curve>& curves) {
  std::string text;
  std::vector<std::string> known;
  for (const Curve& curve : curves) {
    if (std::find(known.begin(), known.end(), curve.policy()) != known.end()) continue;
    known.push_back(curve.policy());
    const auto& [really, published] = curve.document.promises;
    const bool differ = lab::guarantee_text(really) != lab::guarantee_text(published);
    text += wrapped(
        fmt::format("{}{}: {}{}, because {}", curve.policy(),
                    curve.epsilon() ? fmt::format(" at epsilon {:.4g}", *curve.epsilon()) : "",
                    lab::guarantee_text(really),
                    differ ? fmt::format(" (published: {})", lab::guarantee_text(published)) : "",
                    really.because),
        "  ");
  }
  return text;
}

/// "14 of 17": how many arms of the best set are among the most played, as many as the set has; empty for single
/// arms.
std::string of_the_best(const Curve& curve) {
  if (!curve.document.best_set) return "";
  const std::vector<Arm>& best = *curve.document.best_set;
  const std::vector<double>& pulls = curve.measured.mean_pulls;
  std::vector<Arm> arms(pulls.size());
  std::iota(arms.begin(), arms.end(), 0);
  const auto played = [&](Arm arm) { return pulls[static_cast<std::size_t>(arm)]; };
  std::stable_sort(arms.begin(), arms.end(), [&](Arm a, Arm b) { return played(a) > played(b); });
  arms.resize(std::min(arms.size(), best.size()));
  const auto found = std::count_if(best.begin(), best.end(), [&](Arm arm) {
    return std::find(arms.begin(), arms.end(), arm) != arms.end();
  });
  return fmt::format("   {} of {}", found, best.size());
}

std::string measured_text(const std::vector<Curve>& curves) {
  const bool sets = std::any_of(curves.begin(), curves.end(),
                                [](const Curve& c) { return c.document.best_set.has_value(); });
  std::string text =
      fmt::format("  {:<44} {:<28} {:>8} {:>7} {:>12} {:>10}{}\n", "policy", "problem", "epsilon",
                  "runs", "regret", "+/- 95%", sets ? "   best arms among the most played" : "");
  for (const Curve& curve : curves) {
    const simulation::Moments& last = curve.measured.curve.back();
    text += fmt::format(
        "  {:<44} {:<28.28} {:>8} {:>7} {:>12.1f} {:>10}{}\n", curve.policy(), curve.problem(),
        curve.epsilon() ? fmt::format("{:.4g}", *curve.epsilon()) : "-", curve.runs, last.mean(),
        last.count() > 1 ? fmt::format("{:.1f}", last.half_width95()) : "-", of_the_best(curve));
  }
  return text;
}

bool same_but_for_epsilon(const BoundCheck& one, const BoundCheck& other) {
  return one.bound == other.bound && one.policy == other.policy && one.problem == other.problem &&
         one.upper == other.upper;
}

/// ", epsilon 0.5", ", at all 50 epsilon, 0.5 to 50" or ", at 3 of 50 epsilon, 0.5 to 2"; empty without any.
std::string epsilons_text(const std::vector<const BoundCheck*>& some, std::size_t all) {
  std::vector<double> epsilons;
  for (const BoundCheck* check : some) {
    if (check->epsilon) epsilons.push_back(*check->epsilon);
  }
  if (epsilons.empty()) return "";
  const auto [low, high] = std::minmax_element(epsilons.begin(), epsilons.end());
  if (all == 1) return fmt::format(", epsilon {:.4g}", *low);
  if (some.size() == 1) return fmt::format(", at epsilon {:.4g} of {}", *low, all);
  return fmt::format(
      ", at {} epsilon, {:.4g} to {:.4g}",
      some.size() == all ? fmt::format("all {}", all) : fmt::format("{} of {}", some.size(), all),
      *low, *high);
}

/// A line for each bound, policy and problem, and another for where it is broken; not one for each epsilon.
std::string bounds_text(const std::vector<BoundCheck>& checks) {
  std::string text;
  std::vector<const BoundCheck*> told;
  for (const BoundCheck& first : checks) {
    const bool known = std::any_of(told.begin(), told.end(), [&](const BoundCheck* other) {
      return same_but_for_epsilon(first, *other) && first.kept == other->kept;
    });
    if (known) continue;
    told.push_back(&first);
    std::size_t all = 0;
    std::vector<const BoundCheck*> alike;
    double share = first.share;
    for (const BoundCheck& check : checks) {
      if (!same_but_for_epsilon(first, check)) continue;
      ++all;
      if (check.kept != first.kept) continue;
      alike.push_back(&check);
      share = check.upper ? std::max(share, check.share) : std::min(share, check.share);
    }
    text += fmt::format("  {:<8} {}, {} bound of {} on {}{}: measured at {} {:.3g} of it\n",
                        first.kept ? "kept" : "BROKEN", first.bound,
                        first.upper ? "upper" : "lower", first.policy, first.problem,
                        epsilons_text(alike, all), first.upper ? "most" : "least", share);
  }
  return text;
}

}  // namespace

std::vector<BoundCheck> check_bounds(const std::vector<Curve>& curves) {
  std::vector<BoundCheck> checks;
  for (const Curve& curve : curves) {
    for (const lab::BoundCurve& bound : curve.document.bounds) {
      if (bound.kind != theory::Kind::kFinite) continue;
      BoundCheck check{.bound = bound.name,
                       .policy = curve.policy(),
                       .problem = curve.problem(),
                       .epsilon = curve.epsilon(),
                       .upper = bound.side == theory::Side::kUpper};
      bool any = false;
      for (std::size_t i = 0; i < bound.values.size(); ++i) {
        if (!bound.values[i]) continue;
        const double value = *bound.values[i];
        const simulation::Moments& m = curve.measured.curve[i];
        // Bounds are of the mean; one run, which has no interval, tells nothing of it.
        const double half = m.half_width95();
        // What plays the worst action from the start meets a trivial bound to the last bit.
        constexpr double kRounding = 1e-6;
        const bool broken = check.upper ? m.mean() - half > value * (1 + kRounding)
                                        : m.mean() + half < value * (1 - kRounding);
        check.kept = check.kept && !broken;
        const double share = m.mean() / value;
        check.share = !any          ? share
                      : check.upper ? std::max(check.share, share)
                                    : std::min(check.share, share);
        any = true;
      }
      if (any) checks.push_back(std::move(check));
    }
  }
  return checks;
}

std::string Verdict::summary() const {
  const int all = holds + fails + open;
  if (all == 0 && broken_bounds == 0) return "nothing is claimed";
  std::string words =
      fmt::format("{} of {} claim{} hold{}", holds, all, all == 1 ? "" : "s", all == 1 ? "s" : "");
  if (fails > 0) words += fmt::format(", {} do{} not", fails, fails == 1 ? "es" : "");
  if (open > 0) words += fmt::format(", {} open", open);
  if (broken_bounds > 0) words += fmt::format("; {} finite bounds broken", broken_bounds);
  return words;
}

Verdict give_verdict(const FigureRequest& request, const Figure& figure,
                     const std::vector<Claim>& claims, const std::vector<Curve>& curves) {
  Verdict verdict;
  std::string judged;
  for (const Claim& claim : claims) {
    if (claim.figure != request.name) continue;
    const Judged result = judge(claim, figure);
    verdict.holds += result.judgement == Judgement::kHolds ? 1 : 0;
    verdict.fails += result.judgement == Judgement::kFails ? 1 : 0;
    verdict.open += result.judgement == Judgement::kOpen ? 1 : 0;
    judged += fmt::format("  {}:\n{}{}", name_of(result.judgement), wrapped(claim.says, "    "),
                          wrapped(fmt::format("measured: {}", result.measured), "    "));
  }
  const std::vector<BoundCheck> checks = check_bounds(curves);
  for (const BoundCheck& check : checks) verdict.broken_bounds += check.kept ? 0 : 1;
  const std::string bounds = bounds_text(checks);
  std::string& text = verdict.text;
  text = fmt::format("{}: {}\n", request.name, request.title);
  if (!request.source.empty()) text += fmt::format("from {}\n", request.source);
  if (!request.note.empty()) text += fmt::format("\n{}", wrapped(request.note, ""));
  text += fmt::format("\nVerdict: {}\n", verdict.summary());
  if (!judged.empty()) text += fmt::format("\nWhat is said\n{}", judged);
  text += fmt::format("\nWhat is promised\n{}", guarantees_text(curves));
  if (!bounds.empty())
    text += fmt::format("\nWhat theory says (finite bounds, at every checkpoint)\n{}", bounds);
  text += fmt::format("\nWhat was measured (regret at the end)\n{}", measured_text(curves));
  return verdict;
}

}  // namespace tacit::reports
