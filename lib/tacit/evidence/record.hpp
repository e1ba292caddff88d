// All that was released of one arm, added up: nothing is forgotten here, whatever a learner forgets.
#pragma once

namespace tacit::evidence {

struct Record {
  double sum = 0;  // of reports, with the noise in it
  double n = 0;    // reports behind it
  double noises = 0;

  void add(double released, double length, double terms) noexcept {
    sum += released;
    n += length;
    noises += terms;
  }
  bool empty() const noexcept { return n == 0; }

  template <class Archive>
  void state(Archive& archive) {
    archive(sum, n, noises);
  }
};

/// Of means in [0, 1], or of differences in [-1, 1].
struct Interval {
  double low = 0;
  double high = 1;
  double width() const noexcept { return high - low; }
  bool holds(double value) const noexcept { return low <= value && value <= high; }
};

}  // namespace tacit::evidence
