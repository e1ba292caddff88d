#include "tacit/policies/recipes/lazy_dp_ts.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::LazyDpTs>() {
  return make_entry<recipes::LazyDpTs>();
}

}  // namespace tacit::policies
