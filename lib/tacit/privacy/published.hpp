// A number that was released before and comes back: from a saved state, from a log that is replayed, from the
// wire. It is public already, so that nothing is protected or lost here; but whoever calls this vouches for
// where the number comes from. Only counters that add releases up, live/, audit/ and tests may (tests/leaks).
#pragma once

#include "tacit/privacy/secret.hpp"

namespace tacit::privacy {

class Published {
 public:
  static Released<double> again(double value) { return Vault::release(value); }
};

}  // namespace tacit::privacy
