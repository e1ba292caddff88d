#include "tacit/policies/recipes/noisy_leader.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::Ftnl>() {
  return make_entry<recipes::Ftnl>();
}
template <>
Entry entry_of<recipes::RnmFtnl>() {
  return make_entry<recipes::RnmFtnl>();
}
template <>
Entry entry_of<recipes::PfFtnl>() {
  return make_entry<recipes::PfFtnl>();
}

}  // namespace tacit::policies
