#include <cmath>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/theory/combinatorial.hpp"
#include "tacit/theory/lists.hpp"
#include "tacit/theory/noise_of.hpp"
#include "tacit/theory/optimistic_sets.hpp"

namespace tacit::theory {
namespace {

constexpr const char* kGaussian = "gaussian_reports_upper";

Number gaussian_upper(const char* policy, const Instance& i) {
  if (auto unmet = unless_delta_is_given(kGaussian, i)) return *unmet;
  const double epsilon = i.epsilon.value();
  // Where doubles end, so does the search for the smallest sigma.
  if (auto unmet = check::unless_within(kGaussian, "epsilon", epsilon, 0, 1e300)) return *unmet;
  if (auto unmet = check::unless_positive(kGaussian, "sigma", std::sqrt(i.size) / epsilon))
    return *unmet;
  const Number sigma = noise_of(policy, i);
  return sigma ? gaussian_reports_upper(i, *sigma) : sigma;
}

Number laplace_upper(const char* policy, const Instance& i) {
  const Number scale = noise_of(policy, i);
  return scale ? laplace_reports_upper(i, *scale) : scale;
}

/// Of chen-theorem-9: m >= 2K, and gaps below 0.35 K.
std::optional<Refusal> unless_many_arms_of_small_gaps(const Instance& i) {
  const char* function = "chen-theorem-9";
  if (auto unmet = unless_exact_oracle(function, i)) return unmet;
  if (i.arms() < 2 * i.size) {
    return Refusal{Parameter{function, "arms"}, fmt::format("{}", i.arms()),
                   fmt::format("must be at least {}, twice the size of a set", 2 * i.size)};
  }
  if (i.sets && std::isfinite(i.sets->least) && i.sets->least >= 0.35 * i.size) {
    return Refusal{
        Parameter{function, "gap"}, fmt::format("{:.4g}", i.sets->least),
        fmt::format("must be below {:.4g}, 0.35 times the size of a set", 0.35 * i.size)};
  }
  return std::nullopt;
}

Bound bound(const char* name, const char* reference, Kind kind, Side side, const char* form,
            std::string conditions) {
  return {.name = name,
          .reference = reference,
          .kind = kind,
          .side = side,
          .form = form,
          .conditions = std::move(conditions),
          .feedback = {feedback::Kind::kSemi},
          .notion = privacy::Notion::kLocal};
}

}  // namespace

std::vector<Bound> combinatorial_bounds() {
  const std::string smooth =
      "outcomes in [0, 1]; rewards monotone and B_inf-smooth, and not below 0 if the oracle is "
      "approximate; gaps are to alpha times the best, of a list of sets, bases of a matroid or at "
      "most 5000 sets whose rewards are computed; regret against alpha beta times the best";
  const char* reports =
      "sum_i [64 B^2 (1 + b)^2 ln T/Delta_i + (ln T + 1) Delta_max] + m (2 ln T + 30) Delta_max, B "
      "= B_inf";
  const char* gaussian =
      "[4 B^2 (sqrt 1.5 + 2 sigma)^2 ln(T+m)/Delta_min^2 + ln(T+m) + pi^2/3 + 2] m Delta_max, B = "
      "B_inf";

  Bound two =
      bound("chen-theorem-2", "Chen et al. 2020, Thm 2, by the proof of Thm 4", Kind::kFinite,
            Side::kUpper, reports, smooth + "; b = K/eps; radius=sound, the default");
  two.caveat = "the paper gives an order and no proof, for a radius that is too small";
  two.policies = {"cucb-ldp1"};
  two.only_with = {{"radius", "sound"}};
  two.value = [](const Instance& i) -> Number { return laplace_upper("cucb-ldp1", i); };

  Bound four = bound("chen-theorem-4", "Chen et al. 2020, Thm 4 with the constants of its proof",
                     Kind::kFinite, Side::kUpper, reports,
                     smooth + "; b = 1/eps; radius=sound, the default");
  four.caveat = "the proof's 128 is 256 for the printed radius, and it covers eps <= 1 only";
  four.policies = {"cucb-ldp2"};
  four.only_with = {{"radius", "sound"}};
  four.value = [](const Instance& i) -> Number { return laplace_upper("cucb-ldp2", i); };

  // Theirs is O(sum_i K B_1^2 ln^2 T/Delta_i + m K B_1 ln^3 T ln(B_1 K ln T/(Delta_max eps))/eps).
  Bound eight =
      bound("chen-theorem-8", "Chen et al. 2020, Thm 8, derived for the radius that is played",
            Kind::kFinite, Side::kUpper,
            "sum_i integral of [2 B_1 min(1, 2 radius(n)) - Delta_i/K]+ over n, + 3 m Delta_max; "
            "radius(n) = sqrt((ln 2 + 2 ln T)/(2n)) + q K levels/(eps n), q the 1/(2 T^2) quantile "
            "of a counter's terms",
            "outcomes in [0, 1]; sets whose gaps are known; counter=signed, the default");
  eight.notion = privacy::Notion::kCentral;
  eight.policies = {"cucb-dp"};
  eight.only_with = {{"counter", "signed"}, {"arity", "0"}};
  eight.value = [](const Instance& i) { return cucb_counters_upper("cucb-dp", i); };

  Bound printed = eight;
  printed.name = "chen-theorem-8-printed";
  printed.reference = "Chen et al. 2020, Thm 8 with the constants of its proof";
  printed.form =
      "sum_i integral of [2 B_1 min(1, 2 radius(n)) - Delta_i/K]+ over n, + (m + stray) Delta_max; "
      "radius(n) = sqrt(4 ln(mT)/n) + 12 K ln^3 T/(eps n)";
  printed.conditions = "outcomes in [0, 1]; sets whose gaps are known";
  printed.caveat =
      "the paper's \"T sufficiently large\" is how often the noise leaves its radius, counted by "
      "Chernoff; its last step loses a square root";
  printed.policies = {"cucb-dp-as-published"};
  printed.only_with = {};
  printed.value = cucb_dp_as_published_upper;

  Bound five =
      bound("chen-theorem-5", "Chen et al. 2020, Thm 5", Kind::kAsymptotic, Side::kLower,
            "(m-1)/(64 (e^eps - 1)^2 Delta) ln T",
            "eps-local; single arms (top:1), all suboptimal ones with the same gap Delta < 0.35, "
            "the best mean in [0.15, 0.85]");
  five.caveat =
      "basu-theorem-4 says more; the proof's own means, 0 and Delta, do not satisfy the inequality "
      "it uses";
  five.superseded_by = "basu-theorem-4";
  five.feedback = {feedback::Kind::kBandit, feedback::Kind::kSemi};
  five.value = equal_gaps_local_lower;

  Bound six = bound("chen-theorem-6", "Chen et al. 2020, Thm 6", Kind::kAsymptotic, Side::kLower,
                    "(m-K) K/(64 (e^eps - 1)^2 Delta) ln T",
                    "eps-local; disjoint sets of K arms, arms of a set with equal outcomes: mean "
                    "1/2 in the best, 1/2 - Delta/K in "
                    "the others, Delta/K < 0.35 (problem k-path)");
  six.caveat = "the authors conjecture another factor K";
  six.value = disjoint_sets_local_lower;

  Bound nine = bound("chen-theorem-9", "Chen et al. 2020, Thm 9", Kind::kOrder, Side::kLower,
                     "Omega(B_1^2 m K ln T/Delta + B_1 m K ln T/eps)",
                     "eps-DP; m >= 2K, Delta/(B_1 K) < 0.35");
  nine.caveat =
      "the proof of the second term overlooks that its two environments differ in every bad set; "
      "without the factor K it "
      "stands";
  nine.notion = privacy::Notion::kCentral;
  nine.unless = unless_many_arms_of_small_gaps;

  Bound ten =
      bound("wang-theorem-10", "Wang et al. (Cascading bandit under DP), Thm 10 by its proof",
            Kind::kFinite, Side::kUpper, gaussian, smooth + "; sigma^2 = 2 K ln(1.25/delta)/eps^2");
  ten.caveat =
      "the paper does not count that the noise must keep its radius at every n: ln T + 1 rounds an "
      "arm";
  ten.policies = {"cucb-ldp-gaussian-as-published"};
  ten.value = [](const Instance& i) { return gaussian_upper("cucb-ldp-gaussian-as-published", i); };

  Bound analytic = ten;
  analytic.name = "wang-theorem-10-analytic";
  analytic.reference =
      "Wang et al. (Cascading bandit under DP), Thm 10 by its proof, at the exact sigma";
  analytic.conditions = smooth + "; sigma the smallest that is (eps, delta)-private";
  analytic.policies = {"cucb-ldp-gaussian"};
  analytic.value = [](const Instance& i) { return gaussian_upper("cucb-ldp-gaussian", i); };

  return {two, four, eight, printed, five, six, nine, ten, analytic};
}

}  // namespace tacit::theory
