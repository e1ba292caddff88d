#include "tacit/policies/recipes/as_published/cucb_dp.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::CucbDpAsPublished>() {
  return make_entry<recipes::CucbDpAsPublished>();
}

}  // namespace tacit::policies
