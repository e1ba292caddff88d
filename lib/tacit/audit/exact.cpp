#include "tacit/audit/exact.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacit/audit/small.hpp"
#include "tacit/core/check.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/estimators/phase_schedule.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/policies/recipes/anytime_lazy_ucb.hpp"
#include "tacit/policies/recipes/matroid_lazy.hpp"

namespace tacit::audit {
namespace {

/// Noise on whole numbers, its values from -reach to reach.
struct WholeNoise {
  double scale;
  bool one_sided = false;

  double chance(int x) const {
    const double a = 1 / scale;
    if (one_sided) return x < 0 ? 0 : -std::expm1(-a) * std::exp(-a * x);
    return std::tanh(a / 2) * std::exp(-a * std::abs(x));
  }
  /// P(noise >= x).
  double at_least(int x) const {
    const double a = 1 / scale;
    if (one_sided) return x <= 0 ? 1 : std::exp(-a * x);
    return x > 0 ? std::exp(-a * x) / (1 + std::exp(-a))
                 : 1 - std::exp(-a * (1 - x)) / (1 + std::exp(-a));
  }
  double values_one_side() const { return std::ceil(24 * scale); }
  int reach() const { return static_cast<int>(values_one_side()); }
};

/// Rarer events are left out, with the noises beyond reach: so near to nothing doubles lose their digits, and
/// what looks impossible may only be too small to be written down.
constexpr double kRarest = 1e-100;
/// With a larger one, what is e^-epsilon times as rare as kRarest could not be written down either.
constexpr double kLargestEpsilon = 100;

/// Noise that reaches too far has more values than can be gone through.
void check_reach(const WholeNoise& noise, double epsilon, double most) {
  if (noise.values_one_side() <= most) return;
  throw InvalidParameter(Option{"epsilon"}, fmt::format("{}", epsilon),
                         fmt::format("must be at least {:.3g} to be computed; smaller ones can be "
                                     "sampled, without --exact",
                                     1.01 * epsilon * noise.values_one_side() / most));
}

/// The log-ratio of two chances of an event; infinite where only the first can happen.
double loss_of(double chance, double other) {
  return chance < kRarest ? 0 : std::log(chance / other);
}

// --- Leaders of epochs: every epoch's sums choose one action, and no two epochs share a round. ---

/// P(one arm's score is larger than another's by `margin` at least), its sum being larger by `lead`.
double beats(const WholeNoise& noise, int lead, int margin) {
  double total = 0;
  // Far enough for a small scale too, where a lead is made up for by either noise as likely as by the other.
  const int reach = 2 * (noise.reach() + std::abs(lead));
  for (int x = -reach; x <= reach; ++x)
    total += noise.chance(x) * noise.at_least(x + margin - lead);
  return total;
}

ExactResult audit_epoch_leaders(const WholeNoise& noise, double epsilon, Round rounds) {
  check_reach(noise, epsilon, 1e7);
  ExactResult result;
  result.beyond = 2 * noise.at_least(2 * noise.reach() + 1) * 3;
  Round last = 0;
  for (int length = 1; last + length < rounds; length *= 2) {
    last += length;
    // By how much the first sum leads. The first of equal scores wins. Both chances are added up, since
    // one minus a chance close to 1 has no digits left.
    std::map<int, double> first_wins;
    std::map<int, double> second_wins;
    for (int lead = -length; lead <= length; ++lead) {
      first_wins[lead] = beats(noise, lead, 0);
      second_wins[lead] = beats(noise, -lead, 1);
    }
    const auto consider = [&](int s0, int s1, int z0, int z1) {
      if (z0 < 0 || z1 < 0 || z0 > length || z1 > length) return;
      const double of_first = loss_of(first_wins[s0 - s1], first_wins[z0 - z1]);
      const double of_second = loss_of(second_wins[s0 - s1], second_wins[z0 - z1]);
      const double loss = std::max(of_first, of_second);
      if (loss <= result.epsilon) return;
      result.epsilon = loss;
      result.where =
          fmt::format("an epoch of length {}, sums {} and {} against {} and {}: arm {} is chosen",
                      length, s0, s1, z0, z1, of_first > of_second ? 1 : 2);
    };
    for (int s0 = 0; s0 <= length; ++s0) {
      for (int s1 = 0; s1 <= length; ++s1) {
        for (int d0 = -1; d0 <= 1; ++d0) {
          for (int d1 = -1; d1 <= 1; ++d1) consider(s0, s1, s0 + d0, s1 + d1);
        }
      }
    }
  }
  return result;
}

// --- Lazy index policies that forget: the latest release of every arm is all they know. ---

/// The index of a released sum in a round, as the policy computes it.
using IndexOf = std::function<double(const estimators::Estimate&, Round)>;

class LazyAudit {
 public:
  /// Plays `size` of the arms with the largest indices.
  LazyAudit(int arms, int size, WholeNoise noise, double epsilon, IndexOf index, Round rounds)
      : arms_(static_cast<std::size_t>(arms)),
        size_(size),
        noise_(noise),
        index_(std::move(index)),
        rounds_(rounds),
        progress_(arms_) {
    // One weight for every value of every arm, in every round: a few minutes and about a gigabyte.
    constexpr double kMostStates = 8e6;
    check_reach(noise, epsilon,
                (std::pow(kMostStates, 1.0 / arms) - 1 - static_cast<double>(rounds)) / 2);
    reach_ = noise.reach();
    values_ = static_cast<std::size_t>(2 * reach_ + 1 + rounds);
  }

