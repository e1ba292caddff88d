// What a policy is tried on. A problem is immutable and shared by threads; all randomness of a run
// comes through the stream it is handed.
//
// draw_... return the joint sufficient statistic of n rounds at once, sealed: nobody but a mechanism
// can look inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tacit/core/stop.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/problems/playback.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::problems {

/// How the outcomes of one round hang together, for those who have to assume something of it.
enum class Dependence {
  kIndependent,  // arm by arm
  kInGroups,     // arms come in groups that have equal outcomes; groups are independent
  kCorrelated,   // as recorded users' tastes do
  kReplayed,     // nothing is drawn: rounds are played back in order
  kDrawn,        // every run has an environment of its own, which says
};

class Prior;

class Problem {
 public:
  virtual ~Problem() = default;
  Problem() = default;
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  virtual int arms() const noexcept = 0;
  /// A line that identifies the problem: part of the key of its randomness.
  virtual std::string name() const = 0;
  /// The largest horizon that it can serve.
  virtual Round last_round() const noexcept { return kLastRound; }
  /// Those who override draw_sums or draw_stop say how.
  virtual Dependence dependence() const noexcept { return Dependence::kIndependent; }

  /// The outcome of one arm in round t.
  virtual privacy::Secret<Outcome> draw_outcome(Arm arm, Round t,
                                                random::SimulationStream& stream) const = 0;
  /// The sum of one arm's outcomes over rounds t..t+n-1.
  virtual privacy::Secret<Sum> draw_sum(Arm arm, Round t, Round n,
                                        random::SimulationStream& stream) const = 0;
  /// The outcomes of several distinct arms in round t, jointly: outcomes[i] is that of arms[i].
  /// Unless overridden, those of independent arms.
  virtual void draw_outcomes(std::span<const Arm> arms, Round t, random::SimulationStream& stream,
                             privacy::SecretVector<Outcome>& outcomes) const;
  /// The sums of several distinct arms over rounds t..t+n-1, jointly: sums[i] is that of arms[i].
  /// Unless overridden, those of independent arms.
  virtual void draw_sums(std::span<const Arm> arms, Round t, Round n,
                         random::SimulationStream& stream, privacy::SecretVector<Sum>& sums) const;
  /// Every arm's sum over rounds t..t+n-1, written into `sums`.
  virtual void draw_all_sums(Round t, Round n, random::SimulationStream& stream,
                             privacy::SecretVector<Sum>& sums) const = 0;

  /// Where a user who is shown this list in round t stops: at the first item that attracts. Unless
  /// overridden, items attract independently, with their means.
  virtual privacy::Secret<Stop> draw_stop(std::span<const Arm> list, Round t,
                                          random::SimulationStream& stream) const;
  /// Whether the user of round t clicks the item when it is shown first: by the rule of draw_stop.
  virtual privacy::Secret<Outcome> draw_click(Arm item, Round t,
                                              random::SimulationStream& stream) const;
  /// How many users of rounds t..t+n-1 do.
  virtual privacy::Secret<Sum> draw_click_sum(Arm item, Round t, Round n,
                                              random::SimulationStream& stream) const;
  /// The probability that a user clicks an item of the list; the order does not matter.
  virtual double click_chance(std::span<const Arm> list) const;
  /// How many users click_chance looks at.
  virtual Round looks_of_a_click_chance() const noexcept { return 0; }

  /// Where every run has an environment of its own: the law they come from, and that of the run whose stream this is;
  /// else null.
  virtual const Prior* prior() const noexcept { return nullptr; }
  virtual std::shared_ptr<const Problem> draw_environment(random::SimulationStream& stream) const;

  /// Where rounds are played back in order, what they are; else null.
  virtual const Playback* playback() const noexcept { return nullptr; }

  /// The environment: the numbers in [0, 1] that, with what is public of it, make up the problem. Empty where it is not
  /// made of means.
  virtual std::span<const double> environment() const noexcept { return {}; }
  /// The same problem in another environment, of as many numbers; null where it has none.
  virtual std::shared_ptr<const Problem> in_environment(std::vector<double>) const {
    return nullptr;
  }

  /// Mean outcome of every arm, from which pseudo-regret is computed.
  const std::vector<double>& means() const noexcept { return means_; }
  double mean(Arm arm) const noexcept { return means_[static_cast<std::size_t>(arm)]; }
  double best_mean() const noexcept { return best_mean_; }

 protected:
  void set_means(std::vector<double> means);

  /// A coin with the arm's mean, to 2^-64. One word whatever the mean is.
  bool toss(Arm arm, random::SimulationStream& stream) const {
    const std::uint64_t word = stream();
    const std::uint64_t threshold = thresholds_[static_cast<std::size_t>(arm)];
    return word < threshold || threshold == kAlways;
  }

 private:
  // More than 2^64 times any double below 1.
  static constexpr std::uint64_t kAlways = std::numeric_limits<std::uint64_t>::max();

  std::vector<double> means_;
  std::vector<std::uint64_t> thresholds_;  // a word below it is a success
  double best_mean_ = 0;
};

}  // namespace tacit::problems
