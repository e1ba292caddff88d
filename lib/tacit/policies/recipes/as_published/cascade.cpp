#include "tacit/policies/recipes/as_published/cascade.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::CascadeDpHybridAsPublished>() {
  return make_entry<recipes::CascadeDpHybridAsPublished>();
}
template <>
Entry entry_of<recipes::CascadeLdpLaplaceAsPublished>() {
  return make_entry<recipes::CascadeLdpLaplaceAsPublished>();
}
template <>
Entry entry_of<recipes::CascadeLdpGaussianAsPublished>() {
  return make_entry<recipes::CascadeLdpGaussianAsPublished>();
}
template <>
Entry entry_of<recipes::CascadeLdpComposedAsPublished>() {
  return make_entry<recipes::CascadeLdpComposedAsPublished>();
}

}  // namespace tacit::policies
