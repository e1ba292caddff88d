// Evidence against a claim of (epsilon, delta), whoever made the two laws: an e-process.
//
// A fair coin chooses which of two neighbouring tables is played, and somebody who saw what can be seen guesses, with odds,
// which it was. If the claim is true then the odds that are justified lie between e^-epsilon and e^epsilon. So with p the
// guess, and c the guess moved into that range, p/c of what turned out to be true has a mean of at most 1, however p
// was come by: it is linear in the true odds, and 1 at their end. With a delta: where the odds for one of
// them are large enough, one bets b on it, and has 1 + b (1 - delta) if it was, 1 - b (e^epsilon + delta) if it was
// the other, and 1 - b delta where one does not bet; averaged over bets.
// The product over runs exceeds 1/error with probability at most `error`, whenever one stops (Ville).
#pragma once

#include <vector>

namespace tacit::audit {

/// ln of what one run adds with delta = 0: the guess in ln of the odds for the one table, and whether it was that one.
double log_gain(double epsilon, bool one, double log_odds);
/// The mean of that, were the guess right: which pair of tables is worth playing.
double promise(double epsilon, double log_odds);

class AgainstClaim {
 public:
  AgainstClaim(double epsilon, double delta);

  /// A run on the one table, or on the other, and the guess before that was known: ln of the odds for the one.
  void add(bool one, double log_odds);
  double log_value() const;

 private:
  /// A bet on odds of at least e^threshold: ln of what becomes of the stake.
  struct Bet {
    double threshold;
    double when_right;
    double when_wrong;
    double when_not_made;
    double log_value = 0;
  };

  double epsilon_;
  double delta_;
  double log_pure_ = 0;    // delta = 0
  std::vector<Bet> bets_;  // delta > 0
};

}  // namespace tacit::audit
