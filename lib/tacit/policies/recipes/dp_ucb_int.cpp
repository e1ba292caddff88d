#include "tacit/policies/recipes/dp_ucb_int.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::DpUcbInt>() {
  return make_entry<recipes::DpUcbInt>();
}

}  // namespace tacit::policies
