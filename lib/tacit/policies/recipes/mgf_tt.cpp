#include "tacit/policies/recipes/mgf_tt.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::MgfTt>() {
  return make_entry<recipes::MgfTt>();
}
template <>
Entry entry_of<recipes::LdpMgfTt>() {
  return make_entry<recipes::LdpMgfTt>();
}
template <>
Entry entry_of<recipes::TopTwo>() {
  return make_entry<recipes::TopTwo>();
}

}  // namespace tacit::policies
