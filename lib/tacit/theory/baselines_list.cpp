#include <algorithm>
#include <cmath>

#include "tacit/theory/baselines.hpp"
#include "tacit/theory/classic.hpp"
#include "tacit/theory/lists.hpp"

namespace tacit::theory {
namespace {

/// Auer, Cesa-Bianchi, Freund & Schapire 2002, proof of Thm 5.1.
double auer_gap(int arms, double, Round horizon) {
  return 0.25 * std::min(std::sqrt(arms / static_cast<double>(horizon)), 1.0);
}

Bound upper(const char* name, const char* reference, Kind kind, const char* form,
            const char* conditions, privacy::Notion notion, std::vector<std::string> policies,
            Number (*value)(const Instance&), const char* caveat = "") {
  return {.name = name,
          .reference = reference,
          .kind = kind,
          .side = Side::kUpper,
          .form = form,
          .conditions = conditions,
          .caveat = caveat,
          .feedback = {feedback::Kind::kBandit},
          .notion = notion,
          .policies = std::move(policies),
          .value = value};
}

}  // namespace

std::vector<Bound> baseline_bounds() {
  using privacy::Notion;
  const char* unit = "outcomes in [0, 1]";
  Bound hedge = upper(
      "mourtada-gaiffas", "Mourtada & Gaiffas 2019, derived", Kind::kFinite,
      "min over t of sqrt(t ln K) + sum_{s>t} min(Delta_max, sum_a Delta_a [exp(-(s-1) "
      "Delta_a^2/8) "
      "+ exp(-sqrt(ln K/s) (s-1) Delta_a)]), of order ln K/Delta_min",
      "outcomes in [0, 1], rounds independent, arms in any way dependent", Notion::kNone,
      {"hedge-decreasing"},
      [](const Instance& i) -> Number { return decreasing_hedge_upper(i.means, i.horizon); },
      "stretches of 2 % of a round's number are counted by their first round");
  hedge.feedback = {feedback::Kind::kFull};
  Bound leader = upper("van-erven-2014", "van Erven, Kotlowski & Warmuth 2014; Kotlowski 2018",
                       Kind::kOrder, "O(ln K/Delta_min)", unit, Notion::kNone, {"ftl"}, nullptr,
                       "leader-hoeffding has a number");
  leader.feedback = {feedback::Kind::kFull};
  return {
      {.name = "auer-minimax",
       .reference = "Auer, Cesa-Bianchi, Freund & Schapire 2002, Thm 5.1",
       .kind = Kind::kMinimax,
       .side = Side::kLower,
       .form = "min(sqrt(K T), T)/20",
       .conditions = "K >= 2; Bernoulli arms",
       .caveat = "sqrt((K-1) T)/27 of azize-basu-minimax, whose first term it is, holds without "
                 "privacy too",
       .feedback = {feedback::Kind::kBandit},
       .value = [](const Instance& i) -> Number {
         const auto rounds = static_cast<double>(i.horizon);
         return std::min(std::sqrt(i.arms() * rounds), rounds) / 20;
       },
       .worst_gap = auer_gap},
      upper(
          "garivier-cappe", "Garivier & Cappe 2011, and for ln t alone the proof of kl-ucb-finite",
          Kind::kAsymptotic, "sum_a Delta_a/kl(mu_a, mu*) ln T", unit, Notion::kNone, {"kl-ucb"},
          [](const Instance& i) -> Number { return lai_robbins_lower(i.means, i.horizon); },
          "the paper proves it of ln t + 3 ln ln t"),
      upper("kl-ucb-finite", "derived, after Garivier & Cappe 2011", Kind::kFinite,
            "sum_a Delta_a min over g, h of [1 + ln T/kl(mu_a + h, mu* - g) + 1/(e^u - 1) + sum_t "
            "min(1, "
            "t^(-1-k)/(1 - e^-v))], u = kl(mu_a + h, mu_a), v = kl(mu* - g, mu*), k = v/kl(0, mu* "
            "- g)",
            unit, Notion::kNone, {"kl-ucb"},
            [](const Instance& i) -> Number { return kl_ucb_upper(i.means, i.horizon); }),
      upper("kaufmann-thompson", "Kaufmann, Korda & Munos 2012; Agrawal & Goyal 2017",
            Kind::kAsymptotic, "sum_a Delta_a/kl(mu_a, mu*) ln T",
            "outcomes in [0, 1], rounded to bits at random", Notion::kNone, {"thompson-beta"},
            [](const Instance& i) -> Number { return lai_robbins_lower(i.means, i.horizon); }),
      upper("agrawal-goyal-gaussian", "Agrawal & Goyal 2017", Kind::kOrder, "O(sqrt(K T ln K))",
            unit, Notion::kNone, {"thompson-gaussian"}, nullptr,
            "of N(mean, 1/(n+1)), where 1/n is played"),
      restricted_to({{"a", "3.1"}},
                    upper(
                        "azize-basu-upper", "Azize & Basu 2022, derived", Kind::kFinite,
                        "sum_a Delta_a min(T, 2 n_a + S), n_a the smallest power of two with "
                        "sqrt(a ln T/(2n)) + "
                        "a ln T/(eps n) < Delta_a/2, S < 1.7 at a = 3.1",
                        "outcomes in [0, 1]; a = 3.1, the default", Notion::kCentral,
                        {"adap-ucb", "adap-klucb"},
                        [](const Instance& i) -> Number {
                          constexpr double kDefault = 3.1;
                          return doubling_episodes_upper(i.means, i.epsilon.value(), kDefault,
                                                         i.horizon);
                        },
                        "the paper's constants are for a > 3 and of the same order")),
      upper(
          "ren-laplace", "Ren, Zhou, Liu & Shroff 2020, derived", Kind::kFinite,
          "sum_a Delta_a min(T, max(4 ln(T+1), 4 (sqrt 2 + sqrt 32/eps)^2 ln T/Delta_a^2) + 1.32)",
          unit, Notion::kLocal, {"ldp-ucb-laplace"},
          [](const Instance& i) -> Number {
            return laplace_ucb_upper(i.means, i.epsilon.value(), i.horizon);
          }),
      upper("ren-bits", "Ren, Zhou, Liu & Shroff 2020, by auer-theorem-1 on bits", Kind::kFinite,
            "sum_a Delta_a min(T, 8 ln T/(s Delta_a)^2 + 1 + pi^2/3), s = (e^eps - 1)/(e^eps + 1)",
            unit, Notion::kLocal, {"ldp-ucb-bits"},
            [](const Instance& i) -> Number {
              return response_ucb_upper(i.means, i.epsilon.value(), i.horizon);
            }),
      {.name = "local-response",
       .reference = "Lai & Robbins 1985 with Kairouz, Oh & Viswanath 2015, derived",
       .kind = Kind::kAsymptotic,
       .side = Side::kLower,
       .form = "sum_a Delta_a/kl(b_a, b*) ln T, b = (1 + mu (e^eps - 1))/(1 + e^eps)",
       .conditions = "eps-local; Bernoulli arms; policies whose regret is below T^a for every a > "
                     "0, on every instance",
       .caveat = "whatever an eps-local device makes of a bit can be made of its randomised "
                 "response, so no report tells more of an arm; kl-ucb-cf and ts-cf reach it",
       .feedback = {feedback::Kind::kBandit},
       .notion = Notion::kLocal,
       .value = [](const Instance& i) -> Number {
         return corrupted_feedback_lower(i.means, i.epsilon.value(), i.horizon);
       }},
      upper(
          "gajane-upper", "Gajane, Urvoy & Kaufmann 2018", Kind::kAsymptotic,
          "sum_a Delta_a/kl(b_a, b*) ln T, b = (1 + mu (e^eps - 1))/(1 + e^eps)", unit,
          Notion::kLocal, {"kl-ucb-cf", "ts-cf"},
          [](const Instance& i) -> Number {
            return corrupted_feedback_lower(i.means, i.epsilon.value(), i.horizon);
          },
          "the same number as local-response: both are optimal among local policies, and not "
          "off by (1 + e^-eps)^2 as Basu et al. say (docs/bounds.md)"),
      upper("kl-ucb-cf-finite", "derived, as kl-ucb-finite", Kind::kFinite,
            "kl-ucb-finite with b_a and b* for mu_a and mu*, ln T + 3 ln ln T for ln T", unit,
            Notion::kLocal, {"kl-ucb-cf"},
            [](const Instance& i) -> Number {
              return kl_ucb_cf_upper(i.means, i.epsilon.value(), i.horizon);
            }),
      leader,
      hedge,
  };
}

}  // namespace tacit::theory
