#include "tacit/policies/recipes/cascade_dp.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::CascadeDp>() {
  return make_entry<recipes::CascadeDp>();
}

}  // namespace tacit::policies
