#include "tacit/policies/recipes/as_published/cucb_ldp_gaussian.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::CucbLdpGaussianAsPublished>() {
  return make_entry<recipes::CucbLdpGaussianAsPublished>();
}

}  // namespace tacit::policies
