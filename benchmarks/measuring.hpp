// Times as ratios: absolute ones mean nothing on a noisy machine. A job is measured several times, in turn with those
// that it is compared with, and its smallest time counts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "report.hpp"
#include "tacit/specs/requests.hpp"

namespace tacit::benchmarks {

constexpr Round kMillion = 1000000;

/// One run of something.
struct Job {
  std::function<void(std::uint64_t run)> run;
  double best = 1e300;  // seconds a run, the smallest of all repetitions
};

/// A run of a policy as the command line would play it.
Job job(const specs::RequestText& text);

/// Plain ucb1 with five arms: a million rounds of it. What a round of it costs is the unit of the others.
Job plain_ucb1();
double unit(const Job& plain_ucb1);

/// Evenly from 0.7 down to 0.3, as the command line takes them.
std::string falling_means(int arms);

double cpu_seconds();

/// Jobs taken in turn, so that a slow moment hits all alike.
void measure(const std::vector<Job*>& jobs, int repetitions = 7);
/// One run, for jobs of many seconds.
void measure_once(Job& job);

// What is measured, a file each.
void measure_skipping(Report& report);
void measure_rounds(Report& report);
void measure_growth(Report& report);
void measure_figures(Report& report);

}  // namespace tacit::benchmarks
