#include "tacit/theory/lists.hpp"
#include "tacit/theory/optimistic_sets.hpp"

namespace tacit::theory {
namespace {

std::optional<Refusal> unless_bases_of_a_matroid(const Instance& instance) {
  return unless_bases("optimistic_sets_bounds", instance);
}

Bound bound(const char* name, const char* reference, Kind kind, Side side, const char* form,
            const char* conditions, const char* caveat, std::vector<std::string> policies,
            Number (*value)(const Instance&), privacy::Notion notion = privacy::Notion::kNone) {
  return {.name = name,
          .reference = reference,
          .kind = kind,
          .side = side,
          .form = form,
          .conditions = conditions,
          .caveat = caveat,
          .feedback = {feedback::Kind::kSemi},
          .notion = notion,
          .policies = std::move(policies),
          .value = value};
}

}  // namespace

std::vector<Bound> optimistic_sets_bounds() {
  using privacy::Notion;
  const char* known = "outcomes in [0, 1]; sets whose gaps are known";
  const char* bases = "bases of a matroid; outcomes in [0, 1]";
  const char* independent =
      "bases of a matroid; Bernoulli arms, independent; policies whose regret is below T^a for "
      "every "
      "a > 0, on every instance";
  Bound conjecture =
      bound("chen-conjecture", "Chen et al. 2020, sec. 4.1 and 5", Kind::kOrder, Side::kLower,
            "Omega(m K^2 B_1^2 ln T/(eps^2 Delta))", "conjectured for eps-local policies",
            "chen-theorem-6 has K, chen-theorem-4 K^2", {}, nullptr, Notion::kLocal);
  conjecture.conjecture = true;
  Bound beta =
      bound("wang-chen-2018", "Wang & Chen 2018", Kind::kOrder, Side::kUpper,
            "O(sum_{e outside} ln T/Delta_e)", "bases of a matroid", "", {"cts-beta"}, nullptr);
  beta.unless = unless_bases_of_a_matroid;
  return {
      bound("cucb-finite",
            "Chen, Wang, Yuan & Wang 2016 and Kveton, Wen, Ashkan & Szepesvari 2015, derived",
            Kind::kFinite, Side::kUpper,
            "sum_i min(24 K B_1^2, 12 B_inf^2) ln T/Delta_i + 1.9 m Delta_max, or less: outcomes "
            "clipped at 1 counted as such; on bases at most omm-finite with 6 for 8",
            known, "orders, and other constants, in the papers", {"cucb"}, cucb_upper),
      bound(
          "kveton-2015-lower", "Kveton, Wen, Ashkan & Szepesvari 2015, by Lai & Robbins 1985",
          Kind::kAsymptotic, Side::kLower,
          "sum over arms of (w* - w_i)/kl(w_i, w*) ln T, at least (m-K) K/(4 Delta) ln T on k-path",
          "disjoint sets of K Bernoulli arms with equal outcomes (problem k-path); policies whose "
          "regret is below T^a for every a > 0, on every instance",
          "the first term of chen-theorem-9", {}, disjoint_sets_lower),
      bound("wang-chen-2017-lower",
            "Chen et al. 2016; Wang & Chen 2017 (Table 1 of Chen et al. 2020)", Kind::kOrder,
            Side::kLower, "Omega(m B_inf^2 ln T/Delta)",
            "B_inf-smooth rewards; on the worst instance, single arms whose reward is B_inf times "
            "the outcome",
            "there it is B_inf lai-robbins", {}, nullptr),
      restricted_to({{"counter", "signed"}, {"arity", "0"}},
                    bound(
                        "chen-weakest", "Chen et al. 2020, end of sec. 3.2, derived", Kind::kFinite,
                        Side::kUpper,
                        "sum_i integral of min(Delta_max, B_inf, 2 B_inf radius(n)) up to radius = "
                        "Delta_i/(2 "
                        "B_inf), + 3 m Delta_max; radius(n) = sqrt((ln 2 + 2 ln T)/(2n)) + q "
                        "levels/(eps n), q "
                        "the 1/(2 T^2) quantile of a counter's terms",
                        known, "an order in the paper, m B_inf^2 ln T/(eps Delta) up to logarithms",
                        {"cucb-dp-weakest"},
                        [](const Instance& i) { return cucb_counters_upper("cucb-dp-weakest", i); },
                        Notion::kCentral)),
      bound("chen-dp-lower", "Chen et al. 2020, end of sec. 3.3", Kind::kOrder, Side::kLower,
            "Omega(m B_inf^2 ln T/(eps Delta))",
            "eps-DP; single arms whose reward is B_inf times the outcome",
            "false as printed: at B_inf = 1 it is a product where hu-theorem-3 has ln T/min(Delta, "
            "eps) above it; what the reduction gives is B_inf azize-2025, of order m B_inf ln T "
            "max(B_inf/Delta, 1/eps)",
            {}, nullptr, Notion::kCentral),
      conjecture,
      bound("omm-finite", "Kveton, Wen, Ashkan, Eydgahi & Eriksson 2014, derived", Kind::kFinite,
            Side::kUpper,
            "sum_e [D_1 N(D_1) + sum_{j>1} D_j (N(D_j) - N(D_{j-1}))] + 0.12 (largest gaps of all "
            "arms), D_j the gaps of e in decreasing order, N(D) = floor(8 ln T/D^2) + 1; at most "
            "sum_e 16 ln T/Delta_e and constants",
            bases, "", {"omm"},
            [](const Instance& i) {
              constexpr double kFactor = 2;
              return optimistic_bases_upper(i, kFactor);
            }),
      bound("talebi-proutiere-lower", "Talebi & Proutiere 2016, lower bound", Kind::kAsymptotic,
            Side::kLower,
            "sum_e (w(s) - w(e))/kl(w(e), w(s)) ln T, s the weakest of the best basis that e can "
            "replace",
            independent, "", {}, bases_asymptotic),
      bound("talebi-proutiere-upper", "Talebi & Proutiere 2016, KL-OSM", Kind::kAsymptotic,
            Side::kUpper,
            "sum_e (w(s) - w(e))/kl(w(e), w(s)) ln T, s the weakest of the best basis that e can "
            "replace",
            bases, "the same number as talebi-proutiere-lower", {"kl-osm"}, bases_asymptotic),
      beta,
      bound("perrault-2020", "Perrault, Boursier, Perchet & Valko 2020", Kind::kOrder, Side::kUpper,
            "O(m ln T/Delta_min) up to powers of ln K", "arms independent",
            "of posteriors at least as wide as what is played", {"cts-gaussian"}, nullptr),
  };
}

}  // namespace tacit::theory
