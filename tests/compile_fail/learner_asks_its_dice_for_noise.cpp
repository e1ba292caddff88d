// A learner's dice break ties and draw samples. In a simulation the noise comes from the same key, and dice that
// drew it again would take it off a release.
// refused: class tacit::random::Dice' has no member named 'at'
// refused: no member named 'at' in 'tacit::random::Dice'
#include "tacit/random/dice.hpp"

using namespace tacit;

double peek(const random::Dice& dice) {
#ifdef MUST_NOT_COMPILE
  auto draw = dice.at(random::Purpose::kNoise, 0, 0);
#else
  auto draw = dice.ties(1);
#endif
  return static_cast<double>(draw());
}
