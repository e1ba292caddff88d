#include "tacit/evidence/mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tacit/core/check.hpp"

namespace tacit::evidence {
namespace {

constexpr double kLargestTilt = 2;
constexpr double kStep = 0.5;                             // of ln l
constexpr double kHalfOfTheWeight = 3;                    // in ln l, from the largest tilt on
constexpr double kSharesOfTheEnd[] = {0.97, 0.88, 0.72};  // decreasing
constexpr std::size_t kLeast = 20;                        // tilts that noise allows
constexpr double kNoGuess = -1;
constexpr double kClose = 1e-9;
constexpr double kNegligible = 40;  // nats: what lies so far below the largest adds nothing

Record mirrored(const Record& record) { return {record.n - record.sum, record.n, record.noises}; }

}  // namespace

Mixture::Mixture(const ReleaseLaw& law) : law_(law) {
  const double end = law.noise.below();
  const double too_large = kSharesOfTheEnd[kShares - 1] * end * std::exp(-0.5 * kStep);
  double total = 0;
  double moved = 0;
  // Where noise is so large that the grid would end with what it forbids, the grid goes on.
  for (std::size_t j = 0; j < kGrid || count_ < kLeast; ++j) {
    const double distance = kStep * static_cast<double>(j);
    const double tilt = kLargestTilt * std::exp(-distance);
    const double share = distance / kHalfOfTheWeight;
    const double weight = 1 / (1 + share * share);
    total += weight;
    if (tilt >= too_large) {
      moved += weight;
    } else {
      add_tilt(tilt, weight);
    }
  }
  if (moved > 0) {
    for (const double share : kSharesOfTheEnd) add_tilt(share * end, moved / kShares);
  }
  for (std::size_t j = 0; j < count_; ++j) log_weight_[j] -= std::log(total);
}

void Mixture::add_tilt(double tilt, double weight) {
  tilt_[count_] = tilt;
  lift_[count_] = std::expm1(tilt);
  charge_[count_] = law_.noise.charge(tilt);
  log_weight_[count_] = std::log(weight);
  ++count_;
}

Mixture::Prepared Mixture::prepare(const Record& record) const {
  Prepared prepared{record.n, {}};
  const double noises = law_.noise_a_report ? record.n : record.noises;
  for (std::size_t j = 0; j < count_; ++j) {
    prepared.base[j] = log_weight_[j] + tilt_[j] * record.sum - noises * charge_[j];
  }
  return prepared;
}

Mixture::Prepared Mixture::prepare_mirrored(const Record& record) const {
  return prepare(mirrored(record));
}

/// The logarithms of its terms at this mean of reports; returns the largest.
double Mixture::terms_at(const Prepared& prepared, double seen, Tilts& terms) const {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < count_; ++j) {
    terms[j] = prepared.base[j] - prepared.n * std::log1p(seen * lift_[j]);
    largest = std::max(largest, terms[j]);
  }
  return largest;
}

double Mixture::value(const Prepared& prepared, double seen) const {
  Tilts terms;
  const double largest = terms_at(prepared, seen, terms);
  double sum = 0;
  for (std::size_t j = 0; j < count_; ++j) {
    if (terms[j] > largest - kNegligible) sum += std::exp(terms[j] - largest);
  }
  return largest + std::log(sum);
}

Mixture::Value Mixture::with_slopes(const Prepared& prepared, double seen) const {
  Tilts terms;
  const double largest = terms_at(prepared, seen, terms);
  double sum = 0;
  double slopes = 0;
  double squares = 0;
  for (std::size_t j = 0; j < count_; ++j) {
    if (terms[j] <= largest - kNegligible) continue;
    const double weight = std::exp(terms[j] - largest);
    const double rate = lift_[j] / (1 + seen * lift_[j]);
    const double slope = prepared.n * rate;
    sum += weight;
    slopes += weight * slope;
    squares += weight * slope * (slope + rate);
  }
  const double slope = -slopes / sum;
  return {largest + std::log(sum), slope, squares / sum - slope * slope};
}

double Mixture::above(const Record& record, double mean) const {
  return value(prepare(record), law_.seen(mean));
}

