#include "tacit/policies/recipes/anytime_lazy_ucb.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::AnytimeLazyUcb>() {
  return make_entry<recipes::AnytimeLazyUcb>();
}

}  // namespace tacit::policies
