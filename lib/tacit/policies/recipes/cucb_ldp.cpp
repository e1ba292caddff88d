#include "tacit/policies/recipes/cucb_ldp.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::CucbLdp1>() {
  return make_entry<recipes::CucbLdp1>();
}
template <>
Entry entry_of<recipes::CucbLdp2>() {
  return make_entry<recipes::CucbLdp2>();
}

}  // namespace tacit::policies
