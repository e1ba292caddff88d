#include "tacit/policies/recipes/dp_klucb_imed.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::DpKlUcb>() {
  return make_entry<recipes::DpKlUcb>();
}
template <>
Entry entry_of<recipes::DpImed>() {
  return make_entry<recipes::DpImed>();
}

}  // namespace tacit::policies
