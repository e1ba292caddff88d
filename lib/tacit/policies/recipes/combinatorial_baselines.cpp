#include "tacit/policies/recipes/combinatorial_baselines.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::Cucb>() {
  return make_entry<recipes::Cucb>();
}
template <>
Entry entry_of<recipes::CtsBeta>() {
  return make_entry<recipes::CtsBeta>();
}
template <>
Entry entry_of<recipes::CtsGaussian>() {
  return make_entry<recipes::CtsGaussian>();
}
template <>
Entry entry_of<recipes::Omm>() {
  return make_entry<recipes::Omm>();
}
template <>
Entry entry_of<recipes::KlOsm>() {
  return make_entry<recipes::KlOsm>();
}

}  // namespace tacit::policies
