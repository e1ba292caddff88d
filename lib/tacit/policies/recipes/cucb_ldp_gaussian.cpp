#include "tacit/policies/recipes/cucb_ldp_gaussian.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::CucbLdpGaussian>() {
  return make_entry<recipes::CucbLdpGaussian>();
}

}  // namespace tacit::policies
