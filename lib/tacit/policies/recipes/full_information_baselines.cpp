#include "tacit/policies/recipes/full_information_baselines.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::Ftl>() {
  return make_entry<recipes::Ftl>();
}
template <>
Entry entry_of<recipes::HedgeDecreasing>() {
  return make_entry<recipes::HedgeDecreasing>();
}

}  // namespace tacit::policies
