#include "tacit/live/curator.hpp"

#include <utility>
#include <variant>

#include "tacit/curators/of_plan.hpp"

namespace tacit::live {
namespace {

using privacy::Secret;

template <class Sums>
class CuratorOf final : public Curator {
  static constexpr bool kAllArmsAtOnce = curators::OfAllArms<Sums>;

 public:
  CuratorOf(Sums sums, int arms, double missing)
      : sums_(std::move(sums)),
        arms_(static_cast<std::size_t>(arms)),
        missing_(Outcome::nearest(missing)) {}

  Round open_place(Slot slot) override {
    privacy::SecretBits& bits = answered_[slot];
    // Its sum is there from now on, not from the first answer on: that would be told by the length of what is saved.
    if (bits.places() == 0) add_to_all(slot, Secret<Sum>());
    bits.add_place();
    return bits.places() - 1;
  }

  void add(Slot slot, Round place, std::span<const double> outcomes) override {
    const auto open = answered_.find(slot);
    if (open == answered_.end() || place >= open->second.places()) return;
    if constexpr (kAllArmsAtOnce) {
      // One bit for all arms: asked for once.
      const Secret<Sum> counts = open->second.once(place, Secret<Sum>(Sum::of_ones(1)));
      privacy::SecretVector<Sum> sums(arms_);
      for (std::size_t i = 0; i < arms_; ++i) {
        sums.set(i, privacy::SecretBits::times(counts, above_missing(outcomes[i])));
      }
      sums_.add(slot, sums);
    } else {
      sums_.add(slot, open->second.once(place, above_missing(outcomes[0])));
    }
  }

  ReleasedSlot release(Slot slot, Round n) override {
    // Defaults are added once, should a release fail and be asked for again.
    if (answered_.erase(slot) > 0) add_to_all(slot, Secret<Sum>(Sum::repeated(missing_, n)));
    return curators::release_slot(sums_, slot, n);
  }

  void save(privacy::SealingWriter& writer) const override {
    writer(sums_, answered_.size());
    for (const auto& [slot, bits] : answered_) writer(slot.arm, slot.phase, bits);
  }
  void load(privacy::SealingReader& reader) override {
    std::size_t open = 0;
    reader(sums_, open);
    answered_.clear();
    for (; open > 0; --open) {
      Slot slot{};
      reader(slot.arm, slot.phase);
      reader(answered_[slot]);
    }
  }

 private:
  void add_to_all(Slot slot, const Secret<Sum>& sum) {
    if constexpr (kAllArmsAtOnce) {
      privacy::SecretVector<Sum> sums(arms_);
      for (std::size_t i = 0; i < arms_; ++i) sums.set(i, sum);
      sums_.add(slot, sums);
    } else {
      sums_.add(slot, sum);
    }
  }
  Secret<Sum> above_missing(double outcome) const {
    return Secret<Sum>(Sum(Outcome::nearest(outcome)) - Sum(missing_));
  }

  Sums sums_;
  std::size_t arms_;
  Outcome missing_;
  std::map<Slot, privacy::SecretBits> answered_;  // of the slots that are not released
};

template <class Sums>
std::unique_ptr<Curator> behind_a_door(Sums sums, int arms, double missing) {
  return std::make_unique<CuratorOf<Sums>>(std::move(sums), arms, missing);
}

}  // namespace

template <class NoiseSource>
std::unique_ptr<Curator> make_curator(const curators::Plan& plan, int arms, double missing,
                                      const accounting::Releases<NoiseSource>& releases) {
  return std::visit(
      [&]<class P>(const P& p) -> std::unique_ptr<Curator> {
        if constexpr (curators::SummedPlan<P, NoiseSource>) {
          return behind_a_door(curators::curator_of(p, arms, releases), arms, missing);
        } else {
          return nullptr;
        }
      },
      plan);
}

template std::unique_ptr<Curator> make_curator(
    const curators::Plan&, int, double, const accounting::Releases<privacy::SimulatedNoise>&);
template std::unique_ptr<Curator> make_curator(const curators::Plan&, int, double,
                                               const accounting::Releases<privacy::SecureNoise>&);

}  // namespace tacit::live
