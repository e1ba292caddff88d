// Upper confidence bounds on an item's attraction from reports of where users stopped.
//
// An item was shown at positions j = 0, 1, ... of lists. Each showing gives a debiased click y and a
// debiased examination o = 1 - (clicks before it), from a report whose bits are 1 with probability p
// where the user stopped and q elsewhere (privacy/stop_response.hpp). For the true attraction w the
// numbers X = y - w o have mean 0. With D = 1/(p - q):
//   X >= -c,       c = w + q D (1 + w j), when every bit is 0
//   Var X <= v(w), largest when the user got as far as the item:
//     response (one bit is 1)     D^2 [q + (p-q) w + w^2 j q - (q + (p-q) w + w j q)^2]
//     encoding (bits by themselves)  D^2 [m (1-m) + w^2 j q (1-q)],  m = q + (p-q) w
// both quadratic in w, so that their coefficients add up over showings. By Bernstein
//   P(sum X <= -x) <= e^-L  for  x = c L/3 + sqrt((c L/3)^2 + 2 V L),  V the sum of the v,
// and the index is the largest w in [0, 1] with  sum y - w sum o >= -x(w), found by bisection where that
// changes sign between 0 and 1, and where it fails at both ends, which few early states do, by looking at
// 32 points first.
#pragma once

#include <cmath>

#include "tacit/indices/clock.hpp"
#include "tacit/indices/enclosure.hpp"

namespace tacit::indices {

class StopIndex {
 public:
  static constexpr bool kSearched = true;  // by bisection
  /// It grows with the level, for so does the room, but need not be concave.
  static constexpr bool kWithoutTangents = true;
  struct State {
    double clicks = 0;        // sum of y
    double examinations = 0;  // sum of o
    double shown = 0;
    int furthest = 0;  // position
    double v0 = 0, v1 = 0, v2 = 0;

    template <class Archive>
    void state(Archive& archive) {
      archive(clicks, examinations, shown, furthest, v0, v1, v2);
    }
  };

  /// q, p - q, and whether a report is a response (one bit is 1) or an encoding.
  StopIndex(double q, double gap, bool response) : q_(q), gap_(gap), response_(response) {}

  /// One more showing, at `position`.
  void add(State& s, int position, double click, double examination) const noexcept;
  /// Fails to cover the attraction with probability at most e^-level; +infinity for an item never
  /// shown.
  double upper(const State& s, double level) const noexcept;

  /// At level ln t + 3 ln ln t.
  double value(const State& s, const Clock& clock) const noexcept { return upper(s, level(clock)); }
  Enclosure near(const State& s, const Clock& clock, double guess) const noexcept;

 private:
  static double level(const Clock& clock) noexcept {
    return clock.log_t > 1 ? clock.log_t + 3 * std::log(clock.log_t) : clock.log_t;
  }
  /// What is left of sum y - w sum o >= -x(w) at this w, and its derivative in w.
  struct Room {
    double left;
    double slope;
  };
  Room room(const State& s, double w, double level) const noexcept;

  double q_;
  double gap_;  // p - q
  bool response_;
};

}  // namespace tacit::indices
