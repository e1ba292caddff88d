// A running sum released after every outcome, by a tree whose digits have signs (counter_noise.hpp).
//
// What is released is the exact sum so far plus the noise of blocks, added where a digit is positive and
// taken away where it is negative; a block to be taken away may reach beyond the present, and its noise is
// drawn before its outcomes are known.
//
// Lemma: with Laplace(b) terms and an outcome that moves by at most D, all releases together cost
// levels D/b, also when later outcomes are chosen by whoever saw the earlier releases.
// Proof: let outcome j move by d. Take d from the noise of every block that holds j. Releases before j have
// as many such blocks added as taken away (their prefix does not hold j), those from j on one more added
// than taken away. So every release stays what it was, in whatever way the outcomes after it were chosen,
// and the noise moved by at most D in `levels` places, which changes its density by e^(levels D/b) at most.
// In exact arithmetic outcomes are rounded to the grid one by one, so that d is the same in every prefix.
#pragma once

#include <cstdint>
#include <vector>

#include "tacit/core/sum.hpp"
#include "tacit/privacy/counter_noise.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/ledger.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::privacy {

class SignedTreeSum {
 public:
  /// For at most as many outcomes as the shape's horizon; `noise` is that of a block.
  SignedTreeSum(const CounterNoise& shape, const Laplace& noise, Arm arm);

  /// The sum with one more outcome.
  Released<double> add(const Secret<Sum>& outcome, const Releases& releases);
  /// How many noise terms the last released sum holds.
  int terms() const noexcept { return terms_; }

 private:
  struct Level {
    int digit = 0;
    Round group = 0;           // this level's blocks are counted from group * arity on
    double noise = 0;          // in the present sum, from this level's blocks
    std::vector<double> left;  // of the blocks left of that, drawn before they are used up
  };
  /// The noise of one block, drawn once.
  double block_noise(std::size_t level, Round index, const Releases& releases) const;
  void count_up(std::size_t level, const Releases& releases);

  int arity_;
  int half_;
  Laplace noise_;
  Arm arm_;
  Secret<Sum> sum_;
  int terms_ = 0;
  std::vector<Level> levels_;
};

}  // namespace tacit::privacy
