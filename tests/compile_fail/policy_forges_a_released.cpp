// Only a mechanism can say that a value was released.
// refused: Released<T>::Released.* is private within this context
// refused: calling a private constructor of class 'tacit::privacy::Released
#include "tacit/privacy/exact.hpp"

using namespace tacit;

privacy::Released<double> publish(double value) {
#ifdef MUST_NOT_COMPILE
  return privacy::Released<double>(value);
#else
  return privacy::Exact::release(privacy::Secret<Outcome>(Outcome::nearest(value)));
#endif
}
