#!/bin/bash
# Halves one noise scale after the other in the source and sees that some test fails. Run from the root of a
# clean checkout that was built with the release preset; every change is undone, also when interrupted.
#
#   scripts/mutate_noise.sh [PATTERN]     only the mutations whose name holds PATTERN
set -u
build=build/release
git diff --quiet || { echo "mutate_noise: the checkout has changes; commit or stash them first" >&2; exit 2; }

# name | file under lib/tacit | what stands there (fixed text, \n: the next line) | what replaces it | test program | its tests
mutations=$(cat <<'LIST'
laplace, ideal|privacy/laplace.hpp|Secret<double>(random::laplace(generator, scale_));|Secret<double>(random::laplace(generator, 0.5 * scale_));|privacy_test|*Laplace*
laplace, exact|privacy/laplace.hpp|discrete_laplace(generator, grid_.scale)|discrete_laplace(generator, grid_.scale / 2)|privacy_test|Exact*
laplace, drawn in advance|privacy/laplace.hpp|draw(random::SecureSource& source) const { return draw_steps(source); }|draw(random::SecureSource& source) const { return Secret<double>(static_cast<double>(random::exact::discrete_laplace(source, grid_.scale / 2))); }|privacy_test|NoiseReserve*
laplace, its loss|privacy/laplace.cpp|.epsilon = s.l1() / scale_,|.epsilon = s.l1() / (2 * scale_),|privacy_test|*Laplace*
gaussian, ideal|privacy/gaussian.hpp|sigma_ * random::standard_normal(generator));|0.5 * sigma_ * random::standard_normal(generator));|privacy_test|*Gaussian*
gaussian, exact|privacy/gaussian.hpp|discrete_gaussian(generator, grid_.scale);|discrete_gaussian(generator, grid_.scale / 4);|privacy_test|Exact*
response, ideal|privacy/randomized_response.cpp|std::exp(-static_cast<long double>(epsilon));|std::exp(-2 * static_cast<long double>(epsilon));|privacy_test|RandomizedResponse*
response, what it makes of a mean|privacy/randomized_response.hpp|truth_(1 / (1 + std::exp(-epsilon_))),|truth_(1 / (1 + std::exp(-2 * epsilon_))),|privacy_test|*Response*
response, exact|privacy/randomized_response.cpp|std::exp(-static_cast<long double>(epsilon));|std::exp(-2 * static_cast<long double>(epsilon));|privacy_test|Exact*
stop response|privacy/stop_response.cpp|const double e = std::exp(-epsilon_);|const double e = std::exp(-2 * epsilon_);|privacy_test|*StopResponse*
noisy max, laplace|privacy/noisy_max.hpp|random::laplace(generator, scale_);|random::laplace(generator, 0.5 * scale_);|privacy_test|*NoisyMax*
noisy max, exponential|privacy/noisy_max.hpp|random::exponential(generator, scale_);|random::exponential(generator, 0.5 * scale_);|privacy_test|*NoisyMax*
noisy max, exact|privacy/noisy_max.hpp|discrete_laplace(generator, grid_.scale)|discrete_laplace(generator, grid_.scale / 2)|privacy_test|Exact*
noise source, simulated|privacy/noise_source.hpp|return Laplace(scale, arithmetic_);|return Laplace(0.5 * scale, arithmetic_);|curators_test|PhaseSums*
noise source, secure|privacy/noise_source.hpp|return ExactLaplace(scale);|return ExactLaplace(0.5 * scale);|curators_test|*
phases|curators/phase_sums.hpp|noise_(releases.noise().laplace(plan.scale)),|noise_(releases.noise().laplace(0.5 * plan.scale)),|curators_test|PhaseSums*
trees, a block|curators/tree_sum.hpp|noise_(source.laplace(scale)),|noise_(source.laplace(0.5 * scale)),|curators_test|*Tree*:Counters*
refined trees, a block|curators/refined_tree_sum.hpp|noise_(source.laplace(scale)),|noise_(source.laplace(0.5 * scale)),|curators_test|Counters*
signed trees, a block|privacy/signed_tree.hpp|noise_(source.laplace(scale)),|noise_(source.laplace(0.5 * scale)),|curators_test|Counters*
trees of a given scale|curators/counters.hpp|(plan.horizon, 2, plan.scale, arm,|(plan.horizon, 2, 0.5 * plan.scale, arm,|curators_test|Counters*
toeplitz, its noise|privacy/toeplitz.cpp|0.5 * sigma_ * both[k].imag()|0.25 * sigma_ * both[k].imag()|curators_test|Counters*
hybrid, a total|curators/hybrid_sum.hpp|release(since_power_, 2 * scale_, n|release(since_power_, scale_, n|curators_test|Hybrid*
hybrid, a node|curators/hybrid_sum.hpp|release(block, 2 * levels * scale_|release(block, levels * scale_|curators_test|Hybrid*
intervals|curators/interval_sums.hpp|laplace(plan_.scale(a.observed))|laplace(0.5 * plan_.scale(a.observed))|curators_test|Interval*
epochs, all sums|curators/epoch_sums.hpp|mechanism_(noise.laplace(plan.scale))|mechanism_(noise.laplace(0.5 * plan.scale))|curators_test|EpochSums*
epochs, the leader|curators/epoch_sums.hpp|                                   plan.scale)) {}|                                   0.5 * plan.scale)) {}|simulation_test|Ledger*
plans, counters and their share|curators/plans.cpp|return shape.term_scale() * share / epsilon;|return 0.5 * shape.term_scale() * share / epsilon;|policies_test|Catalogue*
plans, toeplitz and its share|curators/plans.cpp|shape.term_scale() * std::sqrt(share));|0.5 * shape.term_scale() * std::sqrt(share));|curators_test|*
plans, intervals|curators/plans.cpp|return std::pow(static_cast<double>(n), v / 2);|return 0.5 * std::pow(static_cast<double>(n), v / 2);|curators_test|Interval*
plans, the guarantee of phases|curators/plans.cpp|Guarantee PhasePlan::guarantee(const Movement& m, Arithmetic arithmetic) const {\n  return of_a_release(m, privacy::Laplace(scale, arithmetic));|Guarantee PhasePlan::guarantee(const Movement& m, Arithmetic arithmetic) const {\n  return of_a_release(m, privacy::Laplace(2 * scale, arithmetic));|policies_test|Catalogue*
plans, the guarantee of trees|curators/plans.cpp|m.moves, privacy::tree_levels(horizon),|m.moves, privacy::tree_levels(horizon) / 2,|policies_test|Catalogue*
plans, the guarantee of counters|curators/plans.cpp|m.moves, shape.levels(),|m.moves, 1,|policies_test|Catalogue*
plans, the guarantee of intervals|curators/plans.cpp|const Round releases = std::max<Round>(1, horizon / interval);|const Round releases = 1;|curators_test|Interval*
plans, a round enters one report|curators/plans.cpp|constexpr int kReportsOfARound = 1;|constexpr int kReportsOfARound = 0;|policies_test|Catalogue*
plans, the numbers of stops|curators/plans.cpp|const privacy::StopResponse response(epsilon, positions);|const privacy::StopResponse response(2 * epsilon, positions);|policies_test|CascadeRecipes*
devices, responses|devices/of_plan.hpp|user.by.response(plan.epsilon)|user.by.response(2 * plan.epsilon)|devices_test|DeviceOf*
devices, laplace|devices/of_plan.hpp|user.by.laplace(plan.scale)|user.by.laplace(0.5 * plan.scale)|devices_test|DeviceOf*
devices, gaussian|devices/of_plan.hpp|user.by.gaussian(plan.sigma, plan.delta)|user.by.gaussian(0.5 * plan.sigma, plan.delta)|devices_test|DeviceOf*
devices, stops|devices/of_plan.hpp|user.by.stops(plan.epsilon, plan.positions)|user.by.stops(2 * plan.epsilon, plan.positions)|devices_test|DeviceOf*
anytime-lazy-ucb|policies/recipes/anytime_lazy_ucb.hpp|.scale = 1 / required_epsilon|.scale = 0.5 / required_epsilon|policies_test|*
cascade-dp|policies/recipes/cascade_dp.hpp|.scale = 1 / required_epsilon|.scale = 0.5 / required_epsilon|policies_test|*
cucb-ldp|policies/recipes/cucb_ldp.hpp|return {action_set(s)->size() / required_epsilon|return {0.5 * action_set(s)->size() / required_epsilon|policies_test|*
rnm-ftnl|policies/recipes/noisy_leader.hpp|{.one_sided = false, .scale = 2 / required_epsilon|{.one_sided = false, .scale = 1 / required_epsilon|policies_test|*
ldp-ucb-bits|policies/recipes/ldp_ucb.hpp|return {required_epsilon(kCard.name, s)};|return {2 * required_epsilon(kCard.name, s)};|policies_test|*
LIST
)

file=""
restore() { [ -z "$file" ] || git checkout -q -- "$file"; }
trap 'restore; exit 130' INT TERM
survived=0
while IFS='|' read -r name path from to program tests; do
  [[ "$name" == *"${1:-}"* ]] || continue
  file="lib/tacit/$path"
  if ! FROM="$from" TO="$to" perl -0pi -e 'BEGIN { s/\\n/\n/g for @ENV{"FROM", "TO"} } s/\Q$ENV{FROM}\E/$ENV{TO}/ or exit 1' "$file" || git diff --quiet; then
    echo "$name: not found in $file; the list is out of date"
    survived=1
  elif ! ninja -C "$build" "$program" >/dev/null 2>&1; then
    echo "$name: does not compile"
    survived=1
  elif "$build/$program" --gtest_filter="$tests" >/dev/null 2>&1; then
    echo "$name: SURVIVED $program $tests"
    survived=1
  else
    echo "$name: caught by $program $tests"
  fi
  restore
done <<< "$mutations"
exit $survived
