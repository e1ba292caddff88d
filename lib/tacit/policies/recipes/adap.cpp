#include "tacit/policies/recipes/adap.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::AdapUcb>() {
  return make_entry<recipes::AdapUcb>();
}
template <>
Entry entry_of<recipes::AdapKlUcb>() {
  return make_entry<recipes::AdapKlUcb>();
}

}  // namespace tacit::policies
