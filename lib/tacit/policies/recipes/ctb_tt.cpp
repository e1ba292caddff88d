#include "tacit/policies/recipes/ctb_tt.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::CtbTt>() {
  return make_entry<recipes::CtbTt>();
}

}  // namespace tacit::policies
