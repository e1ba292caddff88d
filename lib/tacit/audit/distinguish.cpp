#include "tacit/audit/distinguish.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <boost/math/distributions/beta.hpp>

#include "tacit/core/check.hpp"

namespace tacit::audit {
namespace {

using Sample = std::span<const Observation>;

constexpr std::size_t kPlaces = 40;       // looked at from the start of a list
constexpr std::size_t kCells = 16;        // of a place with many values
constexpr std::size_t kWholeLists = 256;  // told apart as a whole

/// A number that two different lists share only by accident.
double code_of(const Observation& run) {
  double code = 1;
  for (const double value : run) code = std::fmod(code * 1.6180339887 + value * 0.7548776662, 1e6);
  return code;
}

/// One number of a run; absent ones are NaN.
struct Feature {
  enum class Kind { kPlace, kDifference, kLength, kWhole };
  Kind kind;
  std::size_t place = 0;

  double of(const Observation& run) const {
    constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
    switch (kind) {
      case Kind::kPlace: return place < run.size() ? run[place] : kAbsent;
      case Kind::kDifference: return place + 1 < run.size() ? run[place + 1] - run[place] : kAbsent;
      case Kind::kLength: return static_cast<double>(run.size());
      case Kind::kWhole: return code_of(run);
    }
    return kAbsent;
  }
  std::string name() const {
    switch (kind) {
      case Kind::kPlace: return fmt::format("place {}", place + 1);
      case Kind::kDifference: return fmt::format("the step from place {} to the next", place + 1);
      case Kind::kLength: return "the length";
      case Kind::kWhole: return "the whole list";
    }
    return "";
  }
};

/// Cells of a feature's values, each with its log-likelihood ratio.
class Cells {
 public:
  Cells(const Feature& feature, Sample one, Sample other) : feature_(feature) {
    std::vector<double> values;
    for (const Sample& sample : {one, other}) {
      for (const Observation& run : sample) {
        const double value = feature.of(run);
        if (!std::isnan(value)) values.push_back(value);
      }
    }
    std::sort(values.begin(), values.end());
    std::map<double, std::size_t> distinct;
    const std::size_t most = feature.kind == Feature::Kind::kWhole ? kWholeLists : kCells;
    for (const double value : values) {
      if (distinct.size() > most) break;
      ++distinct[value];
    }
    if (distinct.size() <= most) {
      for (const auto& [value, count] : distinct) edges_.push_back(value);
    } else if (feature.kind == Feature::Kind::kWhole) {
      useful_ = false;  // too many lists to know any of them
      return;
    } else {
      for (std::size_t i = 0; i < kCells; ++i) edges_.push_back(values[i * values.size() / kCells]);
    }
    useful_ = edges_.size() > 1 || values.size() < one.size() + other.size();
    if (!useful_) return;
    std::vector<double> counts_one(edges_.size() + 2, 0.5);
    std::vector<double> counts_other(edges_.size() + 2, 0.5);
    for (const Observation& run : one) ++counts_one[cell(run)];
    for (const Observation& run : other) ++counts_other[cell(run)];
    ratios_.resize(counts_one.size());
    for (std::size_t i = 0; i < ratios_.size(); ++i) {
      ratios_[i] = std::log(counts_one[i] / counts_other[i]);
    }
  }

  bool useful() const { return useful_; }
  const Feature& feature() const { return feature_; }
  double score(const Observation& run) const { return ratios_[cell(run)]; }

 private:
  /// 0 for an absent value, 1 below the first edge.
  std::size_t cell(const Observation& run) const {
    const double value = feature_.of(run);
    if (std::isnan(value)) return 0;
    return 1 + static_cast<std::size_t>(std::upper_bound(edges_.begin(), edges_.end(), value) -
                                        edges_.begin());
  }

  Feature feature_;
  bool useful_ = false;
  std::vector<double> edges_;
  std::vector<double> ratios_;
};

double certified(std::int64_t one, std::int64_t other, std::int64_t runs, double delta,
                 double error) {
  const double low = lower_chance(one, runs, error / 2) - delta;
  const double high = upper_chance(other, runs, error / 2);
  return low > 0 ? std::log(low / high) : -std::numeric_limits<double>::infinity();
}

struct Event {
  std::string name;
  std::vector<const Cells*> cells;  // whose scores add up
  double at_least = 0;

