#include "tacit/audit/exact_law.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "tacit/audit/declared.hpp"
#include "tacit/audit/whole_noise.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/privacy/randomized_response.hpp"
#include "tacit/privacy/stop_response.hpp"

namespace tacit::audit {
namespace {

/// Rarer events are left out, with the noises beyond reach: so near to nothing doubles lose their digits, and
/// what looks impossible may only be too small to be written down.
constexpr double kRarest = 1e-100;

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

/// A sum of n bits with noise on it.
Possible noisy_sum(const WholeNoise& noise, double epsilon, Round n) {
  constexpr double kMostValues = 1e5;
  check_reach(noise, epsilon, kMostValues);
  const int most = static_cast<int>(n);
  const int reach = noise.reach();
  const auto loss = [&](int value, int sum, int other) {
    return (std::abs(value - other) - std::abs(value - sum)) / noise.scale;
  };
  // The likelier of equally telling ones come first.
  std::vector<Said> said;
  const auto can_be = [&](int value) {
    said.push_back({{static_cast<double>(value)}, loss(value, most - 1, most), loss(value, 1, 0)});
  };
  for (int value = 1; value <= most + reach; ++value) can_be(value);
  for (int value = 0; value >= -reach; --value) can_be(value);
  return {
      std::move(said), 2 * noise.at_least(reach + 1), [most](const Said& s, Direction direction) {
        const bool up =
            direction == Direction::kUp || (direction == Direction::kWorse && s.up > s.down);
        return fmt::format("{}, from {} against {}", s.values[0], up ? most - 1 : 1, up ? most : 0);
      }};
}

/// The chance of a lie is rounded up, so that a large epsilon is never quite reached: what is played counts.
Possible response(double asked) {
  const double epsilon = privacy::RandomizedResponse(asked).loss(privacy::kOneOutcome).epsilon;
  return {{{{0}, epsilon, -epsilon}, {{1}, -epsilon, epsilon}}, 0, [](const Said& s, Direction) {
            return fmt::format("{0}, from {0} against {1}", s.values[0], 1 - s.values[0]);
          }};
}

/// P(one arm's score is larger than another's by `margin` at least), its sum being larger by `lead`.
double beats(const WholeNoise& noise, int lead, int margin) {
  double total = 0;
  // Far enough for a small scale too, where a lead is made up for by either noise as likely as by the other.
  const int reach = 2 * (noise.reach() + std::abs(lead));
  for (int x = -reach; x <= reach; ++x)
    total += noise.chance(x) * noise.at_least(x + margin - lead);
  return total;
}

/// Which of two sums of n bits leads, with noise on both. The first of equal scores does.
Possible leader(const WholeNoise& noise, double epsilon, Round n) {
  check_reach(noise, epsilon, 1e7);
  const int most = static_cast<int>(n);
  // By how much the first sum leads. Both chances are added up, since one minus a chance close to 1 has no digits left.
  std::map<int, double> wins[2];
  for (int lead = -most; lead <= most; ++lead) {
    wins[0][lead] = beats(noise, lead, 0);
    wins[1][lead] = beats(noise, -lead, 1);
  }
  std::vector<Said> said{{{0}}, {{1}}};
  std::map<double, std::string> words;
  for (Said& s : said) {
    auto& chance = wins[static_cast<std::size_t>(s.values[0])];
    for (int first = 0; first <= most; ++first) {
      for (int second = 0; second <= most; ++second) {
        for (int z0 = std::max(0, first - 1); z0 <= std::min(most, first + 1); ++z0) {
          for (int z1 = std::max(0, second - 1); z1 <= std::min(most, second + 1); ++z1) {
            const double loss = loss_of(chance[first - second], chance[z0 - z1]);
            if (loss <= s.up) continue;
            s.up = s.down = loss;
            words[s.values[0]] = fmt::format("arm {} leads, from {} and {} against {} and {}",
                                             s.values[0] + 1, first, second, z0, z1);
          }
        }
      }
    }
  }
  return {std::move(said), 2 * 2 * noise.at_least(2 * noise.reach() + 1),
          [words](const Said& s, Direction) { return words.at(s.values[0]); }};
}

/// Where a user stopped: at a position, or, after the last, nowhere.
Possible stop(const privacy::StopResponse& r) {
  const int positions = r.positions();
  const bool encodes = r.kind() == privacy::StopResponse::Kind::kEncoding;
  // Chances near 0 or 1 have lost digits; what is played is no worse than this.
  const double most = r.loss(privacy::kOneOutcome).epsilon;
  const auto log_chance = [&](unsigned clicks, int truth) {
    if (!encodes) return std::log((truth < positions ? 1U << truth : 0) == clicks ? r.p() : r.q());
    double sum = 0;
    for (int k = 0; k < positions; ++k) {
      const double one = k == truth ? r.p() : r.q();
      sum += std::log((clicks >> k & 1U) != 0 ? one : 1 - one);
    }
    return sum;
  };
  std::vector<Said> said;
  std::map<std::vector<double>, std::string> words;
  for (unsigned clicks = 0; clicks < 1U << positions; ++clicks) {
    if (!encodes && (clicks & (clicks - 1)) != 0) continue;  // one answer
    Said s;
    for (int k = 0; k < positions; ++k) s.values.push_back(((clicks >> k & 1U) - r.q()) / r.gap());
    for (int one = 0; one <= positions; ++one) {
      for (int other = 0; other <= positions; ++other) {
        const double loss = std::min(most, log_chance(clicks, one) - log_chance(clicks, other));
        if (loss <= s.up) continue;
        s.up = s.down = loss;
        words[s.values] = fmt::format("clicks {:0{}b}, from a stop at {} against {} of {}", clicks,
                                      positions, one + 1, other + 1, positions);
      }
    }
    said.push_back(std::move(s));
  }
  return {std::move(said), 0, [words](const Said& s, Direction) { return words.at(s.values); }};
}

class LawOfPlan {
 public:
  explicit LawOfPlan(const Play& play)
      : policy_(play.entry.card.name), epsilon_(*play.played().epsilon), arms_(play.setting.arms) {}

