// The curators of the follow-the-noisy-leader family (full information): the sums of all arms over an epoch, and
// what leaves of them when it is over, either all of them with noise, or only who leads.
//
// Privacy: one round enters the sums of one epoch, from which one release is made: participation 1.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "tacit/accounting/releases.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/curators/open_slots.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/privacy/noise_source.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::curators {

/// Releases every sum with Laplace noise: pays for all of them.
template <class NoiseSource>
class NoisySums {
 public:
  using Plan = NoisySumsPlan;
  NoisySums(const Plan& plan, const NoiseSource& noise) : mechanism_(noise.laplace(plan.scale)) {}
  const auto& mechanism() const noexcept { return mechanism_; }

  template <class G>
  void release(const privacy::SecretVector<Sum>& sums, G&& generator,
               std::vector<privacy::Released<double>>& values) const {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      values.push_back(mechanism_.release(sums[i], generator));
    }
  }

 private:
  typename NoiseSource::LaplaceNoise mechanism_;
};

/// Releases the position of the largest noisy sum only.
template <class NoiseSource>
class NoisyLeader {
 public:
  using Plan = NoisyLeaderPlan;
  NoisyLeader(const Plan& plan, const NoiseSource& noise)
      : mechanism_(noise.noisy_max(plan.one_sided ? privacy::NoisyMax::Noise::kExponential
                                                  : privacy::NoisyMax::Noise::kLaplace,
                                   plan.scale)) {}
  const auto& mechanism() const noexcept { return mechanism_; }

  template <class G>
  void release(const privacy::SecretVector<Sum>& sums, G&& generator,
               std::vector<privacy::Released<double>>& values) const {
    values.push_back(mechanism_.select(sums, generator));
  }

 private:
  typename NoiseSource::Selection mechanism_;
};

/// Slots are (kAllArms, epoch), epochs counted from 0.
template <template <class> class Selector, class NoiseSource>
class EpochSums {
 public:
  EpochSums(const typename Selector<NoiseSource>::Plan& plan, int arms,
            const accounting::Releases<NoiseSource>& releases, Round first_epoch = 0)
      : arms_(arms),
        selector_(plan, releases.noise()),
        releases_(releases),
        first_(first_epoch) {}

  void add(Slot slot, const privacy::SecretVector<Sum>& sums) {
    if (privacy::SecretVector<Sum>* kept = find(slot)) *kept += sums;
  }
  /// The oldest epoch, which n rounds filled.
  std::vector<privacy::Released<double>> release(Slot slot, Round n) {
    if (slot.phase != first_) [[unlikely]]
      refuse_out_of_turn(slot, first_);
    std::vector<privacy::Released<double>> values;
    selector_.release(*find(slot), releases_.noise().at(static_cast<std::uint64_t>(slot.phase)),
                      values);
    for (const auto& value : values) releases_.show(kAllArms, value.value());
    releases_.note_all(selector_.mechanism(), feedback::FullInformation::sensitivity(arms_),
                       so_far_ + 1, so_far_ + n);
    so_far_ += n;
    epochs_.pop_front();
    ++first_;
    return values;
  }

  template <class Archive>
  void state(Archive& archive) {
    std::size_t open = epochs_.size();
    archive(first_, so_far_, open);
    epochs_.resize(open, privacy::SecretVector<Sum>(static_cast<std::size_t>(arms_)));
    for (privacy::SecretVector<Sum>& sums : epochs_) archive(sums);
  }

 private:
  privacy::SecretVector<Sum>* find(Slot slot) {
    if (slot.phase < first_) return nullptr;
    const auto open = static_cast<std::size_t>(slot.phase - first_);
    while (epochs_.size() <= open) epochs_.emplace_back(static_cast<std::size_t>(arms_));
    return &epochs_[open];
  }

  int arms_;
  Selector<NoiseSource> selector_;
  accounting::Releases<NoiseSource> releases_;
  Round first_;       // the oldest epoch that is not released
  Round so_far_ = 0;  // rounds that were
  std::deque<privacy::SecretVector<Sum>> epochs_;
};

}  // namespace tacit::curators