  ExactResult run() {
    std::size_t states = 1;
    for (std::size_t a = 0; a < arms_; ++a) states *= values_;
    // Nothing is released yet: all weight on one state, whose values nobody looks at.
    std::vector<double> weights(states, 0);
    weights[0] = 1;
    play(1, weights);
    compare();
    result_.beyond = 2 * noise_.at_least(reach_ + 1) * static_cast<double>(most_releases_);
    return result_;
  }

 private:
  struct Epoch {
    std::size_t arm;
    unsigned rounds;  // as bits: who is in it
    int sum;
  };
  struct Progress {
    int epoch = 0;
    int collected = 0;
    unsigned rounds = 0;  // of the present epoch
    int n = 0;            // behind the latest release; 0: none
  };
  struct Leaf {
    std::vector<int> sums;
    double chance;
  };
  struct Sequence {
    std::vector<Epoch> epochs;  // without their sums
    std::vector<Leaf> leaves;
  };

  std::size_t stride(std::size_t arm) const {
    std::size_t s = 1;
    for (std::size_t a = 0; a < arm; ++a) s *= values_;
    return s;
  }
  std::size_t value_index(std::size_t state, std::size_t arm) const {
    return state / stride(arm) % values_;
  }

  /// Every action that can be taken, with the weights of the states that take it.
  void play(Round t, const std::vector<double>& weights) {
    if (t > rounds_) {
      Sequence& sequence = sequences_[actions_];
      Leaf leaf{{}, 0};
      for (const double w : weights) leaf.chance += w;
      if (sequence.leaves.empty()) sequence.epochs = epochs_;
      for (const Epoch& epoch : epochs_) leaf.sums.push_back(epoch.sum);
      most_releases_ = std::max(most_releases_, epochs_.size());
      sequence.leaves.push_back(std::move(leaf));
      return;
    }
    // Indices of every value that an arm's latest release can have.
    std::vector<std::vector<double>> scores(arms_);
    for (std::size_t a = 0; a < arms_; ++a) {
      const double n = progress_[a].n;
      for (int value = -reach_; scores[a].size() < values_; ++value) {
        scores[a].push_back(index_({static_cast<double>(value), n, n > 0 ? 1 : 0}, t));
      }
    }
    for (unsigned action = 0; action < 1U << arms_; ++action) {
      if (std::popcount(action) != size_) continue;
      std::vector<double> taken(weights.size(), 0);
      double total = 0;
      for (std::size_t state = 0; state < weights.size(); ++state) {
        if (weights[state] == 0) continue;
        taken[state] = weights[state] * chance_of(action, state, scores);
        total += taken[state];
      }
      if (total == 0) continue;
      actions_.push_back(action);
      learn(t, action, 0, std::move(taken));
      actions_.pop_back();
    }
  }

