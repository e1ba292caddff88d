// What a curator lets out of one slot.
#pragma once

#include <vector>

#include "tacit/core/slot.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/released.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::curators {

struct Release {
  privacy::Released<double> value;
  int noises;  // independent noise terms in it; public
};

/// The same of a curator whatever it keeps: one value, or as many as all arms have.
struct ReleasedSlot {
  std::vector<privacy::Released<double>> values;
  int noises = 1;
};

/// Keeps sums by slot; else reports are passed on.
template <class Channel>
concept BySlot = requires(Channel& channel, Slot slot) {
  channel.release(slot, Round{1});
};

/// Keeps a sum of every arm in a slot.
template <class Curator>
concept OfAllArms = requires(Curator& curator, Slot slot, const privacy::SecretVector<Sum>& sums) {
  curator.add(slot, sums);
};

template <class Curator>
ReleasedSlot release_slot(Curator& curator, Slot slot, Round n) {
  if constexpr (OfAllArms<Curator>) {
    return {curator.release(slot, n), 1};
  } else {
    const Release release = curator.release(slot, n);
    return {{release.value}, release.noises};
  }
}

}  // namespace tacit::curators
