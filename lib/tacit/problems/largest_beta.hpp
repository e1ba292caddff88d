// The largest of independent Beta variables, on average.
#pragma once

namespace tacit::problems {

/// E max of `count` independent Beta(a, b), a and b in [1e-6, 1e9], count >= 1. What it is above the mean is right to a
/// millionth or to 1e-15, whichever is more.
double expected_largest_beta(double a, double b, int count);

}  // namespace tacit::problems
