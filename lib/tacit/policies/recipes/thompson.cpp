#include "tacit/policies/recipes/thompson.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::ThompsonBeta>() {
  return make_entry<recipes::ThompsonBeta>();
}
template <>
Entry entry_of<recipes::ThompsonGaussian>() {
  return make_entry<recipes::ThompsonGaussian>();
}

}  // namespace tacit::policies
