#include "tacit/policies/recipes/matroid_lazy.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::DpUcbMat>() {
  return make_entry<recipes::DpUcbMat>();
}
template <>
Entry entry_of<recipes::DpTsMat>() {
  return make_entry<recipes::DpTsMat>();
}

}  // namespace tacit::policies
