#include "tacit/policies/recipes/dp_exp3.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::DpExp3>() {
  return make_entry<recipes::DpExp3>();
}

}  // namespace tacit::policies
