#include <cmath>
#include <limits>

#include "tacit/theory/baselines.hpp"
#include "tacit/theory/classic.hpp"
#include "tacit/theory/lists.hpp"

namespace tacit::theory {
namespace {

/// Lattimore & Szepesvari, Thm 15.2, where the term without epsilon is the larger one.
double minimax_gap(int arms, double epsilon, Round horizon) {
  const auto rounds = static_cast<double>(horizon);
  const double others = arms - 1;
  const bool public_term = std::sqrt(rounds * others) / 27 >= others / (131 * epsilon);
  return public_term ? std::sqrt(others / (4 * rounds)) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::vector<Bound> classic_bounds() {
  using feedback::Kind::kBandit;
  using privacy::Notion;
  const std::string consistent =
      "Bernoulli arms; policies whose regret is below T^a for every a > 0, on every instance";
  return {
      {.name = "random-play",
       .reference = "expectation, computed",
       .kind = Kind::kReference,
       .side = Side::kUpper,
       .form = "(r* - the mean reward of all arms, or of all lists) T",
       .conditions = "single arms, or lists whose items attract independently",
       .caveat = "no bound: a policy that has as much has learnt nothing, and a worse one has more",
       .of_any_means = true,
       .feedback = {kBandit, feedback::Kind::kFull, feedback::Kind::kCascade},
       .unless = [](const Instance& i) -> std::optional<Refusal> {
         if (!i.law || i.feedback != feedback::Kind::kCascade) return std::nullopt;
         return Refusal{Parameter{"random-play", "environment"}, "drawn from a prior",
                        "must be given for lists"};
       },
       .value = [](const Instance& i) -> Number { return random_play(i); }},
      {.name = "lai-robbins",
       .reference = "Lai & Robbins 1985",
       .kind = Kind::kAsymptotic,
       .side = Side::kLower,
       .form = "sum_a Delta_a/kl(mu_a, mu*) ln T",
       .conditions = consistent,
       .feedback = {kBandit},
       .value = [](const Instance& i) -> Number { return lai_robbins_lower(i.means, i.horizon); }},
      {.name = "auer-theorem-1",
       .reference = "Auer, Cesa-Bianchi & Fischer 2002, Thm 1",
       .kind = Kind::kFinite,
       .side = Side::kUpper,
       .form = "sum_a [8 ln T/Delta_a + (1 + pi^2/3) Delta_a]",
       .conditions = "outcomes in [0, 1]",
       .feedback = {kBandit},
       .policies = {"ucb1"},
       .value = [](const Instance& i) -> Number { return auer_upper(i.means, i.horizon); }},
      {.name = "leader-hoeffding",
       .reference = "Hoeffding 1963, added up over rounds",
       .kind = Kind::kFinite,
       .side = Side::kUpper,
       .form = "sum_{n<T} min(Delta_max, sum_a Delta_a exp(-n Delta_a^2/2)), of order ln "
               "K/Delta_min at most",
       .conditions = "outcomes in [0, 1], rounds independent, arms in any way dependent",
       .feedback = {feedback::Kind::kFull},
       .policies = {"ftl"},
       .value = [](const Instance& i) -> Number { return leader_upper(i.means, i.horizon); }},
      {.name = "sajed-sheffet",
       .reference = "Sajed & Sheffet 2019, derived for the epochs that are played",
       .kind = Kind::kFinite,
       .side = Side::kUpper,
       .form = "sum_a Delta_a min(T, sum of R_e over e <= e_a) + 0.83 Delta_max, R_e the pulls of "
               "epoch "
               "e with the arms that are left, e_a = ceil(log2(1/Delta_a)); of order sum_a ln "
               "T/Delta_a + K ln T/eps",
       .conditions = "outcomes in [0, 1]; beta = 1/T and horizon=known, the defaults",
       .feedback = {kBandit},
       .notion = Notion::kCentral,
       .policies = {"dp-se"},
       .only_with = {{"beta", "1/horizon"}, {"horizon", "known"}},
       .value = [](const Instance& i) -> Number {
         return elimination_upper(i.means, i.epsilon.value(), i.horizon);
       }},
      {.name = "tossou-2017",
       .reference =
           "Tossou & Dimitrakakis 2017, derived from Auer, Cesa-Bianchi, Freund & Schapire "
           "2002, Cor. 3.2",
       .kind = Kind::kFinite,
       .side = Side::kUpper,
       .form = "2 (1 + 2 ln T/eps) sqrt((e-1) T K ln K) + 1/eps, at most T Delta_max",
       .conditions = "outcomes in [0, 1]",
       .caveat = "the first part holds, against the best arm in hindsight, for outcomes fixed "
                 "beforehand too; an order in the paper, sqrt(T) ln T/eps",
       .feedback = {kBandit},
       .notion = Notion::kLocal,
       .policies = {"dp-exp3"},
       .value = [](const Instance& i) -> Number {
         return noisy_exp3_upper(i.means, i.epsilon.value(), i.horizon);
       }},
      {.name = "shariff-sheffet",
       .reference = "Shariff & Sheffet 2018, Claim 14 and Cor. 15",
       .kind = Kind::kAsymptotic,
       .side = Side::kLower,
       .form = "(suboptimal arms) ln T/(200 eps)",
       .conditions = "eps-DP policies whose regret is below T^(3/4)",
       .caveat = "its constant is loose: azize-2025 implies 200 times as much",
       .superseded_by = "azize-2025",
       .feedback = {kBandit},
       .notion = Notion::kCentral,
       .value = [](const Instance& i) -> Number {
         return shariff_sheffet_lower(i.means, i.epsilon.value(), i.horizon);
       }},
      {.name = "azize-basu-minimax",
       .reference = "Azize & Basu 2022, minimax lower bound",
       .kind = Kind::kMinimax,
       .side = Side::kLower,
       .form = "max(sqrt(T (K-1))/27, (K-1)/(131 eps))",
       .conditions = "T >= K-1; the second term is counted once T eps >= K-1",
       .caveat = "below T eps = K-1 the second term may exceed T, so it is left out there",
       .of_any_means = true,
       .feedback = {kBandit},
       .notion = Notion::kCentral,
       .value = [](const Instance& i) -> Number {
         return azize_basu_minimax_lower(i.arms(), i.epsilon.value(), i.horizon);
       },
       .worst_gap = minimax_gap},
      {.name = "azize-basu-instance",
       .reference = "Azize & Basu 2022, instance-dependent lower bound",
       .kind = Kind::kAsymptotic,
       .side = Side::kLower,
       .form = "sum_a Delta_a/min(kl(mu_a, mu*), 6 eps Delta_a) ln T",
       .conditions = "eps-DP; " + consistent,
       .superseded_by = "azize-2025",
       .feedback = {kBandit},
       .notion = Notion::kCentral,
       .value = [](const Instance& i) -> Number {
         return azize_basu_lower(i.means, i.epsilon.value(), i.horizon);
       }},
      {.name = "azize-2025",
       .reference = "Azize et al. 2025 (arXiv:2505.05613)",
       .kind = Kind::kAsymptotic,
       .side = Side::kLower,
       .form = "sum_a Delta_a/d_eps(mu_a, mu*) ln T",
       .conditions = "eps-DP; " + consistent,
       .feedback = {kBandit},
       .notion = Notion::kCentral,
       .value = [](const Instance& i) -> Number {
         return d_epsilon_lower(i.means, i.epsilon.value(), i.horizon);
       }},
      {.name = "gajane-corrupted",
       .reference = "Gajane, Urvoy & Kaufmann 2018, corrupted feedback",
       .kind = Kind::kAsymptotic,
       .side = Side::kLower,
       .form = "sum_a Delta_a/kl(b_a, b*) ln T, b = (1 + mu (e^eps - 1))/(1 + e^eps)",
       .conditions = "policies that see randomised responses and nothing else; " + consistent,
       .caveat = "holds of every local policy: local-response",
       .superseded_by = "local-response",
       .feedback = {kBandit},
       .notion = Notion::kLocal,
       .policies = {"kl-ucb-cf", "ts-cf", "ldp-ucb-bits"},
       .value = [](const Instance& i) -> Number {
         return corrupted_feedback_lower(i.means, i.epsilon.value(), i.horizon);
       }},
  };
}

}  // namespace tacit::theory
