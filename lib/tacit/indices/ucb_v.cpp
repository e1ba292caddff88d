#include "tacit/indices/ucb_v.hpp"

#include <algorithm>

namespace tacit::indices {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Which piece an index is on, and its value there.
struct Found {
  enum class Piece { kPlain, kStrayed, kLow, kHigh, kCovered } piece;
  double value;
};

Found find(double p, double r, double plain) noexcept {
  using Piece = Found::Piece;
  if (p < 0.5) {
    if (plain > 0.5) return {Piece::kPlain, plain};
    if (p >= 0)
      return {Piece::kLow, (p + r / 2 + std::sqrt(r * p * (1 - p) + r * r / 4)) / (1 + r)};
    const double strayed = (2 * p + r) / (1 + r);
    return strayed < plain ? Found{Piece::kStrayed, strayed} : Found{Piece::kPlain, plain};
  }
  if (p * (1 + r) < 1) return {Piece::kHigh, p + std::sqrt(r * p * (1 - p))};
  const double covered = std::sqrt(p * (1 + r));
  return covered < plain ? Found{Piece::kCovered, covered} : Found{Piece::kPlain, plain};
}

}  // namespace

double UcbV::value(const State& s, const Clock& clock) const noexcept {
  if (s.width == 0) return s.mean;
  const double p = s.mean + s.bonus * clock.log_t;
  return find(p, s.width * clock.log_t, p + s.root * clock.sqrt_log_t).value;
}

ConcaveIndex UcbV::concave(const State& s, const Clock& clock) const noexcept {
  if (s.width == 0) return {s.mean, 0};
  const double p = s.mean + s.bonus * clock.log_t;
  const double r = s.width * clock.log_t;
  const Found found = find(p, r, p + s.root * clock.sqrt_log_t);
  const double u = found.value;
  // What p is made of may cancel: it is as exact as its parts.
  const double doubt = kConcaveDoubt * std::max(1.0, std::abs(s.mean) + s.bonus * clock.log_t);
  if (!(clock.log_t > 0)) return {u, kInfinity, doubt};  // roots rise steeply from 0
  // The slopes of p and r in ln t are s.bonus and s.width.
  const auto slope = [&] {
    switch (found.piece) {
      case Found::Piece::kPlain: return s.bonus + s.root / (2 * clock.sqrt_log_t);
      case Found::Piece::kStrayed: return (2 * s.bonus + s.width * (1 - u)) / (1 + r);
      case Found::Piece::kLow: {
        const double root = u * (1 + r) - p - r / 2;
        const double rise =
            s.width * p * (1 - p) + r * s.bonus * (1 - 2 * p) + r * s.width / 2;  // of its square
        return (s.bonus + s.width / 2 + rise / (2 * root) - u * s.width) / (1 + r);
      }
      case Found::Piece::kHigh: {
        const double rise = s.width * p * (1 - p) + r * s.bonus * (1 - 2 * p);
        return s.bonus + rise / (2 * (u - p));
      }
      case Found::Piece::kCovered: break;
    }
    return (s.bonus * (1 + r) + p * s.width) / (2 * u);
  };
  return {u, slope(), doubt};
}

}  // namespace tacit::indices
