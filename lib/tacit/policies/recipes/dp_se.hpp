// dp-se: successive elimination. All surviving arms are played equally often; at the end of an epoch
// noisy means are compared and clearly worse arms dropped. Of optimal order; needs T, or guesses it.
//
// Sajed & Sheffet 2019, "An optimal private stochastic-MAB algorithm based on an optimal private
// stopping rule", Alg. 2.
//   L1  epoch e = 1, 2, ... with D = 2^-e and S surviving arms
//   L2  R = ceil(max(32 ln(8 S e^2/beta)/D^2, 8 ln(4 S e^2/beta)/(eps D)) + 1) fresh pulls of every
//       survivor, in turn
//   L3  mean_j = mean of those + Lap(1/(eps R))
//   L4  h = sqrt(ln(8 S e^2/beta)/(2R)), c = ln(4 S e^2/beta)/(R eps); drop arms more than 2h + 2c
//       below the best
//   L5  the last survivor is played to the end
// horizon=doubling makes it anytime, in the usual way that Hu et al. (arXiv:2102.07929) mention:
//   L6  T_i = 2^8, 2^16, 2^32, ...: for T_i rounds as above with beta = 1/T_i, then anew with all arms and the next T_i
// ln T_i doubles, so that what all guesses lose together is of the order of the last, whose logarithm is at most twice that of
// the rounds played, from the 16th on (of T_i = 2^i it would be ln^2 T). Regret on hu-linear at epsilon 0.5, 40 runs:
//               T = 1e4     1e5     1e6
//   known          2191    3437    3953
//   doubling       2390    8761    9170
// Symbols: beta -> failure probability, 1/T unless given (doubling: 1/T_i).
// Departures: 1. a survivor's R pulls come in a row, not in turn with the others': an epoch is one stretch an arm, in
// random order, so that an epoch which the horizon cuts off favours nobody.
// Late answers: an epoch whose releases are still under way does not hold up the next, which begins with the
// survivors known then; an arm that an earlier epoch drops meanwhile finishes its epoch.
// Privacy: one round enters one epoch's sum of one arm, which is released once: eps. A new guess looks at nothing that was
// released; outcomes of an epoch that the guess cut off were not, and are the first of the arm's next sum.
// Cost: one decision an epoch and survivor.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tacit/core/per_arm.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/estimators/memory.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::policies::recipes {

struct DpSe {
  static constexpr Card kCard =
      central("dp-se", "DP successive elimination", "Sajed & Sheffet 2019").needing_the_horizon();
  static constexpr const char* kErrorParameter = "beta";
  enum class Horizon { kKnown, kDoubling };
  struct Parameters {
    std::optional<double> beta = std::nullopt;  // failure probability in (0, 1); 1/T unless given
    Horizon horizon = Horizon::kKnown;
    bool anytime() const noexcept { return horizon == Horizon::kDoubling; }
    template <class V>
    static void fields(V& v) {
      v.real("beta", &Parameters::beta, 0, 1, "1/horizon", "failure probability");
      v.choice("horizon", &Parameters::horizon,
               {{"known", Horizon::kKnown}, {"doubling", Horizon::kDoubling}},
               "known; doubling: guessed as 2^8, 2^16, 2^32, ..., beginning anew with each guess");
    }
  };

  class Learner {
   public:
    using Feedback = feedback::Bandit;

    /// Without a horizon it is guessed.
    Learner(int arms, double epsilon, std::optional<double> beta, std::optional<Round> horizon,
            Pace pace, const random::Dice& dice)
        : epsilon_(epsilon),
          beta_(beta),
          guess_(horizon.value_or(kFirstGuess)),
          ends_(horizon ? kLastRound : kFirstGuess),
          pace_(pace),
          dice_(dice),
          open_(arms),
          last_(arms) {
      begin_with_all_arms();
    }

    int recorded() const noexcept { return 1; }
    const std::vector<Arm>& survivors() const noexcept { return survivors_; }
    /// The last survivor; of a guessed horizon the next guess may think otherwise.
    std::span<const Arm> verdict() const noexcept {
      if (survivors_.size() > 1 || ends_ < kLastRound) return {};
      return survivors_;
    }

