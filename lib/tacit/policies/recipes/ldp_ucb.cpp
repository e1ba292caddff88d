#include "tacit/policies/recipes/ldp_ucb.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::LdpUcbLaplace>() {
  return make_entry<recipes::LdpUcbLaplace>();
}
template <>
Entry entry_of<recipes::LdpUcbBits>() {
  return make_entry<recipes::LdpUcbBits>();
}

}  // namespace tacit::policies
