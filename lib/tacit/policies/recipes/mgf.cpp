#include "tacit/policies/recipes/mgf.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::MgfKlUcb>() {
  return make_entry<recipes::MgfKlUcb>();
}
template <>
Entry entry_of<recipes::MgfImed>() {
  return make_entry<recipes::MgfImed>();
}

}  // namespace tacit::policies
