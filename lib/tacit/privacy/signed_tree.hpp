// A running sum released after every outcome, by a tree whose digits have signs (counter_noise.hpp).
//
// What is released is the exact sum so far plus the noise of blocks, added where a digit is positive and
// taken away where it is negative; a block to be taken away may reach beyond the present, and its noise is
// drawn before its outcomes are known. Until it is released it is as secret as the sum.
//
// Lemma: with Laplace(b) terms and an outcome that moves by at most D, all releases together cost
// levels D/b, also when later outcomes are chosen by whoever saw the earlier releases.
// Proof: let outcome j move by d. Take d from the noise of every block that holds j. Releases before j have
// as many such blocks added as taken away (their prefix does not hold j), those from j on one more added
// than taken away. So every release stays what it was, in whatever way the outcomes after it were chosen,
// and the noise moved by at most D in `levels` places, which changes its density by e^(levels D/b) at most.
// In exact arithmetic outcomes are rounded to the grid one by one, so that d is the same in every prefix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "tacit/core/sum.hpp"
#include "tacit/privacy/counter_noise.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::privacy {

template <class NoiseSource>
class SignedTreeSum {
 public:
  /// For at most as many outcomes as the shape's horizon; `scale` is that of a block's noise.
  SignedTreeSum(const CounterNoise& shape, double scale, Arm arm, const NoiseSource& source)
      : arity_(shape.arity()),
        half_((shape.arity() - 1) / 2),
        noise_(source.laplace(scale)),
        arm_(arm),
        levels_(static_cast<std::size_t>(shape.levels())) {}

  /// The sum with one more outcome. `releases` (accounting/releases.hpp) gives the noise and notes every block.
  template <class Releases>
  Released<double> add(const Secret<Sum>& outcome, const Releases& releases) {
    sum_ += noise_.on_grid(outcome);
    count_up(0, releases);
    Secret<double> noise;
    terms_ = 0;
    for (const Level& level : levels_) {
      noise += level.noise;
      terms_ += std::abs(level.digit);
    }
    return noise_.with_noise(sum_, noise);
  }
  /// How many noise terms the last released sum holds.
  int terms() const noexcept { return terms_; }

  template <class Archive>
  void state(Archive& archive) {
    archive(sum_, terms_);
    for (Level& level : levels_) {
      std::size_t left = level.left.size();
      archive(level.digit, level.group, level.noise, left);
      level.left.resize(left);
      for (Secret<double>& noise : level.left) archive(noise);
    }
  }

 private:
  struct Level {
    int digit = 0;
    Round group = 0;                   // this level's blocks are counted from group * arity on
    Secret<double> noise;              // in the present sum, from this level's blocks
    std::vector<Secret<double>> left;  // of the blocks left of that, drawn before they are used up
  };

  /// The noise of one block, drawn once.
  template <class Releases>
  Secret<double> block_noise(std::size_t level, Round index, const Releases& releases) const {
    // A block is known by its level and by the place where it ends.
    constexpr std::uint64_t kMostLevels = 64;
    Round size = 1;
    for (std::size_t l = 0; l < level; ++l) size *= arity_;
    releases.note(noise_, arm_, (index - 1) * size + 1, index * size);
    auto&& draw = releases.noise().at(static_cast<std::uint64_t>(arm_),
                                      static_cast<std::uint64_t>(index) * kMostLevels + level);
    return noise_.draw(draw);
  }

  template <class Releases>
  void count_up(std::size_t at, const Releases& releases) {
    Level& level = levels_[at];
    if (level.digit < half_) {
      // The next block: one that was taken away no longer is, or one more is added.
      const bool taken = level.digit < 0;
      level.noise += taken ? level.left[static_cast<std::size_t>(level.digit + half_)]
                           : block_noise(at, level.group * arity_ + level.digit + 1, releases);
      ++level.digit;
      if (level.digit == 0) level.noise.clear();  // without what rounding leaves
      return;
    }
    count_up(at + 1, releases);
    ++level.group;
    level.digit = -half_;
    level.noise.clear();
    level.left.resize(static_cast<std::size_t>(half_));
    for (int i = 0; i < half_; ++i) {
      Secret<double>& noise = level.left[static_cast<std::size_t>(i)];
      noise = block_noise(at, level.group * arity_ - half_ + i + 1, releases);
      level.noise -= noise;
    }
  }

  int arity_;
  int half_;
  typename NoiseSource::LaplaceNoise noise_;
  Arm arm_;
  Secret<Sum> sum_;
  int terms_ = 0;
  std::vector<Level> levels_;
};

}  // namespace tacit::privacy
