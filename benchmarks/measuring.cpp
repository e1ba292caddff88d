#include "measuring.hpp"

#include <algorithm>
#include <ctime>
#include <memory>

#include <fmt/format.h>

#include "tacit/simulation/simulate.hpp"

namespace tacit::benchmarks {

Job job(const specs::RequestText& given) {
  specs::RequestText text = given;
  text.runs = std::string("1");
  text.checkpoints = std::string("log:1");
  const std::shared_ptr<simulation::Simulator> simulator =
      simulation::prepare(specs::request(text).request);
  return {[simulator](std::uint64_t run) { simulator->run(run); }};
}

Job plain_ucb1() {
  return job({.problem = {.name = "hu-linear"}, .policy = "ucb1", .horizon = "1e6", .plain = true});
}
double unit(const Job& plain_ucb1) { return plain_ucb1.best / kMillion; }

std::string falling_means(int arms) {
  std::string means;
  for (int i = 0; i < arms; ++i) {
    means += fmt::format("{}{:.5f}", i == 0 ? "" : ",", 0.7 - 0.4 * i / arms);
  }
  return means;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void measure(const std::vector<Job*>& jobs, int repetitions) {
  constexpr double kLongEnough = 0.02;  // seconds a repetition
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (Job* job : jobs) {
      std::uint64_t runs = 0;
      const double start = cpu_seconds();
      double spent = 0;
      while (spent < kLongEnough) {
        job->run(1000 * static_cast<std::uint64_t>(repetition) + runs++);
        spent = cpu_seconds() - start;
      }
      job->best = std::min(job->best, spent / static_cast<double>(runs));
    }
  }
}

void measure_once(Job& job) {
  const double start = cpu_seconds();
  job.run(0);
  job.best = cpu_seconds() - start;
}

}  // namespace tacit::benchmarks
