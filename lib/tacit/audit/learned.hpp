// A guess, learned from the runs so far, which of two tables was played: for what has no declared law, or does not keep to
// it.
//
// Many guess at once, each by one number of a run: an action, a value, the sum or the difference of two of the first dozen
// values (noise that is shared cancels in them), how many values there are, a list or its beginning as a whole; and by all
// actions, all values, or both together. Each cuts its number into cells and counts how often either table was behind a cell. Who has
// guessed best so far is believed, as soon as that is better than by accident.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tacit/audit/seen.hpp"

namespace tacit::audit {

class LearnedGuess {
 public:
  /// Of so many pairs of tables; guesses are worth something where their odds exceed e^epsilon.
  LearnedGuess(std::size_t pairs, double epsilon);
  ~LearnedGuess();
  LearnedGuess(LearnedGuess&&) noexcept;

  /// ln of the odds that it was the one table of the pair; 0: no idea.
  double log_odds(std::size_t pair, const Seen& seen) const;
  void learn(std::size_t pair, bool one, const Seen& seen);
  /// Who is believed, in words; "" for nobody.
  std::string by() const;

 private:
  class Guessers;
  std::unique_ptr<Guessers> guessers_;
};

}  // namespace tacit::audit
