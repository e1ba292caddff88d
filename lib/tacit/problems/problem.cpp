#include "tacit/problems/problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tacit/random/distributions.hpp"

namespace tacit::problems {

void Problem::set_means(std::vector<double> means) {
  means_ = std::move(means);
  thresholds_.clear();
  for (const double mean : means_) {
    thresholds_.push_back(mean >= 1 ? kAlways : static_cast<std::uint64_t>(std::ldexp(mean, 64)));
  }
  best_mean_ = *std::max_element(means_.begin(), means_.end());
}

std::shared_ptr<const Problem> Problem::draw_environment(random::SimulationStream&) const {
  return nullptr;
}

void Problem::draw_outcomes(std::span<const Arm> arms, Round t, random::SimulationStream& stream,
                            privacy::SecretVector<Outcome>& outcomes) const {
  for (std::size_t i = 0; i < arms.size(); ++i) outcomes.set(i, draw_outcome(arms[i], t, stream));
}

void Problem::draw_sums(std::span<const Arm> arms, Round t, Round n,
                        random::SimulationStream& stream, privacy::SecretVector<Sum>& sums) const {
  for (std::size_t i = 0; i < arms.size(); ++i) sums.set(i, draw_sum(arms[i], t, n, stream));
}

privacy::Secret<Stop> Problem::draw_stop(std::span<const Arm> list, Round,
                                         random::SimulationStream& stream) const {
  int position = 0;
  for (const Arm arm : list) {
    if (toss(arm, stream)) break;
    ++position;
  }
  return privacy::Secret<Stop>(Stop{position});
}

privacy::Secret<Outcome> Problem::draw_click(Arm item, Round,
                                             random::SimulationStream& stream) const {
  return privacy::Secret<Outcome>(Outcome::bit(toss(item, stream)));
}

privacy::Secret<Sum> Problem::draw_click_sum(Arm item, Round, Round n,
                                             random::SimulationStream& stream) const {
  return privacy::Secret<Sum>(Sum::of_ones(random::binomial(stream, n, mean(item))));
}

double Problem::click_chance(std::span<const Arm> list) const {
  // In the order of the arms, so that a set has one value however it is ranked. Regret is made of it in every round:
  // lists that people read need no memory of their own.
  std::array<Arm, 16> few;
  std::vector<Arm> many;
  std::span<Arm> sorted(few.data(), std::min(list.size(), few.size()));
  if (list.size() > few.size()) {
    many.resize(list.size());
    sorted = many;
  }
  std::copy(list.begin(), list.end(), sorted.begin());
  std::sort(sorted.begin(), sorted.end());
  double none = 1;
  for (const Arm arm : sorted) none *= 1 - mean(arm);
  return 1 - none;
}

}  // namespace tacit::problems
