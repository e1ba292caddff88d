#include <cmath>

#include "tacit/theory/basu.hpp"
#include "tacit/theory/lists.hpp"

namespace tacit::theory {
namespace {

Number local_worst(const Instance& i) {
  return local_minimax_lower(i.arms(), i.epsilon.value(), i.horizon);
}
Number central_worst(const Instance& i) {
  return central_minimax_lower(i.arms(), i.epsilon.value(), i.horizon, i.steepness);
}
Number instantaneous_worst(const Instance& i) {
  return instantaneous_minimax_corrected(i.arms(), i.epsilon.value(), i.horizon);
}

double instantaneous_gap(int arms, double, Round horizon) {
  return std::sqrt((arms - 1) / (4 * static_cast<double>(horizon)));
}

double local_worst_gap(int arms, double epsilon, Round horizon) {
  return std::sqrt((arms - 1) / (8 * static_cast<double>(horizon))) / local_contraction(epsilon);
}

/// A theorem on the worst instance, or its corollary on the worst prior over instances.
Bound minimax(const char* name, const char* where, privacy::Notion notion, const char* form,
              const char* conditions, const char* caveat, Number (*value)(const Instance&)) {
  return {.name = name,
          .reference = std::string("Basu, Dimitrakakis & Tossou (arXiv:1905.12298), ") + where,
          .kind = value != nullptr ? Kind::kMinimax : Kind::kOrder,
          .side = Side::kLower,
          .form = form,
          .conditions = conditions,
          .caveat = caveat,
          .feedback = {feedback::Kind::kBandit},
          .notion = notion,
          .value = value};
}

}  // namespace

std::vector<Bound> basu_bounds() {
  using privacy::Notion;
  const char* local_form = "sqrt((K-1) T)/(4 e^4 min(2, e^eps)(e^eps - 1))";
  const char* local_range = "T >= 4 (K-1)/(min(4, e^2eps)(e^eps - 1)^2)";
  const char* local_caveat =
      "a factor 2 is lost in the proof's last step; another gap proves what is printed";
  const char* instant_form = "c sqrt((K-1) T/(2 eps (e^2eps - 1)))";
  const char* instant_range = "eps below some a/2, and T large; c(a) is not given";
  const char* instant_caveat =
      "the proof yields no constant that serves all small eps, and as printed it contradicts "
      "hu-theorem-3 there for "
      "large T; do not rely on it";
  const char* central_form =
      "sqrt((K-1) T ln(eps^2+1)/(eps (eps^2+1)^(1/eps)))/(8 e^(3 (eps + c)))";
  const char* central_range =
      "T >= (K-1) ln(eps^2+1)/(eps e^(2 (eps + c))); outcomes of bounded log-likelihood, c = 0 "
      "unless "
      "--steepness gives it";
  const char* central_caveat =
      "the paper's last step is an algebra error, this is the line before it, which loses a factor "
      "2 as "
      "Thm 1 does; at c = 0 it is below azize-basu-minimax, and true by that";
  std::vector<Bound> list = {
      minimax("basu-theorem-1", "Thm 1", Notion::kLocal, local_form, local_range, local_caveat,
              local_worst),
      minimax("basu-corollary-1", "Cor. 1 (worst prior)", Notion::kLocal, local_form, local_range,
              local_caveat, local_worst),
      minimax("basu-theorem-2", "Thm 2", Notion::kInstantaneous, instant_form, instant_range,
              instant_caveat, nullptr),
      minimax("basu-corollary-2", "Cor. 2 (worst prior)", Notion::kInstantaneous, instant_form,
              instant_range, instant_caveat, nullptr),
      minimax("basu-theorem-2-corrected", "Thm 2, what its proof gives", Notion::kInstantaneous,
              "sqrt((K-1) T) e^(-x - 1/2)/16, x = 2 eps (e^2eps - 1)",
              "normal outcomes of variance 1; T >= K-1",
              "does not grow as eps falls: auer-minimax says more", instantaneous_worst),
      minimax("basu-theorem-3", "Thm 3, without its last step", Notion::kCentral, central_form,
              central_range, central_caveat, central_worst),
      minimax("basu-corollary-3", "Cor. 3 (worst prior), without its last step", Notion::kCentral,
              central_form, central_range, central_caveat, central_worst),
      {.name = "basu-theorem-4",
       .reference = "Basu, Dimitrakakis & Tossou (arXiv:1905.12298), Thm 4",
       .kind = Kind::kAsymptotic,
       .side = Side::kLower,
       .form = "sum_a Delta_a/(2 min(4, e^2eps)(e^eps - 1)^2 kl(mu_a, mu*)) ln T",
       .conditions = "eps-local; Bernoulli arms; consistent policies",
       .caveat = "below lai-robbins, which holds too, once eps > 0.39; loose by 4",
       .superseded_by = "local-response",
       .feedback = {feedback::Kind::kBandit},
       .notion = Notion::kLocal,
       .value = [](const Instance& i) -> Number {
         return local_instance_lower(i.means, i.epsilon.value(), i.horizon);
       }},
      {.name = "tossou-2016",
       .reference = "Tossou & Dimitrakakis 2016, as Basu et al. (sec. 6) quote it",
       .kind = Kind::kOrder,
       .side = Side::kUpper,
       .form = "O(sum_a Delta_a/kl(mu_a, mu*) ln T + 1/eps)",
       .conditions = "outcomes in [0, 1]; instantaneous privacy whose loss falls over time",
       .caveat = "Basu et al. say that an additive 1/eps cannot be had with a constant loss, by "
                 "their Thm 2, whose proof does not give that; of central privacy azize-2025 does: "
                 "it has ln T/eps",
       .feedback = {feedback::Kind::kBandit},
       .notion = Notion::kInstantaneous,
       .policies = {"dp-ucb-int"}}};
  for (Bound& bound : list) {
    if (bound.value == local_worst) bound.worst_gap = local_worst_gap;
    if (bound.name.starts_with("basu-corollary")) bound.of_any_means = true;
    if (bound.value == instantaneous_worst) {
      bound.worst_gap = instantaneous_gap;
      bound.superseded_by = "auer-minimax";
    }
    if (bound.name.ends_with("-3")) bound.superseded_by = "azize-basu-minimax";
  }
  return list;
}

}  // namespace tacit::theory
