#include "tacit/audit/exact_state.hpp"

#include <utility>

#include "tacit/core/state.hpp"
#include "tacit/privacy/published.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::audit {
namespace {

std::vector<privacy::Released<double>> published(const Values& values, double before = 0) {
  std::vector<privacy::Released<double>> released;
  for (const double value : values) released.push_back(privacy::Published::again(before + value));
  return released;
}

}  // namespace

PublicState::PublicState(const Play& play, const Law& law)
    : law_(law),
      learner_(play.entry.learner(
          play.played(), play.parameters,
          random::Dice(random::SimulationKey(play.seed, play.entry.card.name, "exact", 0)))),
      arms_(place_of(play.setting.arms)) {
  if (play.learner_twin) learner_ = play.learner_twin(std::move(learner_));
}

std::string PublicState::saved() const {
  StateWriter writer;
  learner_->save(writer);
  writer(arms_);
  return writer.text();
}

void PublicState::load(const std::string& text) {
  StateReader reader(text);
  learner_->load(reader);
  reader(arms_);
}

Block PublicState::block_of(Slot slot, Round full) const {
  const Progress& arm = arms_[place_of(slot.arm)];
  Block block{slot, full, law_.runs_on ? 0 : arm.released, arm.released + full, 0};
  if (law_.before) block.begins = law_.before(block.ends);
  for (const RunningSum& sum : arm.sums) {
    if (sum.n == block.begins) block.before = sum.value;
  }
  return block;
}

void PublicState::deliver(const Block& block, const Values& values) {
  const auto released = published(values, block.before);
  const int noises = law_.terms ? law_.terms(block.ends) : 1;
  learner_->deliver(block.slot, released, block.full, noises);
  Progress& arm = arms_[place_of(block.slot.arm)];
  arm.released = block.ends;
  if (!law_.before) return;
  std::erase_if(arm.sums, [&](const RunningSum& sum) { return sum.n > block.begins; });
  arm.sums.push_back({block.ends, released[0].value()});
}

void PublicState::take(const policies::Choice& choice, const Values& reports) {
  learner_->take(choice, published(reports));
}

}  // namespace tacit::audit
