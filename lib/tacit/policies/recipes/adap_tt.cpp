#include "tacit/policies/recipes/adap_tt.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::AdapTt>() {
  return make_entry<recipes::AdapTt>();
}
template <>
Entry entry_of<recipes::AdapTtStar>() {
  return make_entry<recipes::AdapTtStar>();
}

}  // namespace tacit::policies
