#include "tacit/audit/learned.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "tacit/audit/against.hpp"

namespace tacit::audit {
namespace {

constexpr std::size_t kPlaces = 40;       // looked at one by one
constexpr std::size_t kInPairs = 12;      // and two by two
constexpr std::size_t kCells = 16;        // of a number with many values
constexpr std::size_t kWholeLists = 256;  // told apart as a whole
constexpr std::size_t kFewest = 32;       // runs before the first guess
constexpr std::size_t kKept = 2048;       // runs of a pair by which cells are cut
constexpr double kBetterThanByAccident = 3;
constexpr double kRemembered =
    1 - 1.0 / 512;            // of a score, after a run: early guesses are bad ones
constexpr double kPrior = 1;  // of every cell and either table

/// One number of a run; absent ones are NaN.
struct Feature {
  enum class Kind { kAction, kActions, kValue, kSum, kDifference, kCount, kValues };
  Kind kind;
  std::size_t place = 0;
  std::size_t other = 0;

  double of(const Seen& seen) const {
    const auto at = [](const Observation& list, std::size_t i) {
      return i < list.size() ? list[i] : std::numeric_limits<double>::quiet_NaN();
    };
    switch (kind) {
      case Kind::kAction: return at(seen.actions, place);
      case Kind::kActions: return code_of(first(seen.actions));
      case Kind::kValue: return at(seen.shown, place);
      case Kind::kSum: return at(seen.shown, place) + at(seen.shown, other);
      case Kind::kDifference: return at(seen.shown, place) - at(seen.shown, other);
      case Kind::kCount: return static_cast<double>(seen.shown.size());
      case Kind::kValues: return code_of(first(seen.shown));
    }
    return 0;
  }
  /// As many as `place` says; 0: all.
  std::span<const double> first(const Observation& list) const {
    return std::span(list).first(place == 0 ? list.size() : std::min(place, list.size()));
  }
  bool is_whole() const { return kind == Kind::kActions || kind == Kind::kValues; }
  std::string list_name(const char* what) const {
    return place == 0 ? fmt::format("the list of {}", what)
                      : fmt::format("the first {} {}", place, what);
  }
  std::string name() const {
    switch (kind) {
      case Kind::kAction: return fmt::format("the action at place {}", place + 1);
      case Kind::kActions: return list_name("actions");
      case Kind::kValue: return fmt::format("the value at place {}", place + 1);
      case Kind::kSum: return fmt::format("the sum of values {} and {}", other + 1, place + 1);
      case Kind::kDifference:
        return fmt::format("the difference of values {} and {}", other + 1, place + 1);
      case Kind::kCount: return "the number of values";
      case Kind::kValues: return list_name("values");
    }
    return "";
  }
};

std::vector<Feature> all_features() {
  using Kind = Feature::Kind;
  std::vector<Feature> features;
  for (std::size_t i = 0; i < kPlaces; ++i) features.push_back({Kind::kValue, i});
  for (std::size_t i = 0; i < kPlaces; ++i) features.push_back({Kind::kAction, i});
  for (std::size_t i = 0; i < kInPairs; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      features.push_back({Kind::kSum, i, j});
      features.push_back({Kind::kDifference, i, j});
    }
  }
  features.push_back({Kind::kCount});
  for (const std::size_t first : {0, 2, 3, 4, 6, 8}) {
    features.push_back({Kind::kActions, first});
    features.push_back({Kind::kValues, first});
  }
  return features;
}

/// How often either table was behind a number.
class Cells {
 public:
  /// Cut by these values, which are sorted.
  void cut(std::span<const double> sorted, bool whole) {
    edges_.clear();
    std::unique_copy(sorted.begin(), sorted.end(), std::back_inserter(edges_));
    if (edges_.size() > (whole ? kWholeLists : kCells)) {
      edges_.clear();
      for (std::size_t i = 0; i < kCells && !whole; ++i)
        edges_.push_back(sorted[i * sorted.size() / kCells]);
    }
    counts_.assign(edges_.size() + 2, {kPrior, kPrior});
  }
  bool is_cut() const { return !counts_.empty(); }
  void count(double value, bool one) { counts_[cell(value)][one ? 0 : 1] += 1; }
  double log_odds(double value) const {
    const auto& [one, other] = counts_[cell(value)];
    const double odds = std::log(one / other);
    // Nearer to 0 by what counts so small can be out by: a bet on an accident is lost.
    const double out_by = std::sqrt(1 / one + 1 / other);
    return std::copysign(std::max(0.0, std::abs(odds) - out_by), odds);
  }

