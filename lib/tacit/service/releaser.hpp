// The curator of the service: turns the secret total of a slot into what may be seen of it.
//
// Privacy: what is handed in is the total of one slot, once (the engine and the store's constraint see to it); what comes out has
// the noise of the experiment's plan, from the operating system's randomness, drawn now and never again.
#pragma once

#include "tacit/core/slot.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/curators/release.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/secure.hpp"
#include "tacit/service/store.hpp"

namespace tacit::service {

class Releaser {
 public:
  virtual ~Releaser() = default;
  virtual curators::ReleasedSlot release(Id experiment, const curators::Plan& plan, int arms,
                                         Slot slot, Round n,
                                         const privacy::SecretVector<Sum>& total) = 0;
};

class SecureReleaser final : public Releaser {
 public:
  curators::ReleasedSlot release(Id experiment, const curators::Plan& plan, int arms, Slot slot,
                                 Round n, const privacy::SecretVector<Sum>& total) override;

 private:
  random::SecureSource source_;
};

}  // namespace tacit::service
