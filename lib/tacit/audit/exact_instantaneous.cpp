#include "tacit/audit/exact_instantaneous.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacit/audit/exact_law.hpp"
#include "tacit/audit/exact_state.hpp"
#include "tacit/audit/whole_noise.hpp"
#include "tacit/core/check.hpp"
#include "tacit/privacy/randomized_response.hpp"

namespace tacit::audit {
namespace {

/// A value that can come out, and its chances given the sum of what went in: 0, 1, ..., n.
struct Value {
  double value;
  std::vector<double> chances;
};

/// What can come out of sums.
class PossibleValues {
 public:
  explicit PossibleValues(const Play& play)
      : policy_(play.entry.card.name), plan_(play.entry.plan(play.played(), play.parameters)) {
    if (play.entry.card.feedback != feedback::Kind::kBandit) {
      refuse("plays more than one arm a round, or sees more");
    }
    std::visit([this](const auto& plan) { check(plan); }, plan_);
  }

  const std::vector<Value>& of(Round n, Round so_far) {
    const auto found = known_.find({n, so_far});
    if (found != known_.end()) return found->second;
    return known_.emplace(std::pair(n, so_far), made(n, so_far)).first->second;
  }

 private:
  template <class Plan>
  static constexpr bool kNoisy =
      std::is_same_v<Plan, curators::PhasePlan> || std::is_same_v<Plan, curators::IntervalPlan> ||
      std::is_same_v<Plan, curators::TreePlan> || std::is_same_v<Plan, curators::CounterPlan> ||
      std::is_same_v<Plan, curators::LaplaceReportPlan>;

  [[noreturn]] void refuse(const char* reason) const {
    throw InvalidParameter(
        Option{"exact"}, policy_,
        fmt::format("{}, which is not computed for one action at a time; it can be sampled, "
                    "without --exact",
                    reason));
  }
  template <class Plan>
  void check(const Plan&) const {
    if constexpr (!kNoisy<Plan> && !std::is_same_v<Plan, curators::ResponsePlan>) {
      refuse("releases something else than noisy sums or bits");
    }
  }
  double scale(Round so_far) const {
    return std::visit(
        [so_far](const auto& plan) -> double {
          using Plan = std::remove_cvref_t<decltype(plan)>;
          if constexpr (std::is_same_v<Plan, curators::IntervalPlan>) {
            return plan.scale(so_far);
          } else if constexpr (std::is_same_v<Plan, curators::CounterPlan>) {
            // Of trees and hybrid counters alone: others have no law here.
            const bool hybrid = plan.shape.kind() == privacy::Counter::kHybrid;
            return plan.term_scale() * (hybrid ? privacy::hybrid_parts(so_far).scale() : 1);
          } else if constexpr (kNoisy<Plan>) {
            return plan.scale;
          }
          return 0;
        },
        plan_);
  }

  std::vector<Value> made(Round n, Round so_far) const {
    if (const auto* response = std::get_if<curators::ResponsePlan>(&plan_)) {
      // The chance of a lie is rounded up: what is played counts.
      const double epsilon =
          privacy::RandomizedResponse(response->epsilon).loss(privacy::kOneOutcome).epsilon;
      const double lie = 1 / (1 + std::exp(epsilon));
      return {{0, {1 - lie, lie}}, {1, {lie, 1 - lie}}};
    }
    const WholeNoise noise{scale(so_far)};
    const int most = static_cast<int>(n);
    const int reach = static_cast<int>(std::ceil(kReach * noise.scale));
    std::vector<Value> all;
    for (int value = -reach; value <= most + reach; ++value) {
      Value said{static_cast<double>(value), {}};
      for (int sum = 0; sum <= most; ++sum) {
        said.chances.push_back(value == -reach         ? noise.at_least(sum - value)
                               : value == most + reach ? noise.at_least(value - sum)
                                                       : noise.chance(value - sum));
      }
      all.push_back(std::move(said));
    }
    return all;
  }

  std::string policy_;
  curators::Plan plan_;
  std::map<std::pair<Round, Round>, std::vector<Value>> known_;
};

/// An arm's outcomes that came out together first: after the first `begins`, up to the first `ends`.
struct Segment {
  Arm arm;
  Round begins;
  Round ends;

