#include "tacit/theory/lists.hpp"
#include "tacit/theory/matroid.hpp"

namespace tacit::theory {
namespace {

std::optional<Refusal> unless_bases_of_a_matroid(const Instance& instance) {
  return unless_bases("matroid_bounds", instance);
}

}  // namespace

std::vector<Bound> matroid_bounds() {
  using feedback::Kind::kSemi;
  using privacy::Notion;
  return {
      {.name = "chandak-theorem-9",
       .reference = "Chandak's thesis (Alberta), Thm 9 with the constants of its proof",
       .kind = Kind::kFinite,
       .side = Side::kUpper,
       .form = "sum_e [D_1 (2 n(D_1) - 1) + sum_{j>1} 2 D_j (n(D_j) - n(D_{j-1}))] + 0.2 L, D_j "
               "the gaps of e in decreasing order, "
               "n(D) the smallest power of two >= 24 ln(KT)/(D min(D, eps/K))",
       .conditions = "bases of a matroid; outcomes in [0, 1]",
       .feedback = {kSemi},
       .notion = Notion::kCentral,
       .policies = {"dpucb-mat"},
       .value = lazy_basis_upper},
      {.name = "chandak-theorem-11",
       .reference = "Chandak's thesis (Alberta), Thm 11",
       .kind = Kind::kOrder,
       .side = Side::kUpper,
       .form = "sum_e O(ln(KT)/Delta_e + K min(K, ln(KT)) ln(KT)/eps) + sum_k O(ln(KT)/Delta_k)",
       .conditions = "bases of a matroid; outcomes in [0, 1]",
       .caveat = "the proof stands on lemmas of Agrawal & Goyal 2017 without constants",
       .feedback = {kSemi},
       .notion = Notion::kCentral,
       .policies = {"dpts-mat"},
       .unless = unless_bases_of_a_matroid},
      {.name = "chandak-conjecture",
       .reference = "Chandak's thesis (Alberta), ch. 7",
       .kind = Kind::kOrder,
       .side = Side::kLower,
       .form = "Omega(L ln T/Delta + L K ln T/eps)",
       .conditions = "conjectured for eps-DP policies on bases of a matroid",
       .caveat = "a conjecture, modelled on chen-theorem-9, whose factor K in the second term is "
                 "not proved either",
       .conjecture = true,
       .feedback = {kSemi},
       .notion = Notion::kCentral,
       .unless = unless_bases_of_a_matroid},
  };
}

}  // namespace tacit::theory
