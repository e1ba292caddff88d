#include "tacit/policies/recipes/dp_se.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::DpSe>() {
  return make_entry<recipes::DpSe>();
}

}  // namespace tacit::policies
