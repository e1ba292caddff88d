#include "tacit/actions/action_set.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/actions/position.hpp"

namespace tacit::actions {

void Oracle::set_scores(std::span<const double> scores) noexcept {
  std::copy(scores.begin(), scores.end(), scores_.begin());
}

std::unique_ptr<Oracle> ActionSet::oracle_for(Start start) const {
  if (start == Start::kGreedy) return oracle();
  auto by_edmonds = oracle_by_edmonds();
  if (!by_edmonds) throw UnfitActions(name(), "start=edmonds needs a matroid or top:K");
  return by_edmonds;
}

std::int64_t ActionSet::units(double value) {
  static_assert(kValueBits == 36);
  return std::llrint(value * 0x1p36);
}

double ActionSet::from_units(std::int64_t units) {
  return std::ldexp(static_cast<double>(units), -kValueBits);
}

std::int64_t ActionSet::value(std::span<const Arm> action, std::span<const double> means) const {
  std::int64_t sum = 0;
  for (const Arm arm : action) sum += units(means[at(arm)]);
  return sum;
}

GiniSmoothness ActionSet::gini_smoothness() const {
  const double b1 = smoothness().b1;
  return {b1, b1 * std::sqrt(size()) / 2};
}

std::optional<std::int64_t> ActionSet::best_value(std::span<const double> means) const {
  constexpr std::size_t kMostToTry = 100000;
  if (approximation().exact()) return value(best_for(means), means);
  return best_of_all(means, kMostToTry);
}

std::optional<std::int64_t> ActionSet::best_of_all(std::span<const double> means,
                                                   std::size_t most) const {
  std::optional<std::int64_t> best;
  for (const auto& action : all(most)) {
    const std::int64_t here = value(action, means);
    if (!best || here > *best) best = here;
  }
  return best;
}

std::int64_t ActionSet::benchmark(std::span<const double> means) const {
  return benchmark(means, best_value(means));
}

std::int64_t ActionSet::benchmark(std::span<const double> means,
                                  std::optional<std::int64_t> best) const {
  const std::int64_t found = best ? *best : value(best_for(means), means);
  const Approximation oracle = approximation();
  return oracle.exact() ? found : units(oracle.alpha * oracle.beta * from_units(found));
}

std::vector<std::vector<Arm>> ActionSet::all(std::size_t most) const {
  const auto written = listed();
  if (written.size() > most) return {};
  return {written.begin(), written.end()};
}

std::vector<Arm> ActionSet::best_for(std::span<const double> means) const {
  const auto solver = oracle();
  solver->set_scores(means);
  const ChosenSet choice = solver->choose(1, random::Dice::named("benchmark", name()));
  return {choice.arms.begin(), choice.arms.end()};
}

}  // namespace tacit::actions
