#include "tacit/audit/law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "tacit/audit/declared.hpp"
#include "tacit/audit/logarithms.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::audit {
namespace {

/// How many releases are looked at one by one.
constexpr std::size_t kPlaces = 12;

/// The e-process of one place, or of all.
class Process {
 public:
  void add(const PerFactor& log_chances) {
    for (std::size_t i = 0; i < kFactors.size(); ++i) logs_[i] += log_chances[i] - log_chances[0];
  }
  /// The average over factors; the first, which is 1 for ever, is none.
  double log_value() const { return log_mean(std::span(logs_).subspan<1>()); }
  double likeliest_factor() const {
    const auto best = std::max_element(logs_.begin(), logs_.end());
    return kFactors[static_cast<std::size_t>(best - logs_.begin())];
  }

 private:
  PerFactor logs_{};
};

/// Noises of one run that cancel: two, or three. Counted by their places and signs.
class Cancelling {
 public:
  /// The first that has cancelled in so many runs, in words.
  std::optional<std::string> add(const std::vector<double>& noises, int often) {
    constexpr double kNothing = 1e-9;
    const auto again = [&](double sum, std::array<int, 3> which) {
      return std::abs(sum) < kNothing && ++seen_[which] >= often;
    };
    const int count = static_cast<int>(std::min(noises.size(), kPlaces));
    const auto noise = [&](int place) { return noises[static_cast<std::size_t>(place - 1)]; };
    for (int a = 1; a <= count; ++a) {
      for (int b = 1; b < a; ++b) {
        for (const int sign : {-1, 1}) {
          const double two = noise(a) + sign * noise(b);
          if (again(two, {a, sign * b, 0}))
            return fmt::format("the noises of releases {} and {} are the same", b, a);
          for (int c = 1; c < b; ++c) {
            for (const int other : {-1, 1}) {
              if (again(two + other * noise(c), {a, sign * b, other * c}))
                return fmt::format("the noises of releases {}, {} and {} cancel", c, b, a);
            }
          }
        }
      }
    }
    return std::nullopt;
  }

 private:
  std::map<std::array<int, 3>, int> seen_;
};

/// Leads of all sizes.
Rows random_rows(const Play& play) {
  auto stream =
      random::SimulationKey(play.seed, "law", "table", play.run).stream(random::Purpose::kOutcomes);
  Rows rows = constant_rows(play.setting.horizon, play.setting.arms, 0);
  for (auto& row : rows) {
    for (double& outcome : row)
      outcome = random::bernoulli(stream, &outcome == row.data() ? 0.75 : 0.25) ? 1 : 0;
  }
  return rows;
}

}  // namespace

LawResult law_audit(const Play& asked, int most_samples, double error) {
  LawResult result;
  result.evidence = -std::numeric_limits<double>::infinity();
  const Declared declared(asked.plan());
  const int often = asked.arithmetic == privacy::Arithmetic::kIdealised ? 2 : 8;
  std::array<Process, kPlaces> of_places;
  Process of_all;
  Cancelling cancelling;
  // Half of the error for all releases, half for the places.
  const double share_of_a_place = 0.5 / static_cast<double>(kPlaces);
  const auto weigh = [&](const Process& process, double share, const std::string& what) {
    const double evidence = process.log_value() + std::log(share);
    result.evidence = std::max(result.evidence, evidence);
    if (evidence < std::log(1 / error) || !result.complaint.empty()) return;
    result.complaint = fmt::format("{}: the noise is rather {} times what is declared", what,
                                   process.likeliest_factor());
  };
  Play play = asked;
  for (; result.samples < most_samples && result.complaint.empty(); ++play.run) {
    const Watched run = watch(play, random_rows(play), nullptr, Look::kReleases);
    ++result.samples;
    const auto found = cancelling.add(declared.noises(run.told), often);
    if (found) result.complaint = *found;
    for (const Piece& piece : declared.pieces(run.told, run.told)) {
      ++result.released;
      of_all.add(piece.log_chances);
      if (piece.told >= kPlaces) continue;
      of_places[piece.told].add(piece.log_chances);
      weigh(of_places[piece.told], share_of_a_place, fmt::format("release {}", piece.told + 1));
    }
    weigh(of_all, 0.5, "all releases");
  }
  return result;
}

}  // namespace tacit::audit
