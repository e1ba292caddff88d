#include "tacit/reports/verdict.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace tacit::reports {
namespace {

bool same(const PolicyPromise& one, const PolicyPromise& other) {
  const auto told = [](const PolicyPromise& p) {
    return lab::guarantee_text(p.promises.guarantee) + "\n" + p.promises.guarantee.because + "\n" +
           lab::guarantee_text(p.promises.published);
  };
  return one.policy == other.policy && one.epsilon == other.epsilon && told(one) == told(other);
}

std::vector<PolicyPromise> promises_of(const std::vector<Curve>& curves) {
  std::vector<PolicyPromise> all;
  for (const Curve& curve : curves) {
    PolicyPromise mine{curve.policy(), curve.epsilon(), curve.document.promises};
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const PolicyPromise& other) { return same(mine, other); });
    if (!known) all.push_back(std::move(mine));
  }
  return all;
}

std::optional<BestArms> best_arms_of(const Curve& curve) {
  if (!curve.document.best_set) return {};
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
  return BestArms{static_cast<std::size_t>(found), best.size()};
}

std::optional<Identification> identification_of(const Curve& curve) {
  if (!curve.identifies()) return {};
  return Identification{
      .error = curve.error(),
      .budget = curve.has_budget() ? std::optional(curve.checkpoints().back()) : std::nullopt,
      .wrong = curve.measured.curve[kWrong].mean()};
}

MeasuredRow row_of(const Curve& curve) {
  const simulation::Moments& last = curve.measured.curve.back();
  return {.policy = curve.policy(),
          .problem = curve.problem(),
          .epsilon = curve.epsilon(),
          .runs = curve.runs,
          .value = last.mean(),
          .half_width = last.count() > 1 ? std::optional(last.half_width95()) : std::nullopt,
          .best_arms = best_arms_of(curve),
          .identified = identification_of(curve)};
}

}  // namespace

Kept PolicyPromise::kept() const {
  const auto& [really, published] = promises;
  // What reads the same is the same: the last digits are of no interest.
  if (lab::guarantee_text(really) == lab::guarantee_text(published)) return Kept::kAsPublished;
  if (!really.is_private()) return Kept::kLess;
  if (really.notion != published.notion) return Kept::kOther;
  return really.epsilon <= published.epsilon && really.delta <= published.delta ? Kept::kMore
                                                                                : Kept::kLess;
}

int Verdict::count(Judgement judgement) const {
  return static_cast<int>(std::count_if(claims.begin(), claims.end(), [&](const JudgedClaim& c) {
    return c.judged.judgement == judgement;
  }));
}

std::string Verdict::summary() const {
  const auto all = claims.size();
  if (all == 0 && broken_bounds == 0) return "nothing is claimed";
  const int fails = count(Judgement::kFails);
  const int open = count(Judgement::kOpen);
  std::string words = fmt::format("{} of {} claim{} hold{}", count(Judgement::kHolds), all,
                                  all == 1 ? "" : "s", all == 1 ? "s" : "");
  if (fails > 0) words += fmt::format(", {} do{} not", fails, fails == 1 ? "es" : "");
  if (open > 0) words += fmt::format(", {} open", open);
  if (broken_bounds > 0) words += fmt::format("; {} finite bounds broken", broken_bounds);
  return words;
}

Verdict give_verdict(const FigureRequest& request, const Figure& figure,
                     const std::vector<Claim>& claims, const std::vector<Curve>& curves) {
  Verdict verdict{
      .name = request.name, .title = request.title, .source = request.source, .note = request.note};
  for (const Claim& claim : claims) {
    if (claim.figure == request.name) verdict.claims.push_back({claim.says, judge(claim, figure)});
  }
  verdict.promises = promises_of(curves);
  const std::vector<BoundCheck> checks = check_bounds(curves);
  verdict.bounds = find_bounds(checks);
  verdict.broken_bounds = static_cast<int>(std::count_if(
      checks.begin(), checks.end(), [](const BoundCheck& check) { return !check.kept; }));
  for (const Curve& curve : curves) verdict.measured.push_back(row_of(curve));
  return verdict;
}

}  // namespace tacit::reports