  /// P(the action is chosen): the largest indices, equal ones at random. One arm of all, or all but one.
  double chance_of(unsigned action, std::size_t state,
                   const std::vector<std::vector<double>>& scores) const {
    const bool one = size_ == 1;
    const unsigned odd = one ? action : ~action & ((1U << arms_) - 1);  // the one in, or left out
    const auto arm = static_cast<std::size_t>(std::countr_zero(odd));
    const double own = scores[arm][value_index(state, arm)];
    int equal = 0;
    for (std::size_t a = 0; a < arms_; ++a) {
      const double other = scores[a][value_index(state, a)];
      if (one ? other > own : other < own) return 0;
      equal += other == own ? 1 : 0;
    }
    return 1.0 / equal;
  }

  /// The played arms from `arm` on take their observation; a full epoch is released, with every sum.
  void learn(Round t, unsigned action, std::size_t arm, std::vector<double> weights) {
    if (arm == arms_) {
      play(t + 1, weights);
      return;
    }
    if ((action >> arm & 1U) == 0) {
      learn(t, action, arm + 1, std::move(weights));
      return;
    }
    const Progress before = progress_[arm];
    Progress& a = progress_[arm];
    ++a.collected;
    a.rounds |= 1U << t;
    const auto length = static_cast<int>(schedule_.length(a.epoch, 0));
    // What the last round releases is seen by no action.
    if (a.collected < length || t == rounds_) {
      learn(t, action, arm + 1, std::move(weights));
      progress_[arm] = before;
      return;
    }
    a = {a.epoch + 1, 0, 0, length};
    const unsigned members = before.rounds | 1U << t;
    // The latest value is forgotten: its weights are added up.
    const std::size_t step = stride(arm);
    const std::vector<double> forgotten = without(weights, step);
    for (int sum = 0; sum <= length; ++sum) {
      std::vector<double> after(weights.size(), 0);
      for (std::size_t state = 0; state < after.size(); ++state) {
        const std::size_t v = value_index(state, arm);
        const std::size_t base = state - v * step;
        if (forgotten[base] == 0) continue;
        after[state] = forgotten[base] * noise_.chance(static_cast<int>(v) - reach_ - sum);
      }
      epochs_.push_back({arm, members, sum});
      learn(t, action, arm + 1, std::move(after));
      epochs_.pop_back();
    }
    progress_[arm] = before;
  }

  /// Weights added up over one arm's values, where its value is the first.
  std::vector<double> without(const std::vector<double>& weights, std::size_t step) const {
    std::vector<double> sums(weights.size(), 0);
    for (std::size_t state = 0; state < weights.size(); ++state) {
      if (weights[state] == 0) continue;
      const std::size_t v = state / step % values_;
      sums[state - v * step] += weights[state];
    }
    return sums;
  }

  /// The largest ratio between sums that one round can turn into each other.
  void compare() {
    for (const auto& [actions, sequence] : sequences_) {
      std::map<std::vector<int>, double> chances;
      for (const Leaf& leaf : sequence.leaves) chances[leaf.sums] = leaf.chance;
      for (Round t = 1; t <= rounds_; ++t) {
        std::vector<std::size_t> hit;
        for (std::size_t e = 0; e < sequence.epochs.size(); ++e) {
          if ((sequence.epochs[e].rounds >> t & 1U) != 0) hit.push_back(e);
        }
        if (hit.empty()) continue;
        for (const auto& [sums, chance] : chances) {
          std::vector<int> moved = sums;
          move(sequence.epochs, hit, 0, sums, moved, chance, chances, actions, t);
        }
      }
    }
  }

