#include "tacit/policies/recipes/kl_ucb.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::KlUcb>() {
  return make_entry<recipes::KlUcb>();
}

}  // namespace tacit::policies
