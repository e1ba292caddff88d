// ln Gamma(x), x > 0, from many threads: std::lgamma writes its sign into a variable that all of them share.
#pragma once

#include <math.h>  // NOLINT: the functions that hand out the sign are POSIX's

namespace tacit {

inline double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}
inline long double log_gamma(long double x) {
  int sign = 0;
  return ::lgammal_r(x, &sign);
}

}  // namespace tacit
