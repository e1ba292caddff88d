// How a backup is put back: `tacit serve restore`.
//
// The copy is an older store than the key file knows, which stays as it is: what the two disagree in the next start settles
// (engine_loading.cpp). Nothing is released twice, and budgets stay spent.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tacit/service/time.hpp"

namespace tacit::service {

struct Restoring {
  std::string copy;
  std::string store;  // which is replaced; need not be there any more
  std::string keys;
};

struct Restored {
  std::string holds;               // the store now, in words
  std::vector<std::string> costs;  // what is lost and paid by it, a line each
};

/// Throws std::runtime_error, in one line, for a store that is served or that another program has open, and for a copy that is damaged,
/// has something wrong with it, or is of another store than the key file or the file that it would replace: then nothing has changed.
/// Cut short by whatever, it leaves the one store or the other (replacing.hpp, which has the `failpoint`s, too).
Restored restore(
    const Restoring& told, Time now,
    const std::function<void(const char*)>& failpoint = [](const char*) {});

}  // namespace tacit::service
