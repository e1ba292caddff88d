#include <algorithm>
#include <cmath>
#include <limits>

#include "tacit/core/check.hpp"
#include "tacit/theory/hu.hpp"
#include "tacit/theory/lists.hpp"
#include "tacit/theory/noise_of.hpp"

namespace tacit::theory {
namespace {

/// The smallest gap for which the horizon is long enough: the regret bound is largest there.
double smallest_told_gap(int arms, double epsilon, Round horizon) {
  const double log_arms = std::log(arms);
  const auto rounds = static_cast<double>(horizon);
  const double gap =
      std::max(std::sqrt(log_arms / (16 * rounds)), log_arms / (10 * epsilon * rounds));
  return arms >= 4 && gap < 0.25 ? gap * (1 + 1e-12) : std::numeric_limits<double>::quiet_NaN();
}

/// Thm 9 for noise of another scale: at the epsilon whose inverse that scale is.
Number noisy_leader(const char* policy, const Instance& i) {
  const Number scale = noise_of(policy, i);
  if (!scale) return scale;
  const double epsilon = 1 / *scale;
  if (auto unmet = check::unless_positive("noisy_leader_upper", "epsilon", epsilon)) return *unmet;
  return noisy_leader_upper(i.means, epsilon, i.horizon);
}

Bound of_any_means(Bound bound) {
  bound.of_any_means = true;
  return bound;
}

Bound upper(const char* name, const char* where, const char* form, const char* conditions,
            feedback::Kind feedback, std::vector<std::string> policies,
            Number (*value)(const Instance&), const char* caveat = "") {
  return {.name = name,
          .reference = std::string("Hu, Huang, Mehta & Hegde (arXiv:2102.07929), ") + where,
          .kind = value != nullptr ? Kind::kFinite : Kind::kOrder,
          .side = Side::kUpper,
          .form = form,
          .conditions = conditions,
          .caveat = caveat,
          .feedback = {feedback},
          .notion = privacy::Notion::kCentral,
          .policies = std::move(policies),
          .value = value};
}

}  // namespace

std::vector<Bound> hu_bounds() {
  using feedback::Kind::kBandit;
  using feedback::Kind::kFull;
  const char* unit = "outcomes in [0, 1]";
  const char* brackets =
      "sum_l 256 (1 + ln |J_l|)/min(D_l, e), J_l the gaps in [D_l, 2 D_l), D_l = 2^(l-1) Delta_min";
  const std::vector<std::string> leaders = {"rnm-ftnl-as-published", "pf-ftnl"};
  const char* scale = "for rnm-ftnl use eps/2, for ftnl eps/K";
  return {
      upper("hu-theorem-3", "Thm 3 with the constants of its proof",
            "sum_j Delta_j min(T, 2^(d_j+1) - 3/4), 2^d_j the smallest power of two >= 24 ln "
            "T/(Delta_j min(Delta_j, eps))",
            unit, kBandit, {"anytime-lazy-ucb"},
            [](const Instance& i) -> Number {
              return lazy_ucb_upper(i.means, i.epsilon.value(), i.horizon);
            }),
      of_any_means(upper("hu-theorem-3-worst",
                         "Thm 3, instance-independent, with the constants of its proof",
                         "2 sqrt(96 (K-1) T ln T) + 96 (K-1) ln T/eps + (K-1)/4", unit, kBandit,
                         {"anytime-lazy-ucb"},
                         [](const Instance& i) -> Number {
                           return lazy_ucb_worst_upper(i.arms(), i.epsilon.value(), i.horizon);
                         })),
      upper("hu-theorem-5", "Thm 5", "O(sum_j ln T/min(Delta_j, eps))", unit, kBandit,
            {"lazy-dp-ts"}, nullptr,
            "the proof stands on lemmas of Agrawal & Goyal 2017 without constants"),
      upper("hu-theorem-5-worst", "Thm 5, instance-independent", "O(sqrt(K T ln T) + K ln T/eps)",
            unit, kBandit, {"lazy-dp-ts"}, nullptr, "as hu-theorem-5"),
      upper("hu-theorem-9", "Thm 9 with the constants of its proof", brackets,
            "outcomes in [0, 1]; e = eps", kFull, leaders,
            [](const Instance& i) { return noisy_leader("rnm-ftnl-as-published", i); }),
      upper("hu-theorem-9-corrected", "Thm 9 at noise Laplace(2/eps)", brackets,
            "outcomes in [0, 1]; e = eps/2", kFull, {"rnm-ftnl"},
            [](const Instance& i) { return noisy_leader("rnm-ftnl", i); }),
      upper("hu-theorem-9-naive", "Thm 9 at noise Laplace(K/eps)", brackets,
            "outcomes in [0, 1]; e = eps/K", kFull, {"ftnl"},
            [](const Instance& i) { return noisy_leader("ftnl", i); }),
      upper(
          "hu-corollary-10a", "Cor. 10 (a) with the constants of Thm 9",
          "512 (1 + ln(K-1))/Delta_min", "every gap is at most eps", kFull, leaders,
          [](const Instance& i) -> Number {
            return noisy_leader_small_gaps_upper(i.means, i.epsilon.value());
          },
          scale),
      upper(
          "hu-corollary-10b", "Cor. 10 (b) with the constants of Thm 9",
          "512 (1 + ln(K-1))/min(Delta_min, eps)", "every gap is in [Delta_min, 2 Delta_min]",
          kFull, leaders,
          [](const Instance& i) -> Number {
            return noisy_leader_similar_gaps_upper(i.means, i.epsilon.value());
          },
          scale),
      upper(
          "hu-corollary-11", "Cor. 11 with the constants of Thm 9",
          "T D + 512 (1 + ln(K-1))/D + 256 (1 + ln(K-1)) (floor(log2(1/max(eps, D))) + 1)/eps, D = "
          "sqrt(ln K/T); the last "
          "term only for eps < 1",
          "T >= ln K", kFull, leaders,
          [](const Instance& i) -> Number {
            return noisy_leader_worst_upper(i.arms(), i.epsilon.value(), i.horizon);
          },
          scale),
      {.name = "hu-theorem-12",
       .reference =
           "Hu, Huang, Mehta & Hegde (arXiv:2102.07929), Thm 12 with the constants of its proof",
       .kind = Kind::kMinimax,
       .side = Side::kLower,
       .form = "0.098 D max(floor(ln K/(16 D^2)), floor(ln K/(10 eps D))), D = Delta_min",
       .conditions = "K >= 4; 0 < Delta_min < 1/4; T >= ln K/(16 D^2) and T >= ln K/(10 eps D); on "
                     "one of the K instances "
                     "with one mean 1/2 + D and the others 1/2",
       .feedback = {kFull},
       .notion = privacy::Notion::kCentral,
       .value = [](const Instance& i) -> Number {
         return full_information_lower(i.arms(), smallest_gap(i.means), i.epsilon.value(),
                                       i.horizon);
       },
       .worst_gap = smallest_told_gap},
      {.name = "agarwal-singh",
       .reference = "Agarwal & Singh 2017, as Hu et al. quote it",
       .kind = Kind::kOrder,
       .side = Side::kUpper,
       .form = "O(sqrt(T ln K) + K ln K ln^2 T/eps)",
       .conditions = "any outcomes in [0, 1]",
       .caveat = "of their own algorithm, which is not here; ftnl keeps it on outcomes that are "
                 "drawn, by "
                 "hu-corollary-11 at eps/K",
       .feedback = {kFull},
       .notion = privacy::Notion::kCentral,
       .policies = {"ftnl"}},
      {.name = "asi-2022",
       .reference = "Asi et al. 2022, Cor. 3.4, as Hu et al. quote it",
       .kind = Kind::kOrder,
       .side = Side::kUpper,
       .form = "O(sqrt(T ln K) + ln K ln T/eps)",
       .conditions = unit,
       .caveat =
           "of their own algorithm, which is not here; hu-corollary-11 has it of these, with a "
           "number",
       .feedback = {kFull},
       .notion = privacy::Notion::kCentral,
       .policies = {"rnm-ftnl-as-published", "rnm-ftnl", "pf-ftnl"}},
      {.name = "hu-conjecture",
       .reference = "Hu, Huang, Mehta & Hegde (arXiv:2102.07929), sec. 7",
       .kind = Kind::kOrder,
       .side = Side::kUpper,
       .form = "O(ln K/min(Delta_min, eps))",
       .conditions = "conjectured where gaps double too, Delta_min, 2 Delta_min, 4 Delta_min, ...",
       .caveat = "proved where all gaps are equal (hu-theorem-9); measured by hu-section7",
       .conjecture = true,
       .feedback = {kFull},
       .notion = privacy::Notion::kCentral,
       .policies = {"rnm-ftnl", "pf-ftnl"}},
  };
}

}  // namespace tacit::theory