  std::size_t sums() const { return static_cast<std::size_t>(ends - begins) + 1; }
  bool operator==(const Segment&) const = default;
};

/// A history of actions: the public states that it may have led to, and how likely it led there on every table. The table
/// of sums s_1, s_2, ... of the segments is the s_1 + sums_1 (s_2 + sums_2 (...))-th.
struct Node {
  std::vector<Arm> actions;
  std::vector<Segment> segments;
  std::vector<std::string> states;
  std::vector<std::vector<double>> chances;  // of every table, by state
};

class Search {
 public:
  Search(const Play& play, const Law& law, std::int64_t most_chances)
      : law_(law),
        rounds_(play.setting.horizon),
        most_chances_(most_chances),
        values_(play),
        state_(play, law) {}

  /// How many rounds can be followed: all, or fewer.
  Round run() {
    std::vector<Node> now{{{}, {}, {state_.saved()}, {{1.0}}}};
    for (Round t = 1; t <= rounds_; ++t) {
      std::vector<Node> next;
      for (const Node& node : now) {
        if (!play_round(node, t, next)) return t;
      }
      now = std::move(next);
    }
    result_.rounds = rounds_;
    return rounds_;
  }
  const ExactResult& result() const { return result_; }

 private:
  /// Whether there were not too many.
  bool play_round(const Node& node, Round t, std::vector<Node>& next) {
    std::map<Arm, std::vector<std::size_t>> playing;  // the states that play an arm
    for (std::size_t i = 0; i < node.states.size(); ++i) {
      state_.load(node.states[i]);
      state_.learner().choose({t}, choice_);
      playing[choice_.arm()].push_back(i);
    }
    if (playing.size() > 1) compare(node, playing);
    if (t == rounds_) return true;
    for (const auto& [arm, states] : playing) {
      if (!follow(node, t, arm, states, next)) return false;
    }
    return true;
  }

  void compare(const Node& node, const std::map<Arm, std::vector<std::size_t>>& playing) {
    for (const auto& [arm, states] : playing) {
      std::vector<double> log_chance;  // of the arm given the history, by table
      for (const std::vector<double>& chances : node.chances) {
        double with = 0;
        for (const std::size_t i : states) with += chances[i];
        log_chance.push_back(std::log(with) -
                             std::log(std::accumulate(chances.begin(), chances.end(), 0.0)));
      }
      std::size_t stride = 1;  // from a table to the one with one more in the segment's sum
      for (const Segment& segment : node.segments) {
        for (std::size_t table = 0; table < log_chance.size(); ++table) {
          const std::size_t sum = table / stride % segment.sums();
          if (sum + 1 == segment.sums()) continue;
          const double loss = log_chance[table + stride] - log_chance[table];
          if (std::abs(loss) > result_.epsilon) {
            result_.epsilon = std::abs(loss);
            result_.where = words(node, arm, segment, sum, std::exp(log_chance[table]),
                                  std::exp(log_chance[table + stride]));
          }
        }
        stride *= segment.sums();
      }
    }
  }

  static std::string words(const Node& node, Arm arm, const Segment& segment, std::size_t sum,
                           double chance, double other) {
    std::vector<Arm> actions;
    for (const Arm each : node.actions) actions.push_back(each + 1);
    return fmt::format(
        "after {}, arm {} has probability {:.4g} or {:.4g}, where outcomes {} to {} "
        "of arm {} add up to {} or {}",
        fmt::join(actions, " "), arm + 1, chance, other, segment.begins + 1, segment.ends,
        segment.arm + 1, sum, sum + 1);
  }

  /// The sum, on a table, of a block of outcomes.
  static std::size_t sum_of(const std::vector<Segment>& segments, std::size_t table,
                            const Block& block) {
    std::size_t sum = 0;
    for (const Segment& segment : segments) {
      const bool inside = segment.arm == block.slot.arm && segment.begins >= block.begins &&
                          segment.ends <= block.ends;
      if (inside) sum += table % segment.sums();
      table /= segment.sums();
    }
    return sum;
  }

