// What a plan lets out, with its noise on whole numbers (P(x) proportional to exp(-|x|/scale)): every value that a release
// can have, and how much likelier one user makes it, at worst over all tables of bits.
//
// A release has news of a block of outcomes: those of a phase, all of an arm so far, or of a tree the block whose noise is
// new. Let its sum, of n bits, be larger by 1 on the other table: any value is then most telling where all others are ones,
// and where it is smaller, where they are zeros. So one table is the worst one for all the releases that a user is in.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tacit/audit/watched.hpp"
#include "tacit/core/round.hpp"

namespace tacit::audit {

/// Of the user's outcome, from the one table to the other; kWorse is the worse of the two for the value at hand.
enum class Direction { kUp, kDown, kWorse };

/// A value that can come out; its loss is the log-ratio of its chances on the two tables.
struct Said {
  std::vector<double> values;  // one, or as many as a report has
  double up = 0;
  double down = 0;

  double loss(Direction direction) const;
};

/// What can come out of one sum, or of one outcome that is reported.
class Possible {
 public:
  using Words = std::function<std::string(const Said&, Direction)>;

  /// `beyond` is the probability of all that is not in the list.
  Possible(std::vector<Said> said, double beyond, Words words);

  const std::vector<Said>& said() const noexcept { return said_; }
  const Said& worst(Direction direction) const;
  double beyond() const noexcept { return beyond_; }
  /// The value, and what went in on the two tables.
  std::string words(const Said& said, Direction direction) const { return words_(said, direction); }

 private:
  std::vector<Said> said_;
  double beyond_;
  Words words_;
  std::array<std::size_t, 3> worst_{};  // by direction
};

struct Law {
  /// Of a block of n outcomes, the last of which is the arm's so_far-th.
  std::function<Possible(Round n, Round so_far)> possible;
  bool reports = false;  // users report; else slots are released
  bool whole = false;    // one report, however many arms a round records
  int entries = 1;       // of a slot
  bool runs_on = false;  // a user is in later releases of the arm too
  /// Of a counter, whose releases are an earlier one and a new block: how many outcomes the earlier one is of, and how
  /// many noise terms there are then. Null: of none.
  std::function<Round(Round n)> before = nullptr;
  std::function<int(Round n)> terms = nullptr;
};

/// Of the policy as it is played. Throws InvalidParameter for what cannot be enumerated.
Law law_of(const Play& play);

}  // namespace tacit::audit
