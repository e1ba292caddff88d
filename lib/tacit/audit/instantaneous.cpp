#include "tacit/audit/instantaneous.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacit/accounting/notions.hpp"
#include "tacit/audit/against.hpp"
#include "tacit/audit/certified.hpp"
#include "tacit/audit/seen.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::audit {
namespace {

/// Which actions came next, in runs on the one table and on the other.
class Counts {
 public:
  void add(bool one, double action) { (one ? counts_[action].first : counts_[action].second) += 1; }
  double runs(bool one) const {
    double sum = 0;
    for (const auto& [action, count] : counts_) sum += one ? count.first : count.second;
    return sum;
  }
  std::size_t actions() const { return counts_.size(); }
  /// ln of the odds for the one table, of one who has seen no more than this.
  double log_odds(double action) const {
    const auto found = counts_.find(action);
    const auto [one, other] = found == counts_.end() ? std::pair(0.0, 0.0) : found->second;
    const double cells = static_cast<double>(std::max<std::size_t>(2, actions())) / 2;
    return std::log((one + 0.5) / (runs(true) + cells)) -
           std::log((other + 0.5) / (runs(false) + cells));
  }
  /// How much one more run tells against a claim of epsilon, on average.
  double worth(double epsilon) const {
    double sum = 0;
    for (const auto& [action, count] : counts_) {
      sum += (count.first + count.second) * promise(epsilon, log_odds(action));
    }
    return sum / (runs(true) + runs(false));
  }

 private:
  std::map<double, std::pair<double, double>> counts_;
};

/// The actions of every round: an arm, or the code of a set's.
std::vector<double> actions_of(const Watched& run, std::size_t size) {
  std::vector<double> actions;
  for (std::size_t i = 0; i + size <= run.actions.size(); i += size) {
    const std::vector<double> set(run.actions.begin() + static_cast<std::ptrdiff_t>(i),
                                  run.actions.begin() + static_cast<std::ptrdiff_t>(i + size));
    actions.push_back(size == 1 ? set[0] : code_of(set));
  }
  return actions;
}

/// A pair of tables, and the actions that are given.
struct Place {
  std::size_t pair;
  std::vector<double> history;
  std::string name;
  Counts counts;
  double frequency = 0;  // of the history, in runs beforehand
};

class Guesses {
 public:
  Guesses(const Play& play, double claim, const Effort& effort)
      : play_(play),
        size_(play.setting.actions ? static_cast<std::size_t>(play.setting.actions->size()) : 1),
        claim_(claim),
        pairs_(neighbouring_tables(play.setting.arms, play.setting.horizon)),
        certified_(claim, 0, effort.error),
        coins_(random::SimulationKey(play.seed, "instantaneous", "coins", 0)
                   .stream(random::Purpose::kOutcomes)) {
    play_.setting.pace = policies::Pace::kSkipping;
    play_.dice_of = "instantaneous";
    play_.dice_run = 0;
    look_for_places(effort.samples / 4);
    while (!places_.empty() && result_.samples < effort.samples && !result_.violated) {
      if (!guess_once()) break;
    }
  }

  SequentialResult result() const {
    SequentialResult result = result_;
    if (places_.empty()) return result;
    result.lower_bound = gave_up_ ? 0 : certified_.epsilon();
    result.violated = result_.violated && !gave_up_;
    const auto most =
        std::max_element(tries_.begin(), tries_.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    result.pair = places_[most == tries_.end() ? 0 : most->first].name;
    result.guessed_by = "the next action, given all before it";
    return result;
  }

 private:
  std::vector<double> run_on(std::size_t pair, bool one) {
    play_.run = static_cast<std::uint64_t>(result_.samples++);
    const Pair& tables = pairs_[pair];
    return actions_of(watch(play_, one ? tables.one : tables.other, nullptr, Look::kActions),
                      size_);
  }

  /// Histories that come up often enough on both tables, and after which something is left to be decided: those that
  /// promise most for a run.
  void look_for_places(std::int64_t runs) {
    constexpr double kRarest = 0.01;
    constexpr std::size_t kMost = 6;
    const std::int64_t each = std::max<std::int64_t>(20, runs / std::ssize(pairs_));
    std::vector<std::pair<double, Place>> found;
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      std::map<std::vector<double>, Counts> histories;
      for (std::int64_t i = 0; i < each; ++i) {
        const bool one = i % 2 == 0;
        const std::vector<double> actions = run_on(pair, one);
        std::vector<double> before;
        for (const double action : actions) {
          histories[before].add(one, action);
          before.push_back(action);
          // What came up once will hardly come up again.
          if (i > 40 && !histories.contains(before)) break;
        }
      }
      for (auto& [history, counts] : histories) {
        const double fewer = std::min(counts.runs(true), counts.runs(false));
        const double frequency = fewer / (static_cast<double>(each) / 2);
        if (counts.actions() < 2 || frequency < kRarest || fewer < 10) continue;
        const double worth = counts.worth(claim_) + 1e-6 * counts.worth(claim_ / 4);
        found.emplace_back(worth * frequency,
                           Place{pair, history, name_of(pair, history), counts, frequency});
      }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    if (found.size() > kMost) found.erase(found.begin() + kMost, found.end());
    for (auto& [worth, place] : found) places_.push_back(std::move(place));
  }

  std::string name_of(std::size_t pair, const std::vector<double>& history) const {
    if (history.empty()) return pairs_[pair].name + ", at the start";
    if (size_ > 1) return fmt::format("{}, after {} rounds", pairs_[pair].name, history.size());
    std::vector<int> arms;
    for (const double action : history) arms.push_back(static_cast<int>(action) + 1);
    constexpr std::size_t kShown = 12;
    const bool cut = arms.size() > kShown;
    if (cut) arms.erase(arms.begin(), arms.end() - kShown);
    return fmt::format("{}, after {}{}", pairs_[pair].name, cut ? "... " : "",
                       fmt::join(arms, " "));
  }

  /// Where a run promises most by now; against the claim, or the smallest that is not refuted.
  std::size_t best_place() const {
    std::size_t best = 0;
    std::pair<double, double> most{-1, -1};
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Place& place = places_[i];
      const std::pair worth{place.frequency * place.counts.worth(claim_),
                            place.frequency * place.counts.worth(certified_.next())};
      if (worth > most) {
        most = worth;
        best = i;
      }
    }
    return best;
  }

