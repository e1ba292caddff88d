#include "tacit/theory/cascade.hpp"
#include "tacit/theory/cascade_pairs.hpp"
#include "tacit/theory/lists.hpp"
#include "tacit/theory/noise_of.hpp"

namespace tacit::theory {
namespace {

Bound bound(const char* name, const char* reference, Kind kind, Side side, const char* form,
            const char* conditions, const char* caveat, privacy::Notion notion,
            std::vector<std::string> policies, Number (*value)(const Instance&)) {
  return {.name = name,
          .reference = reference,
          .kind = kind,
          .side = side,
          .form = form,
          .conditions = conditions,
          .caveat = caveat,
          .feedback = {feedback::Kind::kCascade},
          .notion = notion,
          .policies = std::move(policies),
          .value = value};
}

}  // namespace

std::vector<Bound> cascade_bounds() {
  using privacy::Notion;
  const char* independent = "items attract independently";
  const char* two_levels =
      "K items attract with p, the others with p - Delta, independently; 0 < Delta < p < 1 "
      "(problem kveton)";
  const char* laplace =
      "sum_e 8 (sqrt 1.5 + sqrt 24 b)^2 ln T/gap_e + L (pi^2/3 + S(T)), S(T) the rounds in which "
      "few Laplace reports stray";
  const std::vector<policies::ParameterValue> all_of_its_noise = {{"noise_multiplier", "1"}};
  const char* printed = "noise_multiplier 1, the default; items attract independently";
  return {
      bound("kveton-theorem-2", "Kveton, Szepesvari, Wen & Ashkan 2015, Thm 2", Kind::kFinite,
            Side::kUpper, "sum_e 12 ln T/gap_e + pi^2 L/3", independent, "", Notion::kNone,
            {"cascade-ucb1"},
            [](const Instance& i) -> Number {
              return cascade_ucb1_upper(i.means, i.size, i.horizon);
            }),
      bound(
          "kveton-theorem-3", "Kveton, Szepesvari, Wen & Ashkan 2015, Thm 3, derived",
          Kind::kAsymptotic, Side::kUpper,
          "sum_e [D_1/kl_1 + sum_{k>1} D_k (1/kl_k - 1/kl_{k-1})] ln T, D_k and kl_k the gap and "
          "the divergence of e to the k-th best",
          independent, "", Notion::kNone, {"cascade-kl-ucb"},
          [](const Instance& i) -> Number { return cascade_kl_upper(i.means, i.size, i.horizon); }),
      bound("kveton-theorem-4", "Kveton, Szepesvari, Wen & Ashkan 2015, Thm 4", Kind::kAsymptotic,
            Side::kLower, "(L-K)(1-p)^(K-1) Delta/kl(p-Delta, p) ln T", two_levels, "",
            Notion::kNone, {},
            [](const Instance& i) -> Number { return cascade_lower(i.means, i.size, i.horizon); }),
      bound("wang-theorem-2", "Wang et al. (Cascading bandit under DP), Thm 2", Kind::kOrder,
            Side::kUpper, "sum_e 192/gap_e (c1 L ln T/eps)^(1+xi) + 2 pi^2 L/3 + c2",
            "some constants c1, c2; any xi > 0",
            "c2 depends on xi; c1 must be 6.93, or 5.94 as n is counted here (hybrid_noise.hpp), "
            "where the policy has 1 unless told; the policy is not private",
            Notion::kCentral, {"cascade-dp-hybrid-as-published"}, nullptr),
      restricted_to(
          all_of_its_noise,
          bound(
              "wang-theorem-4", "Wang et al. (Cascading bandit under DP), Thm 4, corrected",
              Kind::kFinite, Side::kUpper, laplace, printed,
              "b = K/eps; the paper's factor 4 must be 8, and S(T) is missing there; the policy is "
              "not private",
              Notion::kLocal, {"cascade-ldp-laplace-as-published"},
              [](const Instance& i) -> Number {
                const Number noise = noise_of("cascade-ldp-laplace-as-published", i);
                return noise ? cascade_laplace_upper(i.means, i.size, *noise, i.horizon) : noise;
              })),
      restricted_to(
          all_of_its_noise,
          bound("wang-theorem-6", "Wang et al. (Cascading bandit under DP), Thm 6, corrected",
                Kind::kFinite, Side::kUpper,
                "sum_e 2 (2 sqrt 1.5 + 4 sqrt 2 sigma)^2 ln T/gap_e + 2 pi^2 L/3, sigma^2 = 2 K "
                "ln(1.25/delta)/eps^2",
                printed, "the paper leaves out 2 pi^2 L/3; the policy is not private",
                Notion::kLocal, {"cascade-ldp-gaussian-as-published"},
                [](const Instance& i) -> Number {
                  if (auto unmet = unless_delta_is_given("cascade_gaussian_upper", i))
                    return *unmet;
                  const Number noise = noise_of("cascade-ldp-gaussian-as-published", i);
                  return noise ? cascade_gaussian_upper(i.means, i.size, *noise, i.horizon) : noise;
                })),
      restricted_to(
          all_of_its_noise,
          bound("wang-theorem-8",
                "Wang et al. (Cascading bandit under DP), Thm 8 with the constants of Thm 4, "
                "corrected",
                Kind::kFinite, Side::kUpper, laplace, printed,
                "b = sqrt(4 K ln(e + eps/delta))/eps, which is more than plain Laplace noise has, "
                "K/eps, for "
                "lists shorter than 4 ln(e + eps/delta), 21 to 30 in the paper's figures; an order "
                "in "
                "the "
                "paper; the policy is not private",
                Notion::kLocal, {"cascade-ldp-composed-as-published"},
                [](const Instance& i) -> Number {
                  if (auto unmet = unless_delta_is_given("cascade_laplace_upper", i)) return *unmet;
                  const Number noise = noise_of("cascade-ldp-composed-as-published", i);
                  return noise ? cascade_laplace_upper(i.means, i.size, *noise, i.horizon) : noise;
                })),
      bound("wang-theorem-11", "Wang et al. (Cascading bandit under DP), Thm 11", Kind::kAsymptotic,
            Side::kLower, "(L-K) p (1-p)^K/(2 min(4, e^2eps)(e^eps - 1)^2 Delta) ln T", two_levels,
            "the proof bounds a divergence with its arguments swapped; the result stands",
            Notion::kLocal, {},
            [](const Instance& i) -> Number {
              return cascade_local_lower(i.means, i.size, i.epsilon.value(), i.horizon);
            }),
      bound("wang-theorem-12",
            "Wang et al. (Cascading bandit under DP), Thm 12 with the constants of its sources",
            Kind::kAsymptotic, Side::kLower,
            "(L-K)(1-p)^(K-1) max(Delta/kl(p-Delta, p), 1/(200 eps)) ln T", two_levels, "",
            Notion::kCentral, {},
            [](const Instance& i) -> Number {
              return cascade_central_lower(i.means, i.size, i.epsilon.value(), i.horizon);
            }),
  };
}

}  // namespace tacit::theory
