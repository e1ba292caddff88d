#include "tacit/random/sodium.hpp"

#include <stdexcept>

#include <sodium.h>

namespace tacit::random {

void need_sodium() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium could not be initialised");
}

}  // namespace tacit::random
