// What a held policy loses where click rates move, and what a pooled difference says of two arms in a season.
//
// A service's clock without its HTTP: slots are released an hour after they are full, floors take their places in an arm's phase,
// and a phase that fills for longer than phase_max_age is closed. Outcomes are drawn, noise is idealised: it is for comparing.
//
//     build/release/benchmarks/moving [runs]
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "tacit/policies/catalogue.hpp"
#include "tacit/policies/release_log.hpp"
#include "tacit/privacy/published.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace {

using namespace tacit;
using random::SimulationStream;

constexpr int kHours = 26 * 7 * 24;
constexpr int kArms = 5;
constexpr double kWeek = 168;

using Means = std::vector<double>;
using World = std::vector<Means>;  // by hour

policies::Setting setting_of(int arms, double epsilon) {
  policies::Setting setting;
  setting.arms = arms;
  setting.epsilon = epsilon;
  return setting;
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

World season_of(World world, double amplitude) {
  constexpr double kFourWeeks = 4 * kWeek;
  for (std::size_t hour = 0; hour < world.size(); ++hour) {
    const double factor =
        1 + amplitude * std::sin(2 * M_PI * static_cast<double>(hour) / kFourWeeks);
    for (double& mean : world[hour]) mean = std::clamp(mean * factor, 0.0, 1.0);
  }
  return world;
}

/// Click rates around 5 %: logits with a spread of 0.3, that walk by `walk` in the square root of a week or are drawn again
/// every `again` hours.
World world_of(double walk, int again, SimulationStream& random) {
  constexpr double kSpread = 0.3;
  constexpr double kCentre = -2.94;
  const double step = walk / std::sqrt(kWeek);
  std::array<double, kArms> logits{};
  World world;
  for (int hour = 0; hour < kHours; ++hour) {
    Means means;
    for (double& x : logits) {
      if (hour == 0 || (again > 0 && hour % again == 0)) {
        x = kSpread * random::standard_normal(random);
      } else if (step > 0) {
        x = (1 - step * step / (2 * kSpread * kSpread)) * x +
            step * random::standard_normal(random);
      }
      means.push_back(logistic(kCentre + x));
    }
    world.push_back(means);
  }
  return world;
}

struct Rule {
  std::string name;
  double floor = 0;       // the least share of every arm
  int phase_max_age = 0;  // hours; 0: never
  int anew = 0;           // the policy begins anew after so many hours; 0: never
};

/// The service's slots, counted in hours.
class Held {
 public:
  Held(const Rule& rule, double epsilon, const random::SimulationKey& key)
      : rule_(rule),
        epsilon_(epsilon),
        noise_(key.stream(random::Purpose::kNoise)),
        coins_(key.stream(random::Purpose::kDecisions)),
        learner_(policies::find_policy("mgf-imed")
                     .learner(setting_of(kArms, epsilon), {}, random::Dice(key))) {
    phase_.fill(std::get<curators::PhasePlan>(
                    policies::find_policy("mgf-imed").plan(setting_of(kArms, epsilon), {}))
                    .first_phase);
  }

  Arm decide(int hour) {
    ++t_;
    if (rule_.floor > 0 && random::bernoulli(coins_, kArms * rule_.floor)) {
      return place({random::uniform_index(coins_, kArms), 0}, hour);
    }
    learner_->choose({t_}, choice_);
    return place(choice_.slots()[0], hour);
  }
  void report(Arm arm, bool clicked) {
    // Of the slot that the decision took: it may be full by now.
    taken_[arm]->sum += clicked ? 1 : 0;
  }
  void tick(int hour) {
    for (auto& [slot, open] : open_) {
      if (rule_.phase_max_age == 0 || open.full || hour - open.opened < rule_.phase_max_age)
        continue;
      open.n = learner_->seal(slot);
      close(slot, open, hour);
    }
    std::optional<Arm> waits;
    for (auto at = open_.begin(); at != open_.end();) {
      const auto& [slot, open] = *at;
      if (waits == slot.arm || !open.full || open.ripe > hour) {
        waits = slot.arm;
        ++at;
        continue;
      }
      const double sum = open.sum + random::laplace(noise_, 1 / epsilon_);
      const std::array values{privacy::Published::again(sum)};
      learner_->deliver(slot, values, open.n, 1);
      at = open_.erase(at);
    }
  }

 private:
  struct Open {
    double sum = 0;
    Round n = 0;
    int opened = 0;
    int ripe = 0;
    bool full = false;
  };

  Arm place(Slot wanted, int hour) {
    const Slot slot{wanted.arm, phase_[static_cast<std::size_t>(wanted.arm)]};
    Open& open = open_.try_emplace(slot, Open{.opened = hour}).first->second;
    taken_[slot.arm] = &open;
    const Round held = learner_->assign(slot, 1);
    if (held > 0) {
      open.n = held;
      close(slot, open, hour);
    }
    return slot.arm;
  }
  void close(Slot slot, Open& open, int hour) {
    open.full = true;
    open.ripe = hour + 2;  // the last decision's hour, and one for its answer
    ++phase_[static_cast<std::size_t>(slot.arm)];
  }

  Rule rule_;
  double epsilon_;
  SimulationStream noise_;
  SimulationStream coins_;
  std::unique_ptr<policies::Learner> learner_;
  policies::Choice choice_;
  Round t_ = 0;
  std::array<Round, kArms> phase_{};
  std::map<Slot, Open> open_;
  std::map<Arm, Open*> taken_;
};

/// Clicks lost to the best arm of each hour, of a thousand decisions.
double lost(const Rule& rule, const World& world, double a_day, double epsilon, std::uint64_t run) {
  const random::SimulationKey key(61, rule.name, "moving", run);
  SimulationStream outcomes = key.stream(random::Purpose::kOutcomes);
  auto held = std::make_unique<Held>(rule, epsilon, key);
  double behind = 0;
  double traffic = 0;
  double decisions = 0;
  for (int hour = 0; hour < kHours; ++hour) {
    if (rule.anew > 0 && hour > 0 && hour % rule.anew == 0) {
      held = std::make_unique<Held>(
          rule, epsilon,
          random::SimulationKey(61, rule.name, "moving",
                                1000 * run + static_cast<std::uint64_t>(hour)));
    }
    held->tick(hour);
    const Means& means = world[static_cast<std::size_t>(hour)];
    const double best = *std::max_element(means.begin(), means.end());
    for (traffic += a_day / 24; traffic >= 1; --traffic) {
      const Arm arm = held->decide(hour);
      const double mean = means[static_cast<std::size_t>(arm)];
      held->report(arm, random::bernoulli(outcomes, mean));
      behind += best - mean;
      ++decisions;
    }
  }
  return 1000 * behind / decisions;
}

struct Mean {
  double value = 0;
  double error = 0;
};

Mean mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  const double n = static_cast<double>(values.size());
  double squares = 0;
  for (const double v : values) squares += (v - sum / n) * (v - sum / n);
  return {sum / n, std::sqrt(squares / (n - 1) / n)};
}

