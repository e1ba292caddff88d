#include "tacit/policies/recipes/cascade_baselines.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::CascadeUcb1>() {
  return make_entry<recipes::CascadeUcb1>();
}
template <>
Entry entry_of<recipes::CascadeKlUcb>() {
  return make_entry<recipes::CascadeKlUcb>();
}

}  // namespace tacit::policies