    void choose(const Situation& situation, Choice& choice) {
      const Round t = situation.t;
      while (t > ends_) next_guess();
      if (!epochs_.empty() && epochs_.back().finished()) begin_epoch();
      if (survivors_.size() == 1 && situation.is_eligible(survivors_[0])) {  // L5
        choice.unrecorded(survivors_[0], pace_ == Pace::kPlain ? t : ends_);
        return;
      }
      for (const Member& member : epochs_.back().members) {
        if (member.is_full() || !situation.is_eligible(member.arm)) continue;
        const Round last = t + std::min(member.length - member.done, kLastRound) - 1;
        choice.one(member.arm, {member.arm, member.phase},
                   pace_ == Pace::kPlain ? t : std::min(last, ends_));
        return;
      }
      // Nobody who is eligible is still needed: anybody, and nothing is recorded.
      auto draw = dice_.ties(t);
      choice.unrecorded(situation.eligible[static_cast<std::size_t>(random::uniform_index(
                            draw, static_cast<int>(situation.eligible.size())))],
                        t);
    }

    Round assign(Slot slot, Round n) {
      Member& member = epochs_.back().of(slot.arm);
      member.done += n;
      const bool full = member.is_full();
      open_[slot.arm] = full ? OpenSlot{slot.phase + 1, 0} : OpenSlot{slot.phase, member.done};
      return full ? member.done : 0;
    }
    void deliver(Slot slot, Values values, Round n, int) {
      const auto epoch =
          std::find_if(epochs_.begin(), epochs_.end(), [&](const Epoch& e) { return e.has(slot); });
      Member& member = epoch->of(slot.arm);
      member.mean = values[0].value() / static_cast<double>(n);
      member.released = true;
      last_[slot.arm].add(values[0].value(), n, 1);
      if (!epoch->all_released()) return;
      // Not always the oldest: an arm that is dropped meanwhile may be the last to answer.
      const auto position = epoch - epochs_.begin();
      if (!epoch->of_an_older_guess) {
        eliminate(*epoch);
        if (epoch + 1 == epochs_.end()) begin_epoch();
      }
      epochs_.erase(epochs_.begin() + position);
    }
    /// Of the last epoch of the arm that came back.
    View show(Arm arm) const {
      View view{last_[arm].sum, last_[arm].n, last_[arm].noises, 0};
      for (const Epoch& epoch : epochs_) {
        for (const Member& member : epoch.members) {
          if (member.arm == arm && member.is_full() && !member.released) {
            view.under_way += member.done;
          }
        }
      }
      return view;
    }

    template <class Archive>
    void state(Archive& archive) {
      archive(survivors_, guess_, ends_, epochs_of_guess_, last_epoch_, open_, epochs_, last_,
              dice_);
    }

   private:
    static constexpr Round kFirstGuess = Round{1} << 8;

    struct Member {
      Arm arm = 0;
      Round phase = 0;   // of its slot
      Round length = 0;  // R, or one more than the slot had to begin with
      Round done = 0;
      double mean = 0;
      bool released = false;

      bool is_full() const noexcept { return done >= length; }
      template <class Archive>
      void state(Archive& archive) {
        archive(arm, phase, length, done, mean, released);
      }
    };
    struct Epoch {
      Round number = 0;  // of its guess
      Round length = 0;  // R: pulls of every member
      bool of_an_older_guess = false;
      std::vector<Member> members;

      double pulls() const { return static_cast<double>(length); }
      Member& of(Arm arm) {
        return *std::find_if(members.begin(), members.end(),
                             [&](const Member& m) { return m.arm == arm; });
      }
      bool has(Slot slot) const {
        return std::any_of(members.begin(), members.end(), [&](const Member& m) {
          return m.arm == slot.arm && m.phase == slot.phase;
        });
      }
      bool finished() const {
        return std::all_of(members.begin(), members.end(),
                           [](const Member& m) { return m.is_full(); });
      }
      bool all_released() const {
        return std::all_of(members.begin(), members.end(),
                           [](const Member& m) { return m.released; });
      }
      template <class Archive>
      void state(Archive& archive) {
        archive(number, length, of_an_older_guess, members);
      }
    };
    /// The slot that an arm's next outcome goes to, and what is in it already: of an epoch that a guess cut off.
    struct OpenSlot {
      Round phase = 1;
      Round done = 0;
      template <class Archive>
      void state(Archive& archive) {
        archive(phase, done);
      }
    };