  /// A table by a coin, played until the history comes up. False: it takes too long.
  bool guess_once() {
    constexpr int kPatience = 5000;
    const std::size_t at = best_place();
    Place& place = places_[at];
    const bool one = random::bernoulli(coins_, 0.5);
    for (int i = 0; i < kPatience; ++i) {
      const std::vector<double> actions = run_on(place.pair, one);
      const auto given = static_cast<std::ptrdiff_t>(place.history.size());
      if (std::ssize(actions) <= given ||
          !std::equal(place.history.begin(), place.history.end(), actions.begin())) {
        continue;
      }
      const double action = actions[place.history.size()];
      const double odds = place.counts.log_odds(action);
      certified_.add(one, {odds, odds});
      place.counts.add(one, action);
      ++tries_[at];
      result_.violated = certified_.epsilon() >= claim_;
      return true;
    }
    gave_up_ = true;
    return false;
  }

  Play play_;
  std::size_t size_;
  double claim_;
  std::vector<Pair> pairs_;
  Certified certified_;
  random::SimulationStream coins_;
  std::vector<Place> places_;
  std::map<std::size_t, std::int64_t> tries_;
  bool gave_up_ = false;
  SequentialResult result_;
};

}  // namespace

std::optional<accounting::Cost> instantaneous_claim_of(const Play& play) {
  const policies::Card& card = play.entry.card;
  if (card.trust == policies::Trust::kNone) return std::nullopt;
  std::optional<accounting::Cost> claim;
  policies::Setting setting = play.setting;
  // Its delta is of the accounting, not of the noise: without one there is the plain sum of its costs.
  if (std::holds_alternative<curators::IntervalPlan>(play.plan())) setting.delta = 1e-300;
  const privacy::Guarantee checked =
      play.entry.guarantee(setting, play.parameters, play.arithmetic);
  if (checked.is_private() && checked.delta == 0) {
    const accounting::Privacy converted =
        accounting::convert({checked.notion, checked.epsilon, 0}, privacy::Notion::kInstantaneous,
                            play.setting.horizon);
    claim = accounting::Cost{converted.epsilon, 0};
  }
  if (card.published.notion == privacy::Notion::kInstantaneous) {
    const double published = card.published.epsilon_multiple * *play.setting.epsilon;
    if (!claim || published < claim->epsilon) claim = accounting::Cost{published, 0};
  }
  return claim;
}

SequentialResult guess_actions(const Play& play, double claim, const Effort& effort) {
  return Guesses(play, claim, effort).result();
}

AuditResult instantaneous_audit(const Play& play, const Effort& effort) {
  const auto claim = instantaneous_claim_of(play);
  if (!claim) {
    AuditResult baseline;
    baseline.guesses = guess_actions(play, *play.setting.epsilon, effort);
    return baseline;
  }
  AuditResult result = replay_audit(play, effort.error / 2);
  result.claimed = claim;
  if (result.verdict == Verdict::kNothingSeen) return result;
  Effort guessing = effort;
  guessing.error = effort.error / 2;
  result.guesses = guess_actions(play, claim->epsilon, guessing);
  if (result.guesses.violated) result.verdict = Verdict::kViolated;
  return result;
}

}  // namespace tacit::audit