 private:
  /// 0 for an absent value, 1 below the first edge.
  std::size_t cell(double value) const {
    if (std::isnan(value)) return 0;
    return 1 + static_cast<std::size_t>(std::upper_bound(edges_.begin(), edges_.end(), value) -
                                        edges_.begin());
  }

  std::vector<double> edges_;
  std::vector<std::array<double, 2>> counts_;
};

struct Run {
  bool one;
  Seen seen;
};

/// Of one pair: the runs by which cells are cut, at each doubling of their number, and the cells of every feature.
struct OfAPair {
  std::vector<Run> runs;
  std::vector<Cells> cells;
};

}  // namespace

class LearnedGuess::Guessers {
 public:
  Guessers(std::size_t pairs, double epsilon)
      : epsilon_(epsilon),
        features_(all_features()),
        pairs_(pairs),
        scores_(features_.size() + kTogether.size()) {
    for (OfAPair& pair : pairs_) pair.cells.resize(features_.size());
  }

  double log_odds(std::size_t pair, const Seen& seen) const {
    const std::size_t best = leader();
    return scores_[best] > kBetterThanByAccident ? all_odds(pairs_[pair], seen)[best] : 0;
  }

  void learn(std::size_t number, bool one, const Seen& seen) {
    OfAPair& pair = pairs_[number];
    const std::vector<double> odds = all_odds(pair, seen);
    for (std::size_t i = 0; i < scores_.size(); ++i)
      scores_[i] = kRemembered * scores_[i] + log_gain(epsilon_, one, odds[i]);
    if (pair.cells[0].is_cut()) {
      for (std::size_t i = 0; i < features_.size(); ++i)
        pair.cells[i].count(features_[i].of(seen), one);
    }
    if (pair.runs.size() == kKept) return;
    pair.runs.push_back({one, seen});
    if (pair.runs.size() >= kFewest && std::has_single_bit(pair.runs.size())) cut(pair);
  }

  std::string by() const {
    const std::size_t best = leader();
    if (scores_[best] <= kBetterThanByAccident) return "";
    return best < features_.size() ? features_[best].name() : kTogether[best - features_.size()];
  }

 private:
  std::size_t leader() const {
    return static_cast<std::size_t>(std::max_element(scores_.begin(), scores_.end()) -
                                    scores_.begin());
  }

  /// Of every feature, and of several together.
  std::vector<double> all_odds(const OfAPair& pair, const Seen& seen) const {
    std::vector<double> odds(scores_.size(), 0);
    if (!pair.cells[0].is_cut()) return odds;
    double values = 0;
    double actions = 0;
    for (std::size_t i = 0; i < features_.size(); ++i) {
      odds[i] = pair.cells[i].log_odds(features_[i].of(seen));
      if (features_[i].kind == Feature::Kind::kValue) values += odds[i];
      if (features_[i].kind == Feature::Kind::kAction) actions += odds[i];
    }
    std::copy_n(std::array{values, actions, values + actions}.begin(), kTogether.size(),
                odds.begin() + static_cast<std::ptrdiff_t>(features_.size()));
    return odds;
  }

  void cut(OfAPair& pair) const {
    for (std::size_t i = 0; i < features_.size(); ++i) {
      std::vector<double> values;
      for (const Run& run : pair.runs) {
        const double value = features_[i].of(run.seen);
        if (!std::isnan(value)) values.push_back(value);
      }
      std::sort(values.begin(), values.end());
      pair.cells[i].cut(values, features_[i].is_whole());
      for (const Run& run : pair.runs) pair.cells[i].count(features_[i].of(run.seen), run.one);
    }
  }

  static constexpr std::array kTogether{"all values together", "all actions together",
                                        "all values and actions together"};

  double epsilon_;
  std::vector<Feature> features_;
  std::vector<OfAPair> pairs_;
  std::vector<double> scores_;  // of the features, then of several together
};

LearnedGuess::LearnedGuess(std::size_t pairs, double epsilon)
    : guessers_(std::make_unique<Guessers>(pairs, epsilon)) {}
LearnedGuess::~LearnedGuess() = default;
LearnedGuess::LearnedGuess(LearnedGuess&&) noexcept = default;

double LearnedGuess::log_odds(std::size_t pair, const Seen& seen) const {
  return guessers_->log_odds(pair, seen);
}
void LearnedGuess::learn(std::size_t pair, bool one, const Seen& seen) {
  guessers_->learn(pair, one, seen);
}
std::string LearnedGuess::by() const { return guessers_->by(); }

}  // namespace tacit::audit