  double score(const Observation& run) const {
    double sum = 0;
    for (const Cells* c : cells) sum += c->score(run);
    return sum;
  }
  std::int64_t count(Sample sample) const {
    return std::count_if(sample.begin(), sample.end(),
                         [this](const Observation& run) { return score(run) >= at_least; });
  }
};

/// The threshold that certifies most on a sample, and how much.
double choose_threshold(Event& event, Sample one, Sample other, double delta, double error) {
  const auto scores = [&](Sample sample) {
    std::vector<double> all;
    all.reserve(sample.size());
    for (const Observation& run : sample) all.push_back(event.score(run));
    std::sort(all.begin(), all.end());
    return all;
  };
  const std::vector<double> of_one = scores(one);
  const std::vector<double> of_other = scores(other);
  const auto at_least = [](const std::vector<double>& sorted, double c) {
    return static_cast<std::int64_t>(sorted.end() -
                                     std::lower_bound(sorted.begin(), sorted.end(), c));
  };
  // Thresholds at quantiles of the first sample, the far ones closer together.
  double best = -std::numeric_limits<double>::infinity();
  double share = 1;
  double tried = std::numeric_limits<double>::quiet_NaN();
  const auto runs = static_cast<std::int64_t>(one.size());
  while (share * static_cast<double>(runs) > 10) {
    share *= 0.9;
    const auto rank =
        static_cast<std::size_t>((1 - share) * static_cast<double>(of_one.size() - 1));
    const double c = of_one[rank];
    if (c == tried) continue;
    tried = c;
    const double value = certified(at_least(of_one, c), at_least(of_other, c), runs, delta, error);
    if (value > best) {
      best = value;
      event.at_least = c;
    }
  }
  return best;
}

}  // namespace

double lower_chance(std::int64_t count, std::int64_t trials, double error) {
  if (count == 0) return 0;
  const boost::math::beta_distribution<> law(static_cast<double>(count),
                                             static_cast<double>(trials - count + 1));
  return boost::math::quantile(law, error);
}

double upper_chance(std::int64_t count, std::int64_t trials, double error) {
  if (count == trials) return 1;
  const boost::math::beta_distribution<> law(static_cast<double>(count + 1),
                                             static_cast<double>(trials - count));
  return boost::math::quantile(boost::math::complement(law, error));
}

Observation abridged(Observation run) {
  if (run.size() <= kPlaces) return run;
  Observation kept(run.begin(), run.begin() + kPlaces / 2 - 1);
  kept.push_back(code_of(run));
  kept.insert(kept.end(), run.end() - kPlaces / 2, run.end());
  return kept;
}

Certified distinguish(const std::vector<Observation>& one, const std::vector<Observation>& other,
                      double delta, double error) {
  check::at_least("distinguish", "observations", static_cast<std::int64_t>(one.size()), 100);
  check::at_least("distinguish", "observations", static_cast<std::int64_t>(other.size()),
                  static_cast<std::int64_t>(one.size()));
  const std::size_t quarter = one.size() / 4;
  const auto part = [&](const std::vector<Observation>& runs, std::size_t from, std::size_t to) {
    return Sample(runs).subspan(from * quarter, (to - from) * quarter);
  };
  std::size_t longest = 0;
  for (const Observation& run : part(one, 0, 1)) longest = std::max(longest, run.size());
  for (const Observation& run : part(other, 0, 1)) longest = std::max(longest, run.size());

  std::vector<Feature> features;
  for (std::size_t i = 0; i < std::min(longest, kPlaces); ++i) {
    features.push_back({Feature::Kind::kPlace, i});
  }
  const std::size_t places = features.size();
  for (std::size_t i = 0; i + 1 < places; ++i) features.push_back({Feature::Kind::kDifference, i});
  features.push_back({Feature::Kind::kLength});
  features.push_back({Feature::Kind::kWhole});
  std::vector<Cells> cells;
  cells.reserve(features.size());
  for (const Feature& f : features) cells.emplace_back(f, part(one, 0, 1), part(other, 0, 1));

  std::vector<Event> events;
  Event all{"all places together", {}, 0};
  for (const Cells& c : cells) {
    if (!c.useful()) continue;
    if (c.feature().kind == Feature::Kind::kPlace) all.cells.push_back(&c);
    events.push_back({c.feature().name(), {&c}, 0});
  }
  if (all.cells.size() > 1) events.push_back(all);
  std::optional<Event> chosen;
  double best = -std::numeric_limits<double>::infinity();
  for (Event& event : events) {
    const double value = choose_threshold(event, part(one, 1, 2), part(other, 1, 2), delta, error);
    if (value > best) {
      best = value;
      chosen = event;
    }
  }
  if (!chosen) return {0, "nothing tells them apart", 1, 1};
  const Sample test_one = part(one, 2, 4);
  const Sample test_other = part(other, 2, 4);
  const std::int64_t in_one = chosen->count(test_one);
  const std::int64_t in_other = chosen->count(test_other);
  const auto runs = static_cast<std::int64_t>(test_one.size());
  return {std::max(0.0, certified(in_one, in_other, runs, delta, error)),
          fmt::format("the log-likelihood ratio of {} is at least {:.3g}", chosen->name,
                      chosen->at_least),
          static_cast<double>(in_one) / static_cast<double>(runs),
          static_cast<double>(in_other) / static_cast<double>(runs)};
}

}  // namespace tacit::audit
