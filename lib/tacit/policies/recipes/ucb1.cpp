#include "tacit/policies/recipes/ucb1.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::Ucb1>() {
  return make_entry<recipes::Ucb1>();
}

}  // namespace tacit::policies
