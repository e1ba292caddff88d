#include "tacit/policies/recipes/cascade_ldp.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::CascadeLdp>() {
  return make_entry<recipes::CascadeLdp>();
}
template <>
Entry entry_of<recipes::CascadeLdpStop>() {
  return make_entry<recipes::CascadeLdpStop>();
}

}  // namespace tacit::policies
