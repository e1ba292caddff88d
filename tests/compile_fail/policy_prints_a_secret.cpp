// A trace or a message cannot contain a Secret: it has no formatter.
// refused: Secret.*Cannot format an argument
#include <string>

#include <fmt/format.h>

#include "tacit/privacy/exact.hpp"

using namespace tacit;

std::string trace(const privacy::Secret<Sum>& sum) {
#ifdef MUST_NOT_COMPILE
  return fmt::format("{}", sum);
#else
  return fmt::format("{}", privacy::Exact::release(sum).value());
#endif
}