void print_lost(int runs, double a_day, const std::vector<Rule>& rules) {
  struct Named {
    std::string name;
    std::function<World(SimulationStream&)> make;
  };
  constexpr int kSixWeeks = 1008;
  const std::vector<Named> worlds = {
      {"nothing moves", [](auto& r) { return world_of(0, 0, r); }},
      {"rates walk", [](auto& r) { return world_of(0.1, 0, r); }},
      {"new rates every six weeks", [](auto& r) { return world_of(0, kSixWeeks, r); }},
      {"a season of 30 %", [](auto& r) { return season_of(world_of(0, 0, r), 0.3); }},
      {"rates walk, with that season",
       [](auto& r) { return season_of(world_of(0.1, 0, r), 0.3); }}};
  fmt::print("Clicks lost of 1000 decisions, {} a day, epsilon 1, 26 weeks, {} runs\n", a_day,
             runs);
  for (const Named& world : worlds) {
    fmt::print("{:30}", world.name);
    for (const Rule& rule : rules) {
      std::vector<double> values;
      for (int run = 0; run < runs; ++run) {
        SimulationStream random =
            random::SimulationKey(11, "world", world.name, static_cast<std::uint64_t>(run))
                .stream(random::Purpose::kEnvironment);
        values.push_back(lost(rule, world.make(random), a_day, 1, static_cast<std::uint64_t>(run)));
      }
      const Mean mean = mean_of(values);
      fmt::print("  {}: {:.2f} +- {:.2f}", rule.name, mean.value, mean.error);
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
}

/// Two arms at 5 %, the second 4 % better, 20,000 decisions a day, half each or with shares that wander, phases of a day. How often
/// a 95 % interval of their difference misses the difference at equal times.
void print_missed(int runs, double amplitude, bool wanders) {
  constexpr int kDays = 182;
  constexpr Round kADay = 20'000;
  const auto& entry = policies::find_policy("mgf-imed");
  const curators::Plan plan = entry.plan(setting_of(2, 1), {});
  int naive = 0;
  int at_any_time = 0;
  for (int run = 0; run < runs; ++run) {
    const random::SimulationKey key(61, "season", "difference", static_cast<std::uint64_t>(run));
    SimulationStream random = key.stream(random::Purpose::kOutcomes);
    auto log = *policies::ReleaseLog::of(plan, feedback::Kind::kBandit, 2, 1);
    double share = 0.5;
    double weights = 0;
    double truth = 0;
    std::array<double, 2> sums{};
    std::array<double, 2> counts{};
    for (int day = 0; day < kDays; ++day) {
      if (wanders) share = std::clamp(share + 0.06 * random::standard_normal(random), 0.05, 0.95);
      const double factor = 1 + amplitude * std::sin(2 * M_PI * (day + 0.5) / 28);
      const std::array p{0.05 * factor, 0.052 * factor};
      const Round second = random::binomial(random, kADay, share);
      const std::array n{kADay - second, second};
      const double overlap = static_cast<double>(n[0]) * static_cast<double>(n[1]) / kADay;
      weights += overlap;
      truth += overlap * (p[1] - p[0]);
      for (std::size_t arm = 0; arm < 2; ++arm) {
        const double sum = static_cast<double>(random::binomial(random, n[arm], p[arm])) +
                           random::laplace(random, 1);
        const std::array values{privacy::Published::again(sum)};
        log.deliver({static_cast<Arm>(arm), day}, values, n[arm], 1);
        sums[arm] += sum;
        counts[arm] += static_cast<double>(n[arm]);
      }
    }
    truth /= weights;
    const double a = sums[0] / counts[0];
    const double b = sums[1] / counts[1];
    const double error =
        std::sqrt(a * (1 - a) / counts[0] + b * (1 - b) / counts[1] +
                  2 * kDays * (1 / (counts[0] * counts[0]) + 1 / (counts[1] * counts[1])));
    naive += std::abs(b - a - truth) > 1.96 * error;
    const evidence::Interval interval = log.readout().difference(1, 0, 0.05);
    at_any_time += !interval.holds(truth);
  }
  fmt::print(
      "Season of {:.0f} %, shares {}: of {} runs the pooled interval of 1.96 standard errors "
      "missed {}, the one at any time {}\n",
      100 * amplitude, wanders ? "that wander" : "of a half", runs, naive, at_any_time);
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 10;
  const std::vector<Rule> rules = {{.name = "as it is"},
                                   {.name = "floor 1 %", .floor = 0.01},
                                   {.name = "floor 4 %", .floor = 0.04},
                                   {.name = "age 7 d", .phase_max_age = 168},
                                   {.name = "age 1 d", .phase_max_age = 24},
                                   {.name = "both", .floor = 0.04, .phase_max_age = 24},
                                   {.name = "anew 4 w", .anew = 672},
                                   {.name = "anew 1 w", .anew = 168}};
  for (const double amplitude : {0.0, 0.3, 0.6}) {
    for (const bool wanders : {false, true}) print_missed(20 * runs, amplitude, wanders);
  }
  print_lost(runs, 2'000, rules);
  print_lost(runs, 20'000, rules);
}