double Mixture::below(const Record& record, double mean) const {
  return value(prepare_mirrored(record), 1 - law_.seen(mean));
}

double Mixture::against(const Record& record, double mean) const {
  return std::max(above(record, mean), below(record, mean));
}

/// The smallest report's mean in [0, 1] at which the evidence is at most `level`: Newton from the left, which a decreasing convex
/// function keeps on the left, so that it is never too large.
double Mixture::lowest(const Prepared& prepared, double level) const {
  double seen = 0;
  for (int i = 0; i < 200; ++i) {
    const Value at = with_slopes(prepared, seen);
    if (at.value <= level) return seen;
    const double next = seen - (at.value - level) / at.slope;
    if (next >= 1) return value(prepared, 1) > level ? 1 : seen;
    if (next - seen <= 1e-14) return seen;
    seen = next;
  }
  return seen;
}

Interval Mixture::interval(const Record& record, double alpha) const {
  check::strictly_within("interval", "alpha", alpha, 0, 1);
  if (record.empty()) return {0, 1};
  const double level = std::log(2 / alpha);
  const double low = law_.mean_of(lowest(prepare(record), level));
  const double high = law_.mean_of(1 - lowest(prepare_mirrored(record), level));
  return {std::clamp(low, 0.0, 1.0), std::clamp(high, 0.0, 1.0)};
}

double Mixture::apart(const Prepared& up, const Prepared& down, double shift, double guess,
                      double tolerance) const {
  // Over q, the mean of b, with that of a at q + shift; both in [0, 1]. In what is seen of b.
  double low = law_.seen(std::max(0.0, -shift));
  double high = law_.seen(std::min(1.0, 1 - shift));
  const double seen_shift = law_.slope * shift;
  double q = guess > low && guess < high ? guess : 0.5 * (low + high);
  double value = 0;
  double slack = 0;
  for (int i = 0; i < 80; ++i) {
    const Value a = with_slopes(up, q + seen_shift);
    const Value b = with_slopes(down, 1 - q);
    value = a.value + b.value;
    const double slope = a.slope - b.slope;
    // Convex: it falls by at most this on the way to the end of the bracket.
    slack = slope > 0 ? slope * (q - low) : -slope * (high - q);
    if (slack <= tolerance * (1 + std::abs(value))) break;
    (slope > 0 ? high : low) = q;
    double next = q - slope / (a.curvature + b.curvature);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == q) break;
    q = next;
  }
  return value - slack;
}

double Mixture::apart(const Record& a, const Record& b, double shift) const {
  return apart(prepare(a), prepare_mirrored(b), shift, kNoGuess, kClose);
}

double Mixture::apart_near(const Record& a, const Record& b, double tolerance) const {
  // What both have in common is near what explains both best.
  const double of_both = (a.sum + b.sum) / (a.n + b.n);
  return apart(prepare(a), prepare_mirrored(b), 0, of_both, tolerance);
}

/// The largest shift in [-1, 1] that is refuted at this level, found by halving; -1 where none is.
double Mixture::largest_shift(const Prepared& up, const Prepared& down, double level) const {
  double refuted = -1;
  double open = 1;
  const auto is_refuted = [&](double shift) {
    return apart(up, down, shift, kNoGuess, kClose) >= level;
  };
  if (!is_refuted(refuted)) return refuted;
  for (int i = 0; i < 60 && open - refuted > 1e-12; ++i) {
    const double middle = 0.5 * (refuted + open);
    (is_refuted(middle) ? refuted : open) = middle;
  }
  return refuted;
}

Interval Mixture::difference(const Record& a, const Record& b, double alpha) const {
  check::strictly_within("difference", "alpha", alpha, 0, 1);
  if (a.empty() && b.empty()) return {-1, 1};
  const double level = std::log(2 / alpha);
  const double low = largest_shift(prepare(a), prepare_mirrored(b), level);
  const double high = -largest_shift(prepare(b), prepare_mirrored(a), level);
  // Releases that no difference explains, such as sums below 0: what is nearest to it.
  const double middle = 0.5 * (low + high);
  return low <= high ? Interval{low, high} : Interval{middle, middle};
}

}  // namespace tacit::evidence
