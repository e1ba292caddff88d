// What a curator lets out of one slot.
#pragma once

#include "tacit/privacy/released.hpp"

namespace tacit::curators {

struct Release {
  privacy::Released<double> value;
  int noises;  // independent noise terms in it; public
};

}  // namespace tacit::curators
