#include "tacit/policies/recipes/tree.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::DpUcbTree>() {
  return make_entry<recipes::DpUcbTree>();
}
template <>
Entry entry_of<recipes::DpTsTree>() {
  return make_entry<recipes::DpTsTree>();
}

}  // namespace tacit::policies