  Law operator()(const curators::PhasePlan& p) const { return {.possible = sum(p.scale)}; }
  Law operator()(const curators::NoisySumsPlan& p) const {
    return {.possible = sum(p.scale), .entries = arms_};
  }
  Law operator()(const curators::IntervalPlan& p) const {
    return {
        .possible = [p, epsilon = epsilon_](
                        Round n, Round so_far) { return noisy_sum({p.scale(so_far)}, epsilon, n); },
        .runs_on = true};
  }
  Law operator()(const curators::TreePlan& p) const { return tree(p.scale, 2); }
  Law operator()(const curators::CounterPlan& p) const {
    switch (p.shape.kind()) {
      case privacy::Counter::kTree: return tree(p.term_scale(), p.shape.arity());
      case privacy::Counter::kHybrid: return hybrid(p.term_scale());
      case privacy::Counter::kSigned:
        refuse("has a counter that uses noise of blocks before their end (counter=tree has not)");
      case privacy::Counter::kRefined:
        refuse("has a counter that weighs many noises in one value (counter=tree does not)");
      case privacy::Counter::kToeplitz: break;
    }
    refuse("has Gaussian noise, whose losses have no largest");
  }
  Law operator()(const curators::NoisyLeaderPlan& p) const {
    if (arms_ != 2) refuse("can be computed for two arms");
    return {.possible = [p, epsilon = epsilon_](Round n, Round) {
      return leader({p.scale, p.one_sided}, epsilon, n);
    }};
  }
  Law operator()(const curators::ResponsePlan& p) const {
    return {.possible = [p](Round, Round) { return response(p.epsilon); }, .reports = true};
  }
  Law operator()(const curators::LaplaceReportPlan& p) const {
    return {.possible = sum(p.scale), .reports = true};
  }
  Law operator()(const curators::StopReportPlan& p) const {
    constexpr int kMostPositions = 10;
    if (p.positions > kMostPositions) refuse("can be computed for lists of up to 10 items");
    return {.possible =
                [p](Round, Round) {
                  return stop({p.epsilon, p.positions});
                },
            .reports = true,
            .whole = true};
  }
  Law operator()(const curators::GaussianReportPlan&) const {
    refuse("has Gaussian noise, whose losses have no largest");
  }
  /// The others protect nothing.
  template <class Plan>
  Law operator()(const Plan&) const {
    refuse("hands out outcomes as they are");
  }

 private:
  [[noreturn]] void refuse(const char* reason) const {
    throw InvalidParameter(Option{"exact"}, policy_,
                           fmt::format("{}; it can be sampled, without --exact", reason));
  }
  std::function<Possible(Round, Round)> sum(double scale) const {
    return [scale, epsilon = epsilon_](Round n, Round) { return noisy_sum({scale}, epsilon, n); };
  }
  Law tree(double scale, int arity) const {
    return {.possible = sum(scale),
            .runs_on = true,
            .before = [arity](Round n) { return without_a_block(n, arity, false); },
            .terms = [arity](Round n) { return privacy::tree_terms(n, arity); }};
  }
  Law hybrid(double scale) const {
    return {.possible =
                [scale, epsilon = epsilon_](Round n, Round so_far) {
                  const double of_release = scale * privacy::hybrid_parts(so_far).scale();
                  return noisy_sum({of_release}, epsilon, n);
                },
            .runs_on = true,
            .before = [](Round n) { return privacy::hybrid_parts(n).before; },
            .terms =
                [](Round n) {
                  const privacy::HybridParts parts = privacy::hybrid_parts(n);
                  return parts.totals() + parts.nodes;
                }};
  }

  std::string policy_;
  double epsilon_;
  int arms_;
};

}  // namespace

double Said::loss(Direction direction) const {
  switch (direction) {
    case Direction::kUp: return up;
    case Direction::kDown: return down;
    case Direction::kWorse: break;
  }
  return std::max(up, down);
}

Possible::Possible(std::vector<Said> said, double beyond, Words words)
    : said_(std::move(said)), beyond_(beyond), words_(std::move(words)) {
  for (std::size_t d = 0; d < worst_.size(); ++d) {
    const auto direction = static_cast<Direction>(d);
    worst_[d] =
        static_cast<std::size_t>(std::max_element(said_.begin(), said_.end(),
                                                  [&](const Said& a, const Said& b) {
                                                    return a.loss(direction) < b.loss(direction);
                                                  }) -
                                 said_.begin());
  }
}

const Said& Possible::worst(Direction direction) const {
  return said_[worst_[static_cast<std::size_t>(direction)]];
}

Law law_of(const Play& play) {
  return std::visit(LawOfPlan(play), play.entry.plan(play.played(), play.parameters));
}

}  // namespace tacit::audit
