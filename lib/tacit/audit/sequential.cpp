#include "tacit/audit/sequential.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "tacit/audit/against.hpp"
#include "tacit/audit/declared.hpp"
#include "tacit/audit/logarithms.hpp"
#include "tacit/random/distributions.hpp"

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

/// What is known of a pair: how much a run on it promised so far.
struct Worth {
  double promised = 0;
  std::int64_t runs = 0;

  double mean() const { return promised / static_cast<double>(runs); }
};

/// Every pair twice; then the one that promises most, and now and then another.
std::size_t next_pair(const std::vector<Worth>& worths, std::int64_t run) {
  constexpr std::int64_t kEach = 2;
  constexpr std::int64_t kAnother = 16;
  const auto count = static_cast<std::int64_t>(worths.size());
  if (run < kEach * count) return static_cast<std::size_t>(run % count);
  if (run % kAnother == 0) return static_cast<std::size_t>(run / kAnother % count);
  const auto best =
      std::max_element(worths.begin(), worths.end(),
                       [](const Worth& a, const Worth& b) { return a.mean() < b.mean(); });
  return static_cast<std::size_t>(best - worths.begin());
}

/// For leaders of epochs, of 1, 2, 4, ... rounds: the last round of an epoch crosswise, where the first arm leads by so
/// much before it.
std::vector<Pair> pairs_of_leads(Round rounds, int arms) {
  std::vector<Pair> pairs;
  Rows::value_type first(static_cast<std::size_t>(arms), 0);
  Rows::value_type last = first;
  first.front() = 1;
  last.back() = 1;
  for (Round length = 2; 2 * length - 1 <= rounds; length *= 2) {
    for (Round lead = 0; lead < length; lead = lead == 0 ? 1 : 2 * lead) {
      Rows rows = constant_rows(rounds, arms, 0);
      const auto begin = static_cast<std::size_t>(length - 1);
      for (std::size_t t = 0; t < static_cast<std::size_t>(lead); ++t) rows[begin + t] = first;
      const auto changed = static_cast<std::size_t>(2 * length - 2);
      Pair pair{fmt::format("last round of an epoch of {} crosswise, a lead of {}", length, lead),
                rows, rows};
      pair.one[changed] = first;
      pair.other[changed] = last;
      pairs.push_back(std::move(pair));
    }
  }
  return pairs;
}

std::vector<Pair> pairs_for(const Play& play) {
  const bool leads = std::holds_alternative<curators::NoisyLeaderPlan>(play.plan());
  return leads ? pairs_of_leads(play.setting.horizon, play.setting.arms)
               : neighbouring_tables(play.setting.arms, play.setting.horizon);
}

bool told_alike(const Watched& one, const Watched& other) {
  return std::equal(one.told.begin(), one.told.end(), other.told.begin(), other.told.end(),
                    [](const Told& a, const Told& b) {
                      return a.slot == b.slot && a.n == b.n && a.truth.size() == b.truth.size();
                    });
}

}  // namespace

SequentialResult sequential_audit(const Play& asked, const accounting::Cost& claim,
                                  std::int64_t most_samples, double error) {
  SequentialResult result;
  const Declared declared(asked.plan());
  const std::vector<Pair> pairs = pairs_for(asked);
  std::vector<Worth> worths(pairs.size());
  AgainstClaim evidence(claim.epsilon, claim.delta);
  PerFactor log_weights{};  // of the factors, by all runs so far
  auto coins = random::SimulationKey(asked.seed, "sequential", "coins", 0)
                   .stream(random::Purpose::kOutcomes);
  Play play = asked;
  for (; result.samples < most_samples && !result.violated; ++play.seed) {
    const std::size_t chosen = next_pair(worths, result.samples);
    const Pair& pair = pairs[chosen];
    const bool one = random::bernoulli(coins, 0.5);
    const Watched run = watch(play, one ? pair.one : pair.other, nullptr, Look::kReleases);
    const Watched other = watch(play, one ? pair.other : pair.one, &run.told, Look::kReleases);
    ++result.samples;
    ++worths[chosen].runs;
    if (!told_alike(run, other)) continue;  // the replay audit complains of that
    const PerFactor as_played = total(declared.pieces(run.told, run.told));
    const PerFactor otherwise = total(declared.pieces(run.told, other.told));
    const double log_odds =
        (log_mean(log_weights + as_played) - log_mean(log_weights + otherwise)) * (one ? 1 : -1);
    result.released += static_cast<Round>(run.told.size());
    worths[chosen].promised += evidence.promise(log_odds);
    evidence.add(one, log_odds);
    log_weights = log_weights + as_played;
    result.log_evidence = evidence.log_value();
    result.violated = result.log_evidence >= std::log(1 / error);
  }
  const auto most = std::max_element(
      worths.begin(), worths.end(), [](const Worth& a, const Worth& b) { return a.runs < b.runs; });
  result.pair = pairs[static_cast<std::size_t>(most - worths.begin())].name;
  result.factor = kFactors[static_cast<std::size_t>(
      std::max_element(log_weights.begin(), log_weights.end()) - log_weights.begin())];
  return result;
}

}  // namespace tacit::audit
