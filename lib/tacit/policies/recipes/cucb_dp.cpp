#include "tacit/policies/recipes/cucb_dp.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::CucbDp>() {
  return make_entry<recipes::CucbDp>();
}
template <>
Entry entry_of<recipes::CucbDpWeakest>() {
  return make_entry<recipes::CucbDpWeakest>();
}

}  // namespace tacit::policies