  void move(const std::vector<Epoch>& epochs, const std::vector<std::size_t>& hit, std::size_t at,
            const std::vector<int>& sums, std::vector<int>& moved, double chance,
            const std::map<std::vector<int>, double>& chances, const std::vector<unsigned>& actions,
            Round t) {
    if (at == hit.size()) {
      const auto found = chances.find(moved);
      const double loss = loss_of(chance, found == chances.end() ? 0 : found->second);
      if (loss <= result_.epsilon) return;
      result_.epsilon = loss;
      std::vector<std::string> names;
      for (const unsigned action : actions) {
        std::string name;
        for (std::size_t a = 0; a < arms_; ++a) {
          if ((action >> a & 1U) != 0) name += fmt::format("{}", a + 1);
        }
        names.push_back(name);
      }
      result_.where =
          fmt::format("actions {}, round {} replaced: sums {} against {}", fmt::join(names, " "), t,
                      fmt::join(sums, " "), fmt::join(moved, " "));
      return;
    }
    const int length = std::popcount(epochs[hit[at]].rounds);
    for (const int by : {-1, 0, 1}) {
      moved[hit[at]] = sums[hit[at]] + by;
      if (moved[hit[at]] < 0 || moved[hit[at]] > length) continue;
      move(epochs, hit, at + 1, sums, moved, chance, chances, actions, t);
    }
    moved[hit[at]] = sums[hit[at]];
  }

  std::size_t arms_;
  int size_;
  WholeNoise noise_;
  IndexOf index_;
  Round rounds_;
  int reach_ = 0;
  std::size_t values_ = 0;
  estimators::PhaseSchedule schedule_ = estimators::PhaseSchedule::doubling();
  std::vector<Progress> progress_;  // of an arm
  std::vector<unsigned> actions_;
  std::vector<Epoch> epochs_;
  std::map<std::vector<unsigned>, Sequence> sequences_;
  std::size_t most_releases_ = 0;
  ExactResult result_;
};

template <class Index>
IndexOf index_of(const Index& index) {
  return [index](const estimators::Estimate& e, Round t) {
    return index.value(index.prepare(e), indices::clock_of(index, t));
  };
}

}  // namespace

const std::vector<std::string>& exactly_auditable() {
  static const std::vector<std::string> names{"rnm-ftnl", "rnm-ftnl-as-published", "pf-ftnl",
                                              "anytime-lazy-ucb", "dpucb-mat"};
  return names;
}

ExactResult exact_audit(const std::string& policy, double epsilon, Round rounds) {
  check::positive("exact_audit", "epsilon", epsilon);
  check::within("exact_audit", "epsilon", epsilon, 0, kLargestEpsilon);
  check::within("exact_audit", "rounds", static_cast<double>(rounds), 0, 10);
  const Round played = rounds == 0 ? 8 : rounds;
  // The recipe's own numbers: its plan's noise and its index, so that what is audited is what is played.
  const policies::Card& card = policies::find_policy(policy).card;
  const policies::Setting setting{.arms = small_arms(card),
                                  .epsilon = epsilon,
                                  .delta = std::nullopt,
                                  .horizon = played,
                                  .actions = small_actions(card)};
  const curators::Plan plan = policies::find_policy(policy).plan(setting, {});
  if (const auto* leader = std::get_if<curators::NoisyLeaderPlan>(&plan)) {
    return audit_epoch_leaders({leader->scale, leader->one_sided}, epsilon, played);
  }
  if (policy == policies::recipes::AnytimeLazyUcb::kCard.name) {
    return LazyAudit(2, 1, {std::get<curators::PhasePlan>(plan).scale}, epsilon,
                     index_of(policies::recipes::AnytimeLazyUcb::index(setting, {})), played)
        .run();
  }
  if (policy == policies::recipes::DpUcbMat::kCard.name) {
    return LazyAudit(3, 2, {std::get<curators::PhasePlan>(plan).scale}, epsilon,
                     index_of(policies::recipes::DpUcbMat::index(setting, {})),
                     rounds == 0 ? 4 : rounds)
        .run();
  }
  throw InvalidParameter(
      Option{"exact"}, policy,
      fmt::format("can be computed for {}", fmt::join(exactly_auditable(), ", ")));
}

}  // namespace tacit::audit
