#include "tacit/policies/recipes/lazy_kl_sets.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::LazyKlMat>() {
  return make_entry<recipes::LazyKlMat>();
}
template <>
Entry entry_of<recipes::LazyKlCucb>() {
  return make_entry<recipes::LazyKlCucb>();
}

}  // namespace tacit::policies