    static constexpr std::uint64_t kOrderOfAnEpoch = 1;  // 0 is for rounds

    double log_over_beta(double factor, const Epoch& epoch) const {
      const auto e = static_cast<double>(epoch.number);
      const double beta = beta_.value_or(1 / static_cast<double>(guess_));
      return std::log(factor * static_cast<double>(epoch.members.size()) * e * e / beta);
    }

    void begin_with_all_arms() {
      survivors_.resize(static_cast<std::size_t>(last_.arms()));
      std::iota(survivors_.begin(), survivors_.end(), 0);
      epochs_of_guess_ = 0;
      begin_epoch();
    }

    void next_guess() {  // L6
      constexpr Round kLastToSquare = Round{1} << 26;
      guess_ = guess_ > kLastToSquare ? kLastRound : guess_ * guess_;
      ends_ = std::min(ends_ + guess_, kLastRound);
      // What is full comes out yet, and tells nothing any more.
      for (Epoch& epoch : epochs_) {
        epoch.of_an_older_guess = true;
        std::erase_if(epoch.members, [](const Member& m) { return !m.is_full() || m.released; });
      }
      std::erase_if(epochs_, [](const Epoch& epoch) { return epoch.members.empty(); });
      begin_with_all_arms();
    }

    void begin_epoch() {  // L1, L2
      Epoch epoch;
      epoch.number = ++epochs_of_guess_;
      for (const Arm arm : survivors_) epoch.members.push_back({.arm = arm});
      auto order = dice_.ties(++last_epoch_, kOrderOfAnEpoch);
      for (std::size_t i = epoch.members.size(); i > 1; --i) {
        std::swap(epoch.members[i - 1], epoch.members[static_cast<std::size_t>(
                                            random::uniform_index(order, static_cast<int>(i)))]);
      }
      const double gap = std::ldexp(1.0, -static_cast<int>(std::min<Round>(epoch.number, 1000)));
      const double needed = std::max(32 * log_over_beta(8, epoch) / (gap * gap),
                                     8 * log_over_beta(4, epoch) / (epsilon_ * gap));
      // An epoch longer than any horizon never ends.
      const double longest = std::floor(0x1p60 / static_cast<double>(survivors_.size()));
      epoch.length = static_cast<Round>(std::min(std::ceil(needed + 1), longest));
      for (Member& member : epoch.members) {
        const OpenSlot& slot = open_[member.arm];
        member.phase = slot.phase;
        member.done = slot.done;
        // A slot is released when a choice fills it.
        member.length = std::max(epoch.length, slot.done + 1);
      }
      epochs_.push_back(std::move(epoch));
    }

    /// Among those who are left: of two epochs that are under way at once the second must not drop the last.
    void eliminate(const Epoch& epoch) {
      const double h = std::sqrt(log_over_beta(8, epoch) / (2 * epoch.pulls()));  // L4
      const double c = log_over_beta(4, epoch) / (epoch.pulls() * epsilon_);
      double best = -std::numeric_limits<double>::infinity();
      for (const Member& member : epoch.members) {
        if (std::find(survivors_.begin(), survivors_.end(), member.arm) == survivors_.end())
          continue;
        best = std::max(best, member.mean);
      }
      const double floor = best - 2 * h - 2 * c;
      for (const Member& member : epoch.members) {
        if (member.mean < floor) std::erase(survivors_, member.arm);
      }
    }

    double epsilon_;
    std::optional<double> beta_;
    Round guess_;  // of the horizon, or the horizon
    Round ends_;   // the last round of the guess
    Pace pace_;
    random::Dice dice_;
    std::vector<Arm> survivors_;
    Round epochs_of_guess_ = 0;
    Round last_epoch_ = 0;
    PerArm<OpenSlot> open_;
    PerArm<estimators::Forget> last_;  // for show() alone
    std::vector<Epoch> epochs_;        // not all released yet; the last one is being played
  };

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = 1 / required_epsilon(kCard.name, s), .first_phase = 1};  // L3: on the sum
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    const auto horizon =
        p.horizon == Horizon::kKnown ? std::optional<Round>(s.horizon) : std::nullopt;
    return Learner(s.arms, required_epsilon(kCard.name, s), p.beta, horizon, s.pace, dice);
  }
};

}  // namespace tacit::policies::recipes
