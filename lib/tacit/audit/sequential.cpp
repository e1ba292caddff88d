#include "tacit/audit/sequential.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "tacit/audit/against.hpp"
#include "tacit/audit/certified.hpp"
#include "tacit/audit/declared.hpp"
#include "tacit/audit/learned.hpp"
#include "tacit/audit/logarithms.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/simulation/in_parallel.hpp"

namespace tacit::audit {
namespace {

PerFactor total(const std::vector<Piece>& pieces) {
  PerFactor sums{};
  for (const Piece& piece : pieces) {
    for (std::size_t i = 0; i < kFactors.size(); ++i) sums[i] += piece.log_chances[i];
  }
  return sums;
}

PerFactor operator+(PerFactor a, const PerFactor& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

/// What is known of a pair: how much a run on it promised so far, against the claim and against the smallest that is not
/// refuted.
struct Worth {
  double promised = 0;
  double promised_next = 0;
  std::int64_t runs = 0;

  std::pair<double, double> mean() const {
    const auto count = static_cast<double>(std::max<std::int64_t>(1, runs));
    return {promised / count, promised_next / count};
  }
};

/// Every pair twice; then the one that promises most, and now and then another: often, while none promises anything against
/// the claim.
std::size_t next_pair(const std::vector<Worth>& worths, std::int64_t run) {
  constexpr std::int64_t kEach = 2;
  const auto count = static_cast<std::int64_t>(worths.size());
  const auto best =
      std::max_element(worths.begin(), worths.end(),
                       [](const Worth& a, const Worth& b) { return a.mean() < b.mean(); });
  if (run < kEach * count) return static_cast<std::size_t>(run % count);
  const std::int64_t another = best->promised > 0 ? 16 : 2;
  if (run % another == 0) return static_cast<std::size_t>(run / another % count);
  return static_cast<std::size_t>(best - worths.begin());
}

std::vector<Pair> pairs_for(const Play& play) {
  const bool leads = std::holds_alternative<curators::NoisyLeaderPlan>(play.plan());
  return leads ? tables_of_leads(play.setting.arms, play.setting.horizon)
               : neighbouring_tables(play.setting.arms, play.setting.horizon);
}

bool told_alike(const Watched& one, const Watched& other) {
  return std::equal(one.told.begin(), one.told.end(), other.told.begin(), other.told.end(),
                    [](const Told& a, const Told& b) {
                      return a.slot == b.slot && a.n == b.n && a.truth.size() == b.truth.size();
                    });
}

/// A run, and what went in on the other table where the learner was told the same.
struct Played {
  std::size_t pair;
  bool one;
  Watched run;
  Watched other;
};

/// Runs are played some at a time, for threads; what they are does not depend on what comes out of them.
class Runs {
 public:
  Runs(std::span<const Play> ways, std::vector<Pair> pairs, int threads)
      : ways_(ways.begin(), ways.end()),
        pairs_(std::move(pairs)),
        threads_(threads),
        coins_(random::SimulationKey(ways[0].seed, "sequential", "coins", 0)
                   .stream(random::Purpose::kOutcomes)) {}

  const std::vector<Pair>& pairs() const { return pairs_; }

  Played play_on(std::size_t pair, int run) {
    Played played{pair, random::bernoulli(coins_, 0.5), {}, {}};
    fill(played, static_cast<std::uint64_t>(run));
    return played;
  }
  std::vector<Played> play(const std::vector<Worth>& worths, std::int64_t first,
                           std::int64_t count) {
    std::vector<Played> played;
    for (std::int64_t run = first; run < first + count; ++run)
      played.push_back({next_pair(worths, run), random::bernoulli(coins_, 0.5), {}, {}});
    simulation::in_parallel(count, threads_, [&](std::int64_t i) {
      fill(played[static_cast<std::size_t>(i)], static_cast<std::uint64_t>(first + i));
    });
    return played;
  }

 private:
  void fill(Played& played, std::uint64_t run) const {
    Play play = ways_[run % ways_.size()];
    play.run = run;
    const Pair& pair = pairs_[played.pair];
    played.run = watch(play, played.one ? pair.one : pair.other, nullptr, Look::kActions);
    if (play.entry.is_its_own_curator) return;  // there is no law that could tell it from the other
    played.other =
        watch(play, played.one ? pair.other : pair.one, &played.run.told, Look::kReleases);
  }

  std::vector<Play> ways_;
  std::vector<Pair> pairs_;
  int threads_;
  random::SimulationStream coins_;
};

/// ln of how likely a run is on the table that it was played on, and on the other, with noise of every factor.
struct Likelihoods {
  PerFactor as_played;
  PerFactor otherwise;
};
std::optional<Likelihoods> likelihoods(const Declared& declared, const Played& played) {
  if (!told_alike(played.run, played.other)) return std::nullopt;
  return Likelihoods{total(declared.pieces(played.run.told, played.run.told)),
                     total(declared.pieces(played.run.told, played.other.told))};
}

/// The guess by the declared law. All sizes of the noise are possible, the likelier the better they explain the runs
/// so far.
class LawGuess {
 public:
  explicit LawGuess(const curators::Plan& plan) : declared_(plan) {}

  /// ln of the odds for the table that was played. Then the run is learned from.
  double log_odds(const Played& played) {
    const auto run = likelihoods(declared_, played);
    if (!run) return 0;  // the replay audit complains of that
    const double odds =
        log_mean(log_weights_ + run->as_played) - log_mean(log_weights_ + run->otherwise);
    log_weights_ = log_weights_ + run->as_played;
    return odds;
  }
  double likeliest_factor() const {
    return kFactors[static_cast<std::size_t>(
        std::max_element(log_weights_.begin(), log_weights_.end()) - log_weights_.begin())];
  }

 private:
  Declared declared_;
  PerFactor log_weights_{};
};

}  // namespace

SequentialResult sequential_audit(std::span<const Play> ways, const accounting::Cost& stated,
                                  const Effort& effort) {
  // A coin may be fair to its last bit. No number of runs tells so little from nothing.
  constexpr double kLeast = 1e-15;
  const accounting::Cost claim{std::max(stated.epsilon, kLeast), stated.delta};
  constexpr std::int64_t kMostAtATime = 256;
  SequentialResult result;
  const bool by_law_too = !ways[0].entry.is_its_own_curator;
  Runs runs(ways, pairs_for(ways[0]), effort.threads);
  std::vector<Worth> worths(runs.pairs().size());
  LawGuess law(ways[0].plan());
  LearnedGuess learned(runs.pairs().size(), claim.epsilon);
  Certified certified(claim.epsilon, claim.delta, effort.error);
  double promised_by_law = 0;
  double promised_by_learning = 0;
  while (result.samples < effort.samples && !result.violated) {
    const std::int64_t at_a_time =
        std::min(std::clamp<std::int64_t>(result.samples / 16, 1, kMostAtATime),
                 effort.samples - result.samples);
    for (const Played& played : runs.play(worths, result.samples, at_a_time)) {
      const Seen seen =
          by_law_too ? seen_of(played.run, ways[0].setting.arms) : actions_of(played.run);
      const Guess guess{by_law_too ? law.log_odds(played) * (played.one ? 1 : -1) : 0.0,
                        learned.log_odds(played.pair, seen)};
      learned.learn(played.pair, played.one, seen);
      Worth& worth = worths[played.pair];
      const double by_law = promise(claim.epsilon, guess.by_law);
      const double by_what_is_seen = promise(claim.epsilon, guess.learned);
      promised_by_law += by_law;
      promised_by_learning += by_what_is_seen;
      worth.promised += std::max(by_law, by_what_is_seen);
      worth.promised_next += std::max(promise(certified.next(), guess.by_law),
                                      promise(certified.next(), guess.learned));
      ++worth.runs;
      certified.add(played.one, guess);
      ++result.samples;
      result.violated = certified.epsilon() >= claim.epsilon;
      if (result.violated) break;
    }
  }
  result.lower_bound = certified.epsilon();
  const auto most = std::max_element(
      worths.begin(), worths.end(), [](const Worth& a, const Worth& b) { return a.runs < b.runs; });
  result.pair = runs.pairs()[static_cast<std::size_t>(most - worths.begin())].name;
  const bool by_learning = promised_by_learning > promised_by_law && !learned.by().empty();
  result.guessed_by = by_learning  ? learned.by()
                      : by_law_too ? "the declared law of the noise"
                                   : "nothing";
  result.factor = law.likeliest_factor();
  return result;
}

double information(const Play& play, double epsilon, double factor, int runs) {
  const auto which = static_cast<std::size_t>(std::find(kFactors.begin(), kFactors.end(), factor) -
                                              kFactors.begin());
  const Declared declared(play.plan());
  const std::vector<Pair> pairs = pairs_for(play);
  Runs played(std::span(&play, 1), pairs, 1);
  double most = 0;
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    double sum = 0;
    for (int run = 0; run < runs; ++run) {
      const auto found = likelihoods(declared, played.play_on(pair, run));
      if (found) sum += promise(epsilon, found->as_played[which] - found->otherwise[which]);
    }
    most = std::max(most, sum / runs);
  }
  return most;
}

}  // namespace tacit::audit
