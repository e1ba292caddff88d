// Noise that waits to be added is as secret as the sum: whoever knows it can take it off what is released.
// refused: cannot convert 'tacit::privacy::Secret<double>' to 'double'
// refused: no viable conversion from returned value of type 'Secret<double>' to function return type 'double'
#include "tacit/privacy/toeplitz.hpp"

using namespace tacit;

double look(privacy::ToeplitzNoise& noise, privacy::ToeplitzSum& sum,
            const privacy::SimulatedNoise& source) {
#ifdef MUST_NOT_COMPILE
  (void)sum;
  return noise.next(source);
#else
  (void)noise;
  return sum.add(privacy::Secret<Sum>(), source).value();
#endif
}
