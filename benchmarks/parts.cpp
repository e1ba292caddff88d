// What single parts cost.
#include <benchmark/benchmark.h>

#include "tacit/curators/tree_sum.hpp"
#include "tacit/evidence/rate.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/laplace_sum.hpp"
#include "tacit/indices/mgf.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/exact.hpp"
#include "tacit/random/simulation.hpp"

namespace {

using namespace tacit;

random::SimulationStream stream() {
  return random::SimulationKey(1, "benchmark", "parts", 0).stream(random::Purpose::kNoise);
}

void BM_PhiloxWord(benchmark::State& state) {
  auto random = stream();
  for (auto _ : state) benchmark::DoNotOptimize(random());
}
BENCHMARK(BM_PhiloxWord);

void BM_Laplace(benchmark::State& state) {
  auto random = stream();
  for (auto _ : state) benchmark::DoNotOptimize(random::laplace(random, 1));
}
BENCHMARK(BM_Laplace);

void BM_Gamma(benchmark::State& state) {
  auto random = stream();
  const random::GammaAtLeastOne gamma(static_cast<double>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(gamma(random));
}
BENCHMARK(BM_Gamma)->Arg(1)->Arg(1000);

void BM_Binomial(benchmark::State& state) {
  auto random = stream();
  for (auto _ : state) benchmark::DoNotOptimize(random::binomial(random, state.range(0), 0.3));
}
BENCHMARK(BM_Binomial)->Arg(10)->Arg(1000)->Arg(1000000000000);

void BM_DiscreteLaplaceSecure(benchmark::State& state) {
  random::SecureSource source;
  const auto scale = static_cast<std::uint64_t>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(random::exact::discrete_laplace(source, scale));
}
BENCHMARK(BM_DiscreteLaplaceSecure)->Arg(1)->Arg(100)->Arg(1 << 20);

void BM_DiscreteGaussianSecure(benchmark::State& state) {
  random::SecureSource source;
  const auto variance = static_cast<std::uint64_t>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(random::exact::discrete_gaussian(source, variance));
}
BENCHMARK(BM_DiscreteGaussianSecure)->Arg(100)->Arg(std::int64_t{1} << 48);

void BM_SecureWord(benchmark::State& state) {
  random::SecureSource source;
  for (auto _ : state) benchmark::DoNotOptimize(source.word());
}
BENCHMARK(BM_SecureWord);

void BM_KlUpper(benchmark::State& state) {
  double level = 0.01;
  for (auto _ : state) {
    benchmark::DoNotOptimize(indices::kl_upper(0.4, level));
    level += 1e-9;
  }
}
BENCHMARK(BM_KlUpper);

void BM_MgfUpper(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(evidence::upper_mean(400, 1000, 8, 1, 10));
}
BENCHMARK(BM_MgfUpper);

void BM_LaplaceSumQuantileFromTable(benchmark::State& state) {
  const auto& table = indices::LaplaceSumQuantiles::up_to(20);
  double log_t = 5;
  for (auto _ : state) {
    benchmark::DoNotOptimize(table.of(10).at(log_t));
    log_t = log_t > 13 ? 5 : log_t + 1e-6;
  }
}
BENCHMARK(BM_LaplaceSumQuantileFromTable);

void BM_TreeCounterObservation(benchmark::State& state) {
  const privacy::SimulatedNoise noise(random::SimulationKey(1, "benchmark", "tree", 0),
                                      privacy::Arithmetic::kIdealised);
  const accounting::Releases<privacy::SimulatedNoise> releases(noise);
  curators::TreeSum<privacy::SimulatedNoise> tree(kLastRound, 2, 20, 0, noise);
  const privacy::Secret<Sum> one(Sum::of_ones(1));
  for (auto _ : state) benchmark::DoNotOptimize(tree.add(one, releases));
}
BENCHMARK(BM_TreeCounterObservation);

}  // namespace
