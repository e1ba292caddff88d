// How Boost's special functions are asked: for source files only, since Boost is slow to compile.
//
// Doubles throughout: long doubles cost three times as much and the last digits do not matter here. Errors are ignored
// because the callers are noexcept: a chance that cannot be computed comes back as the best estimate there is.
#pragma once

#include <boost/math/policies/policy.hpp>

namespace tacit::indices {

using Doubles = boost::math::policies::policy<
    boost::math::policies::promote_double<false>,
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::pole_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::denorm_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
    boost::math::policies::rounding_error<boost::math::policies::ignore_error>>;

}  // namespace tacit::indices
