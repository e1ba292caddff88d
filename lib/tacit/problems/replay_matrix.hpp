// Recorded users, replayed: in every round one of them is drawn uniformly, with replacement, and the outcome
// of item j is that user's bit j. Outcomes of one round are as correlated as users' tastes are; rounds are
// independent.
//
// Cost of n rounds of m items: O(min(n, users) m). Few rounds draw their users one by one; many draw how
// often each user occurs, a multinomial vector, by one conditional Binomial a user. The laws are the same.
#pragma once

#include <string>
#include <vector>

#include "tacit/problems/bit_matrix.hpp"
#include "tacit/problems/problem.hpp"

namespace tacit::problems {

class ReplayMatrix final : public Problem {
 public:
  explicit ReplayMatrix(BitMatrix bits);

  int arms() const noexcept override { return bits_.items(); }
  std::string name() const override { return name_; }
  Dependence dependence() const noexcept override { return Dependence::kCorrelated; }
  privacy::Secret<Outcome> draw_outcome(Arm arm, Round t,
                                        random::SimulationStream& stream) const override;
  privacy::Secret<Sum> draw_sum(Arm arm, Round t, Round n,
                                random::SimulationStream& stream) const override;
  void draw_outcomes(std::span<const Arm> arms, Round t, random::SimulationStream& stream,
                     privacy::SecretVector<Outcome>& outcomes) const override;
  void draw_sums(std::span<const Arm> arms, Round t, Round n, random::SimulationStream& stream,
                 privacy::SecretVector<Sum>& sums) const override;
  void draw_all_sums(Round t, Round n, random::SimulationStream& stream,
                     privacy::SecretVector<Sum>& sums) const override;

  /// From so many rounds on, draw_sums of `asked` arms counts users instead of drawing them one by one.
  Round counts_users_from(std::size_t asked) const noexcept;
  privacy::Secret<Stop> draw_stop(std::span<const Arm> list, Round t,
                                  random::SimulationStream& stream) const override;
  double click_chance(std::span<const Arm> list) const override;
  Round looks_of_a_click_chance() const noexcept override { return bits_.users(); }

 private:
  BitMatrix bits_;
  std::string name_;
  std::vector<Arm> every_arm_;
};

}  // namespace tacit::problems
