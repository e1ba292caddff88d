#include "tacit/privacy/signed_tree.hpp"

#include <cmath>
#include <cstdlib>

namespace tacit::privacy {

SignedTreeSum::SignedTreeSum(const CounterNoise& shape, const Laplace& noise, Arm arm)
    : arity_(shape.arity()),
      half_((shape.arity() - 1) / 2),
      noise_(noise),
      arm_(arm),
      levels_(static_cast<std::size_t>(shape.levels())) {}

double SignedTreeSum::block_noise(std::size_t level, Round index, const Releases& releases) const {
  // A block is known by its level and by the place where it ends.
  constexpr std::uint64_t kMostLevels = 64;
  auto draw = releases.noise(static_cast<std::uint64_t>(arm_),
                             static_cast<std::uint64_t>(index) * kMostLevels + level);
  Round size = 1;
  for (std::size_t l = 0; l < level; ++l) size *= arity_;
  releases.note(noise_, arm_, (index - 1) * size + 1, index * size);
  return noise_.draw(draw);
}

void SignedTreeSum::count_up(std::size_t at, const Releases& releases) {
  Level& level = levels_[at];
  if (level.digit < half_) {
    // The next block: one that was taken away no longer is, or one more is added.
    const bool taken = level.digit < 0;
    level.noise += taken ? level.left[static_cast<std::size_t>(level.digit + half_)]
                         : block_noise(at, level.group * arity_ + level.digit + 1, releases);
    ++level.digit;
    if (level.digit == 0) level.noise = 0;  // without what rounding leaves
    return;
  }
  count_up(at + 1, releases);
  ++level.group;
  level.digit = -half_;
  level.noise = 0;
  level.left.resize(static_cast<std::size_t>(half_));
  for (int i = 0; i < half_; ++i) {
    double& noise = level.left[static_cast<std::size_t>(i)];
    noise = block_noise(at, level.group * arity_ - half_ + i + 1, releases);
    level.noise -= noise;
  }
}

Released<double> SignedTreeSum::add(const Secret<Sum>& outcome, const Releases& releases) {
  sum_ += noise_.on_grid(outcome);
  count_up(0, releases);
  double noise = 0;
  terms_ = 0;
  for (const Level& level : levels_) {
    noise += level.noise;
    terms_ += std::abs(level.digit);
  }
  return noise_.with_noise(sum_, noise);
}

}  // namespace tacit::privacy
