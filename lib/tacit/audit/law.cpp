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
#include "tacit/core/slot.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::audit {
namespace {

/// How many releases are looked at one by one.
constexpr std::size_t kPlaces = 12;

/// The e-process of one place, or of all.
class Process {
 public:
  void add(const Piece& piece) {
    for (std::size_t i = 0; i < kFactors.size(); ++i)
      factors_[i] += piece.log_chances[i] - piece.log_chances[0];
    for (std::size_t i = 0; i < kLeans.size(); ++i) leans_[i] += std::log1p(kLeans[i] * piece.sign);
  }
  /// The average over factors, but for the first, which is 1 for ever, and over leans.
  double log_value() const {
    return log_mean(std::array{log_mean(std::span(factors_).subspan<1>()), log_mean(leans_)});
  }
  std::string in_words() const {
    const auto factor = std::max_element(factors_.begin(), factors_.end());
    if (*std::max_element(leans_.begin(), leans_.end()) > *factor)
      return "the noise leans to one side";
    return fmt::format("the noise is rather {} times what is declared",
                       kFactors[static_cast<std::size_t>(factor - factors_.begin())]);
  }

 private:
  /// Bets that a noise is above 0, or below.
  static constexpr std::array kLeans{0.9, 0.4, -0.4, -0.9};

  PerFactor factors_{};
  std::array<double, kLeans.size()> leans_{};
};

/// Noises of one run that cancel: two, or three. Counted by their places and signs.
class Cancelling {
 public:
  /// The first that has cancelled in so many runs, in words.
  std::optional<std::string> add(const std::vector<Noise>& noises, int often) {
    constexpr double kNothing = 1e-9;
    std::vector<Noise> first;
    for (const Noise& noise : noises) {
      if (noise.k < kOfAnArm) first.push_back(noise);
    }
    const auto again = [&](double sum, const Noise& a, int b, int c) {
      return std::abs(sum) < kNothing && ++seen_[{place(a), b, c}] >= often;
    };
    for (std::size_t a = 0; a < first.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        for (const int sign : {-1, 1}) {
          const double two = first[a].value + sign * first[b].value;
          if (again(two, first[a], sign * place(first[b]), 0))
            return fmt::format("the noises of {} and {} are the same", name(first[b]),
                               name(first[a]));
          for (std::size_t c = 0; c < b; ++c) {
            for (const int other : {-1, 1}) {
              if (again(two + other * first[c].value, first[a], sign * place(first[b]),
                        other * place(first[c])))
                return fmt::format("the noises of {}, {} and {} cancel", name(first[c]),
                                   name(first[b]), name(first[a]));
            }
          }
        }
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kOfAnArm = 12;

  /// From 1 on: the same in every run.
  static int place(const Noise& noise) {
    return (noise.arm + 1) * static_cast<int>(kOfAnArm) + static_cast<int>(noise.k) + 1;
  }
  static std::string name(const Noise& noise) {
    return noise.arm == kAllArms ? fmt::format("value {}", noise.k + 1)
                                 : fmt::format("arm {}'s release {}", noise.arm, noise.k + 1);
  }

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

/// A run; if it must be, with a learner that is told what came out of another one.
Watched look(const Play& play, bool told_of_another) {
  const Rows rows = random_rows(play);
  if (!told_of_another) return watch(play, rows, nullptr, Look::kReleases);
  Play other = play;
  other.run = ~play.run;
  const Watched told = watch(other, rows, nullptr, Look::kReleases);
  return watch(play, rows, &told.told, Look::kReleases);
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
    result.complaint = fmt::format("{}: {}", what, process.in_words());
  };
  Play play = asked;
  for (; result.samples < most_samples && result.complaint.empty(); ++play.run) {
    const Watched run = look(play, declared.looks_ahead());
    ++result.samples;
    const auto found = cancelling.add(declared.noises(run.told), often);
    if (found) result.complaint = *found;
    for (const Piece& piece : declared.pieces(run.told, run.told)) {
      ++result.released;
      of_all.add(piece);
      if (piece.told >= kPlaces) continue;
      of_places[piece.told].add(piece);
      weigh(of_places[piece.told], share_of_a_place, fmt::format("release {}", piece.told + 1));
    }
    weigh(of_all, 0.5, "all releases");
  }
  return result;
}

}  // namespace tacit::audit
