// No protection, said in types. Exact is a mechanism whose loss is infinite, so that a baseline
// *computes* to the guarantee "none" instead of being exempt from the computation.
#pragma once

#include "tacit/core/sum.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::privacy {

class Exact {
 public:
  static Loss loss(const Sensitivity&) { return {.mechanism = "its exact value"}; }

  static Released<double> release(const Secret<Sum>& sum) {
    return Vault::release(Vault::open(sum).value());
  }
  static Released<double> release(const Secret<Outcome>& outcome) {
    return Vault::release(Vault::open(outcome).value());
  }
  template <class T>
  static Released<T> release_as_is(const Secret<T>& secret) {
    return Vault::release(Vault::open(secret));
  }
};

/// Exact on a part of a datum. Allowed only in recipes called *_as_published, which show what a
/// paper leaks, and in the broken twins of audits: search the tree for it to see every leak.
template <class T>
Released<T> declassify(const Secret<T>& secret) {
  return Exact::release_as_is(secret);
}

}  // namespace tacit::privacy
