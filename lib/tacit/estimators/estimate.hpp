// What an estimator publishes about one arm. Made from Released values only.
#pragma once

namespace tacit::estimators {

struct Estimate {
  double sum = 0;  // released: the outcomes' sum and the noise in it
  double n = 0;    // observations behind it; 0: the arm was never observed
  int noises = 0;  // how many independent noise terms the sum contains
  double mean() const noexcept { return sum / n; }

  template <class Archive>
  void state(Archive& archive) {
    archive(sum, n, noises);
  }
};

}  // namespace tacit::estimators
