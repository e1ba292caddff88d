// The curator of policies that release after every observation: a counter an arm, of the kind that its noise says
// (privacy/counter_noise.hpp), over the arm's own observations.
//
// Slots are (arm, observation). With answers that come late an outcome is kept by itself until those before it
// are in.
#pragma once

#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "tacit/accounting/releases.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/curators/hybrid_sum.hpp"
#include "tacit/curators/open_slots.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/curators/refined_tree_sum.hpp"
#include "tacit/curators/release.hpp"
#include "tacit/curators/tree_sum.hpp"
#include "tacit/privacy/gaussian.hpp"
#include "tacit/privacy/signed_tree.hpp"
#include "tacit/privacy/toeplitz.hpp"

namespace tacit::curators {

template <class NoiseSource>
class Counters {
 public:
  Counters(const CounterPlan& plan, int arms, const accounting::Releases<NoiseSource>& releases)
      : releases_(releases), open_(arms, 0, {}), sums_(make(plan, arms, releases.noise())) {
    if (!plan.shape.is_gaussian()) return;  // trees note their blocks
    releases.note_loss(kAllArms, 1, plan.shape.horizon(), [&] {
      const double l2 = plan.shape.term_scale() * std::sqrt(plan.share);
      privacy::Loss loss =
          privacy::Gaussian(plan.term_scale(), plan.delta).loss(privacy::Sensitivity::l2_ball(l2));
      loss.mechanism =
          fmt::format("correlated Gaussian noise (sigma {:.6g}, columns of length {:.4g})",
                      plan.term_scale(), l2);
      return loss;
    });
  }
  /// Trees of a scale that is given.
  Counters(const TreePlan& plan, int arms, const accounting::Releases<NoiseSource>& releases)
      : releases_(releases),
        open_(arms, 0, {}),
        sums_(of_arms<TreeSum<NoiseSource>>(arms, [&](Arm arm) {
          return TreeSum<NoiseSource>(plan.horizon, 2, plan.scale, arm, releases.noise());
        })) {}

  void add(Slot slot, const privacy::Secret<Sum>& outcome) {
    if (privacy::Secret<Sum>* kept = open_.find(slot)) *kept += outcome;
  }
  Release release(Slot slot, Round) {
    // Not copied: a copy waits until what was just added is in memory, every round.
    const privacy::Secret<Sum>& outcome = open_.oldest(slot);
    const ClosedInTheEnd closed{open_, slot.arm};
    // The usual ones are inlined.
    if (Trees* trees = std::get_if<Trees>(&sums_)) [[likely]] {
      return next((*trees)[slot.arm], slot.arm, outcome);
    }
    return std::visit([&](auto& sums) { return next(sums[slot.arm], slot.arm, outcome); }, sums_);
  }

  template <class Archive>
  void state(Archive& archive) {
    archive(open_);
    std::visit(
        [&](auto& sums) {
          for (auto& sum : sums) {
            if constexpr (requires { sum.state(archive); }) {
              archive(sum);
            } else {
              refuse_to_save_toeplitz();
            }
          }
        },
        sums_);
  }

 private:
  using Slots = OpenSlots<privacy::Secret<Sum>>;

  /// Whatever happens: what may have been released is not released again.
  struct ClosedInTheEnd {
    Slots& slots;
    Arm arm;
    ~ClosedInTheEnd() { slots.close_oldest(arm); }
  };

  /// Their noise is computed ahead in stretches that nobody seals. They have no exact form either, so that none is
  /// held by an application.
  [[noreturn]] static void refuse_to_save_toeplitz() {
    throw InvalidParameter("save", "counter", "toeplitz",
                           "is for simulations: the other counters can be saved");
  }

  using Trees = PerArm<TreeSum<NoiseSource>>;
  using SignedTrees = PerArm<privacy::SignedTreeSum<NoiseSource>>;
  using RefinedTrees = PerArm<RefinedTreeSum<NoiseSource>>;
  using Hybrids = PerArm<HybridSum<NoiseSource>>;
  using Toeplitz = PerArm<privacy::ToeplitzSum>;
  using Sums = std::variant<Trees, SignedTrees, RefinedTrees, Hybrids, Toeplitz>;

  template <class RunningSum>
  Release next(RunningSum& sum, Arm, const privacy::Secret<Sum>& outcome) {
    return sum.add(outcome, releases_);
  }
  Release next(privacy::SignedTreeSum<NoiseSource>& sum, Arm arm,
               const privacy::Secret<Sum>& outcome) {
    const auto value = sum.add(outcome, releases_);
    releases_.show(arm, value.value());
    return {value, sum.terms()};
  }
  Release next(privacy::ToeplitzSum& sum, Arm arm, const privacy::Secret<Sum>& outcome) {
    if constexpr (std::is_same_v<NoiseSource, privacy::SimulatedNoise>) {
      const auto value = sum.add(outcome, releases_.noise());
      releases_.show(arm, value.value());
      return {value, 1};
    } else {
      refuse_toeplitz();
    }
  }

  [[noreturn]] static void refuse_toeplitz() {
    throw InvalidParameter(Option{"counter"}, "toeplitz",
                           "has real weights and no exact noise; signed has");
  }

  template <class RunningSum, class Make>
  static PerArm<RunningSum> of_arms(int arms, Make make_one) {
    PerArm<RunningSum> sums;
    for (Arm arm = 0; arm < arms; ++arm) sums.push_back(make_one(arm));
    return sums;
  }

  static Sums make(const CounterPlan& plan, int arms, const NoiseSource& noise) {
    using privacy::Counter;
    const privacy::CounterNoise& shape = plan.shape;
    if (shape.is_gaussian() && noise.arithmetic() == privacy::Arithmetic::kExact) refuse_toeplitz();
    constexpr Round kLongest = Round{1} << 26;
    if (shape.is_gaussian() && shape.horizon() > kLongest) {
      throw InvalidParameter(Option{"counter"}, "toeplitz",
                             "keeps a number for every round; up to 2^26 of them");
    }
    const double scale = plan.term_scale();
    switch (shape.kind()) {
      case Counter::kToeplitz:
        return of_arms<privacy::ToeplitzSum>(
            arms, [&](Arm arm) { return privacy::ToeplitzSum(scale, arm); });
      case Counter::kSigned:
        return of_arms<privacy::SignedTreeSum<NoiseSource>>(arms, [&](Arm arm) {
          return privacy::SignedTreeSum<NoiseSource>(shape, scale, arm, noise);
        });
      case Counter::kRefined:
        return of_arms<RefinedTreeSum<NoiseSource>>(
            arms, [&](Arm arm) { return RefinedTreeSum<NoiseSource>(shape, scale, arm, noise); });
      case Counter::kHybrid:
        // Its noises are made as they are needed: that the largest can be had is asked now.
        static_cast<void>(noise.laplace(scale / shape.term_scale() * shape.largest_term_scale()));
        return of_arms<HybridSum<NoiseSource>>(
            arms, [&](Arm arm) { return HybridSum<NoiseSource>(scale / shape.term_scale(), arm); });
      case Counter::kTree: break;
    }
    return of_arms<TreeSum<NoiseSource>>(arms, [&](Arm arm) {
      return TreeSum<NoiseSource>(shape.horizon(), shape.arity(), scale, arm, noise);
    });
  }

  accounting::Releases<NoiseSource> releases_;
  Slots open_;
  Sums sums_;
};

}  // namespace tacit::curators
