#!/bin/bash
# Plants one fault after the other in the source, rebuilds, and sees that what must find it does. Run from the root of a
# clean checkout that was built with the release preset; every change is undone, also when interrupted. Takes about an hour.
#
#   scripts/mutate.sh [PATTERN]     only the faults whose name holds PATTERN
#   BUILD=build/x scripts/mutate.sh another build folder
#
# Prints a table: the fault, who found it, and by what.
set -u
build=${BUILD:-build/release}
git diff --quiet || { echo "mutate: the checkout has changes; commit or stash them first" >&2; exit 2; }

# name | file under lib/tacit | what stands there (fixed text, \n: the next line) | what replaces it | who finds it:
#   test PROGRAM FILTER                a unit test fails
#   audit POLICY, POLICY [--OPTION]    tacit audit of each, at epsilon 1, says violated
faults=$(cat <<'LIST'
reports that reach the learner as they are|devices/report_device.hpp|notes_.note_report(mechanism_, privacy::kOneOutcome);\n    return report;|notes_.note_report(mechanism_, privacy::kOneOutcome);\n    return privacy::Exact::release(outcome);|audit ts-cf, cucb-ldp2, cascade-ldp, ldp-ucb-laplace
phases, no noise|curators/phase_sums.hpp|noise_.release(open_.oldest(slot), releases_.noise().at(slot.arm, slot.phase));|privacy::Laplace(1e-9).release(open_.oldest(slot), random::SimulationKey(1, "", "", 0).at(random::Purpose::kNoise, 0, 0));|audit mgf-imed, cascade-dp
phases, noise keyed without the phase|curators/phase_sums.hpp|releases_.noise().at(slot.arm, slot.phase)|releases_.noise().at(slot.arm, Round{0})|audit mgf-imed, cascade-dp, lazy-kl-cucb
phases, noise keyed without the arm|curators/phase_sums.hpp|releases_.noise().at(slot.arm, slot.phase)|releases_.noise().at(Arm{0}, slot.phase)|audit mgf-imed, dpucb-mat
phases, half the noise|curators/phase_sums.hpp|noise_(releases.noise().laplace(plan.scale)),|noise_(releases.noise().laplace(0.5 * plan.scale)),|audit mgf-imed, dp-se, lazy-dp-ts
phases, an outcome that enters two releases|curators/phase_sums.hpp|if (privacy::Secret<Sum>* kept = open_.find(slot)) *kept += sum;|if (privacy::Secret<Sum>* kept = open_.find(slot)) *kept += sum;\n    if (privacy::Secret<Sum>* next = open_.find({slot.arm, slot.phase + 1})) *next += sum;|audit mgf-imed, cascade-dp, lazy-kl-cucb
phases, a sum that is not wiped|curators/open_slots.hpp|a.oldest.clear();|;|audit mgf-imed, cascade-dp, lazy-kl-cucb
phases, an outcome that counts twice|curators/phase_sums.hpp|if (privacy::Secret<Sum>* kept = open_.find(slot)) *kept += sum;|if (privacy::Secret<Sum>* kept = open_.find(slot)) { *kept += sum; *kept += sum; }|audit mgf-imed, cascade-dp
epochs, half the noise|curators/epoch_sums.hpp|mechanism_(noise.laplace(plan.scale))|mechanism_(noise.laplace(0.5 * plan.scale))|audit ftnl
epochs, half the noise of the leader|curators/epoch_sums.hpp|                                   plan.scale)) {}|                                   0.5 * plan.scale)) {}|audit rnm-ftnl, pf-ftnl
epochs, noise keyed without the epoch|curators/epoch_sums.hpp|.at(static_cast<std::uint64_t>(slot.phase)),|.at(std::uint64_t{0}),|audit ftnl, rnm-ftnl, pf-ftnl
epochs, an outcome that enters two releases|curators/epoch_sums.hpp|if (privacy::SecretVector<Sum>* kept = find(slot)) *kept += sums;|if (privacy::SecretVector<Sum>* kept = find(slot)) *kept += sums;\n    if (privacy::SecretVector<Sum>* next = find({slot.arm, slot.phase + 1})) *next += sums;|audit ftnl, rnm-ftnl, pf-ftnl
trees, blocks of one size share their noise|curators/tree_sum.hpp|releases.noise().at(arm_, n)|releases.noise().at(arm_, size)|audit dp-ucb-tree, dp-ts-tree
trees, all arms share their noise|curators/tree_sum.hpp|releases.noise().at(arm_, n)|releases.noise().at(Arm{0}, n)|audit dp-ucb-tree
trees, half the noise of a block|curators/tree_sum.hpp|noise_(source.laplace(scale)),|noise_(source.laplace(0.5 * scale)),|audit dp-ucb-tree, dp-ts-tree
trees, an outcome that is in two blocks of one size|curators/tree_sum.hpp|levels_[at].sum.clear();|;|audit dp-ucb-tree, dp-ts-tree
signed trees, noise keyed without the level|privacy/signed_tree.hpp|static_cast<std::uint64_t>(index) * kMostLevels + level);|static_cast<std::uint64_t>(index) * kMostLevels);|audit cucb-dp
signed trees, noise keyed without the arm|privacy/signed_tree.hpp|releases.noise().at(static_cast<std::uint64_t>(arm_),|releases.noise().at(std::uint64_t{0},|audit cucb-dp
signed trees, half the noise of a block|privacy/signed_tree.hpp|noise_(source.laplace(scale)),|noise_(source.laplace(0.5 * scale)),|audit cucb-dp
signed trees, a digit that goes one too far|privacy/signed_tree.hpp|half_((shape.arity() - 1) / 2),|half_((shape.arity() - 1) / 2 + 1),|audit cucb-dp
toeplitz, all arms share their noise|privacy/toeplitz.cpp|source.at(static_cast<std::uint64_t>(arm_))|source.at(std::uint64_t{0})|audit cucb-dp --param counter=toeplitz
toeplitz, half the noise|privacy/toeplitz.cpp|0.5 * sigma_ * both[k].imag()|0.25 * sigma_ * both[k].imag()|audit cucb-dp --param counter=toeplitz
intervals, half the noise|curators/interval_sums.hpp|laplace(plan_.scale(a.observed))|laplace(0.5 * plan_.scale(a.observed))|audit dp-ucb-int
intervals, noise keyed without the interval|curators/interval_sums.hpp|releases_.noise().at(slot.arm, a.observed)|releases_.noise().at(slot.arm, Round{0})|audit dp-ucb-int
response, twice the epsilon|devices/of_plan.hpp|user.by.response(plan.epsilon)|user.by.response(2 * plan.epsilon)|audit ldp-ucb-bits, ts-cf, kl-ucb-cf
response, a 1 that is never denied|privacy/randomized_response.hpp|return lie + static_cast<std::uint64_t>(moved >> 62);|return moved > 0 ? 0 - std::uint64_t{1} : lie;|audit ldp-ucb-bits, ts-cf
stops, twice the epsilon|devices/of_plan.hpp|user.by.stops(plan.epsilon, plan.positions)|user.by.stops(2 * plan.epsilon, plan.positions)|audit cascade-ldp-stop
reports, half the laplace noise|devices/of_plan.hpp|user.by.laplace(plan.scale)|user.by.laplace(0.5 * plan.scale)|audit ldp-ucb-laplace, cucb-ldp1, cucb-ldp2
reports, half the gaussian noise|devices/of_plan.hpp|user.by.gaussian(plan.sigma, plan.delta)|user.by.gaussian(0.5 * plan.sigma, plan.delta)|audit cucb-ldp-gaussian
trees, a level too few|privacy/counter_noise.cpp|rest > 0; rest /= arity) ++levels;|rest >= arity; rest /= arity) ++levels;|test privacy_test *Counter*:*Tree*
laplace, ideal|privacy/laplace.hpp|Secret<double>(random::laplace(generator, scale_));|Secret<double>(random::laplace(generator, 0.5 * scale_));|test privacy_test *Laplace*
laplace, exact|privacy/laplace.hpp|discrete_laplace(generator, grid_.scale)|discrete_laplace(generator, grid_.scale / 2)|test privacy_test Exact*
laplace, drawn in advance|privacy/laplace.hpp|draw(random::SecureSource& source) const { return draw_steps(source); }|draw(random::SecureSource& source) const { return Secret<double>(static_cast<double>(random::exact::discrete_laplace(source, grid_.scale / 2))); }|test privacy_test NoiseReserve*
laplace, its loss|privacy/laplace.cpp|.epsilon = s.l1() / scale_,|.epsilon = s.l1() / (2 * scale_),|test privacy_test *Laplace*
gaussian, ideal|privacy/gaussian.hpp|sigma_ * random::standard_normal(generator));|0.5 * sigma_ * random::standard_normal(generator));|test privacy_test *Gaussian*
gaussian, exact|privacy/gaussian.hpp|discrete_gaussian(generator, grid_.scale);|discrete_gaussian(generator, grid_.scale / 4);|test privacy_test Exact*
response, ideal|privacy/randomized_response.cpp|std::exp(-static_cast<long double>(epsilon));|std::exp(-2 * static_cast<long double>(epsilon));|test privacy_test RandomizedResponse*
response, what it makes of a mean|privacy/randomized_response.hpp|truth_(1 / (1 + std::exp(-epsilon_))),|truth_(1 / (1 + std::exp(-2 * epsilon_))),|test privacy_test *Response*
response, exact|privacy/randomized_response.cpp|std::exp(-static_cast<long double>(epsilon));|std::exp(-2 * static_cast<long double>(epsilon));|test privacy_test Exact*
stop response|privacy/stop_response.cpp|const double e = std::exp(-epsilon_);|const double e = std::exp(-2 * epsilon_);|test privacy_test *StopResponse*
noisy max, laplace|privacy/noisy_max.hpp|random::laplace(generator, scale_);|random::laplace(generator, 0.5 * scale_);|test privacy_test *NoisyMax*
noisy max, exponential|privacy/noisy_max.hpp|random::exponential(generator, scale_);|random::exponential(generator, 0.5 * scale_);|test privacy_test *NoisyMax*
noisy max, exact|privacy/noisy_max.hpp|discrete_laplace(generator, grid_.scale)|discrete_laplace(generator, grid_.scale / 2)|test privacy_test Exact*
noise source, simulated|privacy/noise_source.hpp|return Laplace(scale, arithmetic_);|return Laplace(0.5 * scale, arithmetic_);|test curators_test PhaseSums*
noise source, secure|privacy/noise_source.hpp|return ExactLaplace(scale);|return ExactLaplace(0.5 * scale);|test curators_test *
phases|curators/phase_sums.hpp|noise_(releases.noise().laplace(plan.scale)),|noise_(releases.noise().laplace(0.5 * plan.scale)),|test curators_test PhaseSums*
trees, a block|curators/tree_sum.hpp|noise_(source.laplace(scale)),|noise_(source.laplace(0.5 * scale)),|test curators_test *Tree*:Counters*
refined trees, a block|curators/refined_tree_sum.hpp|noise_(source.laplace(scale)),|noise_(source.laplace(0.5 * scale)),|test curators_test Counters*
signed trees, a block|privacy/signed_tree.hpp|noise_(source.laplace(scale)),|noise_(source.laplace(0.5 * scale)),|test curators_test Counters*
trees of a given scale|curators/counters.hpp|(plan.horizon, 2, plan.scale, arm,|(plan.horizon, 2, 0.5 * plan.scale, arm,|test curators_test Counters*
toeplitz, its noise|privacy/toeplitz.cpp|0.5 * sigma_ * both[k].imag()|0.25 * sigma_ * both[k].imag()|test curators_test Counters*
hybrid, a total|curators/hybrid_sum.hpp|release(since_power_, 2 * scale_, n|release(since_power_, scale_, n|test curators_test Hybrid*
hybrid, a node|curators/hybrid_sum.hpp|release(block, 2 * levels * scale_|release(block, levels * scale_|test curators_test Hybrid*
intervals|curators/interval_sums.hpp|laplace(plan_.scale(a.observed))|laplace(0.5 * plan_.scale(a.observed))|test curators_test Interval*
epochs, all sums|curators/epoch_sums.hpp|mechanism_(noise.laplace(plan.scale))|mechanism_(noise.laplace(0.5 * plan.scale))|test curators_test EpochSums*
epochs, the leader|curators/epoch_sums.hpp|                                   plan.scale)) {}|                                   0.5 * plan.scale)) {}|test simulation_test Ledger*
plans, counters and their share|curators/plans.cpp|return shape.term_scale() * share / epsilon;|return 0.5 * shape.term_scale() * share / epsilon;|test policies_test Catalogue*
plans, toeplitz and its share|curators/plans.cpp|shape.term_scale() * std::sqrt(share));|0.5 * shape.term_scale() * std::sqrt(share));|test curators_test *
plans, intervals|curators/plans.cpp|return std::pow(static_cast<double>(n), v / 2);|return 0.5 * std::pow(static_cast<double>(n), v / 2);|test curators_test Interval*
plans, the guarantee of phases|curators/plans.cpp|Guarantee PhasePlan::guarantee(const Movement& m, Arithmetic arithmetic) const {\n  return of_a_release(m, privacy::Laplace(scale, arithmetic));|Guarantee PhasePlan::guarantee(const Movement& m, Arithmetic arithmetic) const {\n  return of_a_release(m, privacy::Laplace(2 * scale, arithmetic));|test policies_test Catalogue*
plans, the guarantee of trees|curators/plans.cpp|m.moves, privacy::tree_levels(horizon),|m.moves, privacy::tree_levels(horizon) / 2,|test policies_test Catalogue*
plans, the guarantee of counters|curators/plans.cpp|m.moves, shape.levels(),|m.moves, 1,|test policies_test Catalogue*
plans, the guarantee of intervals|curators/plans.cpp|const Round releases = std::max<Round>(1, horizon / interval);|const Round releases = 1;|test curators_test Interval*
plans, a round enters one report|curators/plans.cpp|constexpr int kReportsOfARound = 1;|constexpr int kReportsOfARound = 0;|test policies_test Catalogue*
plans, the numbers of stops|curators/plans.cpp|const privacy::StopResponse response(epsilon, positions);|const privacy::StopResponse response(2 * epsilon, positions);|test policies_test CascadeRecipes*
devices, responses|devices/of_plan.hpp|user.by.response(plan.epsilon)|user.by.response(2 * plan.epsilon)|test devices_test DeviceOf*
devices, laplace|devices/of_plan.hpp|user.by.laplace(plan.scale)|user.by.laplace(0.5 * plan.scale)|test devices_test DeviceOf*
devices, gaussian|devices/of_plan.hpp|user.by.gaussian(plan.sigma, plan.delta)|user.by.gaussian(0.5 * plan.sigma, plan.delta)|test devices_test DeviceOf*
devices, stops|devices/of_plan.hpp|user.by.stops(plan.epsilon, plan.positions)|user.by.stops(2 * plan.epsilon, plan.positions)|test devices_test DeviceOf*
anytime-lazy-ucb|policies/recipes/anytime_lazy_ucb.hpp|.scale = 1 / required_epsilon|.scale = 0.5 / required_epsilon|test policies_test *
cascade-dp|policies/recipes/cascade_dp.hpp|.scale = 1 / required_epsilon|.scale = 0.5 / required_epsilon|test policies_test *
cucb-ldp|policies/recipes/cucb_ldp.hpp|return {action_set(s)->size() / required_epsilon|return {0.5 * action_set(s)->size() / required_epsilon|test policies_test *
rnm-ftnl|policies/recipes/noisy_leader.hpp|{.one_sided = false, .scale = 2 / required_epsilon|{.one_sided = false, .scale = 1 / required_epsilon|test policies_test *
ldp-ucb-bits|policies/recipes/ldp_ucb.hpp|return {required_epsilon(kCard.name, s)};|return {2 * required_epsilon(kCard.name, s)};|test policies_test *
LIST
)

# What tacit audit found, in words: the replay, the law, the guesses.
in_words='
  my $found = decode_json(join "", <STDIN>);
  my @by;
  push @by, "replay: $found->{replay}{complaint}" if $found->{replay}{complaint};
  push @by, "law, $found->{law}{samples} runs: $found->{law}{complaint}" if $found->{law}{complaint};
  push @by, "guesses, $found->{guesses}{samples} runs: by $found->{guesses}{by}" if $found->{guesses}{violated};
  print @by ? $by[0] . (@by > 1 ? " (and " . join(", ", map { /^(\w+(?:, \d+ runs)?)/ } @by[1 .. $#by]) . ")" : "")
            : "$found->{verdict} after $found->{samples} runs";
  exit($found->{verdict} ne "violated");
'

file=""
restore() { [ -z "$file" ] || git checkout -q -- "$file"; }
trap 'restore; exit 130' INT TERM
survived=0
say() { printf '| %s | %s | %s |\n' "$name" "$1" "$2"; }
miss() { say "$1" "**SURVIVED** $2"; survived=1; }

find_by_test() {  # PROGRAM FILTER
  if ! ninja -C "$build" "$1" >/dev/null 2>&1; then
    miss "$1" "does not compile"
  elif "$(find "$build" -name "$1" -type f | head -1)" --gtest_filter="$2" >/dev/null 2>&1; then
    miss "$1" "$2"
  else
    say "$1" "$2"
  fi
}
find_by_audit() {  # POLICY, POLICY [--OPTION VALUE]
  local options=${1#"${1%%--*}"} policies=${1%%--*} policy words
  [ "$options" != "$1" ] || options=""
  if ! ninja -C "$build" tacit >/dev/null 2>&1; then
    miss audit "does not compile"
    return
  fi
  for policy in ${policies//,/ }; do
    # shellcheck disable=SC2086
    if words=$("$build/tacit" audit --policy "$policy" --epsilon 1 --json $options | perl -MJSON::PP -e "$in_words"); then
      say "audit $policy" "$words"
    else
      miss "audit $policy" "$words"
    fi
  done
}

echo '| fault | found by | how |'
echo '|---|---|---|'
while IFS='|' read -r name path from to finder; do
  [[ "$name" == *"${1:-}"* ]] || continue
  file="lib/tacit/$path"
  if ! FROM="$from" TO="$to" perl -0pi -e 'BEGIN { s/\\n/\n/g for @ENV{"FROM", "TO"} } s/\Q$ENV{FROM}\E/$ENV{TO}/ or exit 1' "$file" || git diff --quiet; then
    miss "$finder" "not found in $file; the list is out of date"
  elif [[ $finder == test* ]]; then
    read -r _ program tests <<< "$finder"
    find_by_test "$program" "$tests"
  else
    find_by_audit "${finder#audit }"
  fi
  restore
done <<< "$faults"
exit $survived
