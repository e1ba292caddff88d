#!/bin/bash
# Halves one noise scale after the other in the source and sees that some test fails. Run from the root of a
# clean checkout that was built with the release preset; every change is undone, also when interrupted.
#
#   scripts/mutate_noise.sh [PATTERN]     only the mutations whose name holds PATTERN
set -u
build=build/release
git diff --quiet || { echo "mutate_noise: the checkout has changes; commit or stash them first" >&2; exit 2; }

# name | file under lib/tacit | what stands there (fixed text) | what replaces it | test program | its tests
mutations=$(cat <<'LIST'
laplace, ideal|privacy/laplace.hpp|random::laplace(generator, scale_));|random::laplace(generator, 0.5 * scale_));|privacy_test|*Laplace*
laplace, exact|privacy/laplace.hpp|discrete_laplace(generator, grid.scale);|discrete_laplace(generator, grid.scale / 2);|privacy_test|Exact*
laplace, drawn in advance|privacy/laplace.hpp|discrete_laplace(source, grid_.scale)|discrete_laplace(source, grid_.scale / 2)|privacy_test|NoiseReserve*
laplace, its loss|privacy/laplace.cpp|.epsilon = s.l1 / scale_,|.epsilon = s.l1 / (2 * scale_),|privacy_test|*Laplace*
gaussian, ideal|privacy/gaussian.hpp|sigma_ * random::standard_normal(generator));|0.5 * sigma_ * random::standard_normal(generator));|privacy_test|*Gaussian*
gaussian, exact|privacy/gaussian.hpp|discrete_gaussian(generator, grid.scale);|discrete_gaussian(generator, grid.scale / 4);|privacy_test|Exact*
response, ideal|privacy/randomized_response.hpp|truth_(1 / (1 + std::exp(-epsilon_))),|truth_(1 / (1 + std::exp(-2 * epsilon_))),|privacy_test|*Response*
response, exact|privacy/randomized_response.cpp|std::exp(-static_cast<long double>(epsilon)));|std::exp(-2 * static_cast<long double>(epsilon)));|privacy_test|Exact*
stop response|privacy/stop_response.cpp|const double e = std::exp(-epsilon_);|const double e = std::exp(-2 * epsilon_);|privacy_test|*StopResponse*
noisy max, laplace|privacy/noisy_max.hpp|random::laplace(generator, scale_);|random::laplace(generator, 0.5 * scale_);|privacy_test|*NoisyMax*
noisy max, exponential|privacy/noisy_max.hpp|random::exponential(generator, scale_);|random::exponential(generator, 0.5 * scale_);|privacy_test|*NoisyMax*
noisy max, exact|privacy/noisy_max.hpp|discrete_laplace(generator, grid_.scale)|discrete_laplace(generator, grid_.scale / 2)|privacy_test|Exact*
counters, their share|estimators/counter.hpp|return shape.term_scale() * budget.share / budget.epsilon;|return 0.5 * shape.term_scale() * budget.share / budget.epsilon;|estimators_test|Counter*
signed trees, a block|privacy/signed_tree.cpp|return noise_.draw(draw);|return 0.5 * noise_.draw(draw);|estimators_test|Counter*
toeplitz, its noise|privacy/toeplitz.cpp|0.5 * sigma_ * both[k].imag()|0.25 * sigma_ * both[k].imag()|estimators_test|Counter*
hybrid, a total|estimators/hybrid_counter.hpp|release(a.since_power, 2 * scale_, arm|release(a.since_power, scale_, arm|estimators_test|Hybrid*
hybrid, a node|estimators/hybrid_counter.hpp|release(block, 2 * levels * scale_|release(block, levels * scale_|estimators_test|Hybrid*
intervals|estimators/interval_releases.hpp|std::pow(static_cast<double>(n), v_ / 2), arithmetic_|0.5 * std::pow(static_cast<double>(n), v_ / 2), arithmetic_|estimators_test|Interval*
anytime-lazy-ucb|policies/recipes/anytime_lazy_ucb.hpp|privacy::Laplace(1 / epsilon, s.arithmetic)|privacy::Laplace(0.5 / epsilon, s.arithmetic)|policies_test|*
cascade-dp|policies/recipes/cascade_dp.hpp|const double scale = 1 / required_epsilon(kCard.name, s);|const double scale = 0.5 / required_epsilon(kCard.name, s);|policies_test|*
cucb-ldp|policies/recipes/cucb_ldp.hpp|privacy::Laplace(scale, s.arithmetic)|privacy::Laplace(0.5 * scale, s.arithmetic)|policies_test|*
LIST
)

file=""
restore() { [ -z "$file" ] || git checkout -q -- "$file"; }
trap 'restore; exit 130' INT TERM
survived=0
while IFS='|' read -r name path from to program tests; do
  [[ "$name" == *"${1:-}"* ]] || continue
  file="lib/tacit/$path"
  if ! FROM="$from" TO="$to" perl -0pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/ or exit 1' "$file" || git diff --quiet; then
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
