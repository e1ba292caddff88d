// What a model throws when something is not as promised.
#pragma once

#include <stdexcept>
#include <string>

namespace tacit::model {

class Broken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void need(bool holds, const std::string& what) {
  if (!holds) throw Broken(what);
}

/// The outcome of one of the arms of a choice, in quarters: each has another one.
inline int quarters_of(int quarters, int entry) { return (quarters + entry) % 5; }

}  // namespace tacit::model
