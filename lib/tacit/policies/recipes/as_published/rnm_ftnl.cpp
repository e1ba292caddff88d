#include "tacit/policies/recipes/as_published/rnm_ftnl.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::RnmFtnlAsPublished>() {
  return make_entry<recipes::RnmFtnlAsPublished>();
}

}  // namespace tacit::policies