  /// The history goes on with this arm, from the states that play it.
  bool follow(const Node& node, Round t, Arm arm, const std::vector<std::size_t>& states,
              std::vector<Node>& next) {
    Node after{node.actions, node.segments, {}, {}};
    after.actions.push_back(arm);
    known_.clear();
    bool first = true;
    for (const std::size_t from : states) {
      state_.load(node.states[from]);
      state_.learner().choose({t}, choice_);
      const std::optional<Block> block = completed(t);
      if (first) {
        if (block) after.segments.push_back(segment_of(*block));
        after.chances.resize(node.chances.size() * (block ? after.segments.back().sums() : 1));
        first = false;
      }
      const bool grew = after.segments.size() > node.segments.size();
      if (grew != block.has_value() || (grew && after.segments.back() != segment_of(*block))) {
        throw InvalidParameter(Option{"exact"}, "",
                               "when something is released depends on what was released before, "
                               "which is not computed for one action at a time; it can be sampled, "
                               "without --exact");
      }
      if (!block) {
        const std::vector<double> certain(after.chances.size(), 1);
        if (!add(node, from, certain, after)) return false;
        continue;
      }
      std::vector<std::size_t> sums;  // of the block, by table
      for (std::size_t table = 0; table < after.chances.size(); ++table)
        sums.push_back(sum_of(after.segments, table, *block));
      const std::string text = state_.saved();
      for (const Value& value : values_.of(block->ends - block->begins, block->ends)) {
        state_.load(text);
        if (law_.reports) {
          state_.take(choice_, {value.value});
        } else {
          state_.deliver(*block, {value.value});
        }
        std::vector<double> chances;
        for (const std::size_t sum : sums) chances.push_back(value.chances[sum]);
        if (!add(node, from, chances, after)) return false;
      }
    }
    next.push_back(std::move(after));
    return true;
  }

  /// What this round's choice completes: a slot, or a report.
  std::optional<Block> completed(Round t) {
    if (choice_.slots().empty()) return std::nullopt;
    const Slot slot = choice_.slots()[0];
    if (law_.reports) return Block{slot, 1, t - 1, t, 0};
    const Round full = state_.learner().assign(slot, 1);
    if (full == 0) return std::nullopt;
    return state_.block_of(slot, full);
  }
  Segment segment_of(const Block& block) const {
    return {block.slot.arm, law_.reports ? block.begins : block.ends - block.full, block.ends};
  }

  /// The state that was reached from another, with these chances by table. Whether there were not too many.
  bool add(const Node& node, std::size_t from, const std::vector<double>& chances, Node& after) {
    const auto [found, is_new] = known_.try_emplace(state_.saved(), after.states.size());
    if (is_new) {
      after.states.push_back(found->first);
      for (std::vector<double>& of_table : after.chances) of_table.push_back(0);
    }
    for (std::size_t table = 0; table < chances.size(); ++table) {
      after.chances[table][found->second] +=
          node.chances[table % node.chances.size()][from] * chances[table];
    }
    result_.paths += std::ssize(chances);
    return result_.paths <= most_chances_;
  }

  const Law& law_;
  Round rounds_;
  std::int64_t most_chances_;
  PossibleValues values_;
  PublicState state_;
  policies::Choice choice_;
  std::unordered_map<std::string, std::size_t> known_;  // the states of the node in the making
  ExactResult result_;
};

}  // namespace

ExactResult exact_instantaneous_audit(Play play, Round rounds, std::int64_t most_chances) {
  constexpr double kLargestEpsilon = 100;
  check::within("exact_audit", "epsilon",
                check::positive("exact_audit", "epsilon", play.setting.epsilon.value_or(0)), 0,
                kLargestEpsilon);
  const policies::Card& card = play.entry.card;
  if (card.trust == policies::Trust::kNone) {
    throw InvalidParameter(Option{"policy"}, card.name,
                           "claims no privacy, so there is nothing to compute; tacit list shows "
                           "who does");
  }
  play.setting.pace = policies::Pace::kPlain;
  const bool asked = rounds != 0;
  if (!asked) rounds = enough_rounds(play) + 1;
  for (;;) {
    play.setting.horizon = check::horizon("exact_audit", rounds);
    const Law law = law_of(play);
    Search search(play, law, most_chances);
    const Round feasible = search.run();
    if (feasible == rounds) return search.result();
    if (asked) {
      throw InvalidParameter(
          Option{"rounds"}, fmt::format("{}", rounds),
          fmt::format("more than can be computed at epsilon {}; {} can be, or a larger epsilon",
                      *play.setting.epsilon, feasible));
    }
    rounds = feasible;
  }
}

}  // namespace tacit::audit
