// What a curator lets out costs what its plan says, with secure noise as with simulated noise.
#include "tacit/curators/of_plan.hpp"

#include <gtest/gtest.h>

#include "tacit/accounting/ledger.hpp"
#include "tacit/privacy/noise_source.hpp"
#include "tacit/random/secure.hpp"

namespace tacit::curators {
namespace {

template <class NoiseSource>
double paid_by_a_slot(const PhasePlan& plan, const NoiseSource& noise) {
  accounting::Ledger ledger;
  auto curator = curator_of(plan, 2, accounting::Releases<NoiseSource>(noise, &ledger));
  curator.add({1, 0}, privacy::Secret<Sum>(Sum::of_ones(3)));
  curator.release({1, 0}, 3);
  return ledger.worst_epsilon();
}

TEST(CuratorOf, APlanCostsWhatThePlanSays) {
  const random::SimulationKey key(1, "curators", "of a plan", 0);
  random::SecureSource source;
  for (const double scale : {0.5, 1.0, 20.0}) {
    const PhasePlan plan{.scale = scale};
    const auto promised = [&](privacy::Arithmetic arithmetic) {
      return plan.guarantee({privacy::kOneOutcome, "one sum,"}, arithmetic).epsilon;
    };
    using privacy::Arithmetic;
    for (const Arithmetic arithmetic : {Arithmetic::kIdealised, Arithmetic::kExact}) {
      EXPECT_DOUBLE_EQ(paid_by_a_slot(plan, privacy::SimulatedNoise(key, arithmetic)),
                       promised(arithmetic));
    }
    EXPECT_DOUBLE_EQ(paid_by_a_slot(plan, privacy::SecureNoise(source)),
                     promised(Arithmetic::kExact));
  }
}

}  // namespace
}  // namespace tacit::curators
