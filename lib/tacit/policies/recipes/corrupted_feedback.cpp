#include "tacit/policies/recipes/corrupted_feedback.hpp"

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::KlUcbCf>() {
  return make_entry<recipes::KlUcbCf>();
}
template <>
Entry entry_of<recipes::TsCf>() {
  return make_entry<recipes::TsCf>();
}

}  // namespace tacit::policies
