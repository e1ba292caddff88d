// The audit of the service by what it lets out: a fair coin chooses one decision's outcome, 0 or 1, all else equal, and somebody who
// is told what was released guesses which it was (audit/certified.hpp). Every slot is one decision's, closed by its age, so that
// each release is a run of its own, with noise of its own; every arm has one in a round.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "tacit/audit/certified.hpp"
#include "tacit/audit/learned.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/service/releaser.hpp"
#include "tacit/service/spec.hpp"

namespace tacit::service {

inline constexpr double kClaimed = 1;
inline constexpr int kAuditedArms = 50;
inline constexpr int kAuditedRounds = TACIT_ROUNDS;
/// Of one verdict.
inline constexpr double kError = 1e-6;

/// Half of what is promised: a loss of twice the epsilon.
class HalfTheNoise final : public Releaser {
 public:
  curators::ReleasedSlot release(Id experiment, const curators::Plan& plan, int arms, Slot slot,
                                 Round n, const privacy::SecretVector<Sum>& total) override {
    curators::PhasePlan half = std::get<curators::PhasePlan>(plan);
    half.scale /= 2;
    return whole_.release(experiment, half, arms, slot, n, total);
  }

 private:
  SecureReleaser whole_;
};

inline Json audited_spec() {
  Json arms = Json::array();
  for (int arm = 0; arm < kAuditedArms; ++arm) arms.push_back("arm" + std::to_string(arm));
  return {{"name", "audited"},       {"population", "people"}, {"policy", "anytime-lazy-ucb"},
          {"epsilon", kClaimed},     {"arms", arms},           {"wait", "1s"},
          {"phase_max_age", "500ms"}};
}

/// One bit an arm in, one released value an arm out.
template <class Play>
double certified_by(Play play) {
  audit::Certified certified(kClaimed, 0, kError);
  audit::LearnedGuess learned(1, kClaimed);
  auto coins =
      random::SimulationKey(1, "front door", "coins", 0).stream(random::Purpose::kOutcomes);
  for (int round = 0; round < kAuditedRounds; ++round) {
    std::vector<bool> ones;
    for (int arm = 0; arm < kAuditedArms; ++arm) ones.push_back(random::bernoulli(coins, 0.5));
    const std::vector<double> released = play(std::as_const(ones));
    for (std::size_t arm = 0; arm < released.size(); ++arm) {
      const double z = released[arm];
      // As it would be right to guess of half the noise.
      const double by_law = 2 * kClaimed * (std::abs(z) - std::abs(z - 1));
      const audit::Seen seen{.actions = {}, .shown = {z}};
      certified.add(ones[arm], {.by_law = by_law, .learned = learned.log_odds(0, seen)});
      learned.learn(0, ones[arm], seen);
    }
  }
  return certified.epsilon();
}

}  // namespace tacit::service
