#include "tacit/audit/watched.hpp"

#include <map>
#include <memory>
#include <utility>

#include "tacit/accounting/ledger.hpp"
#include "tacit/core/state.hpp"
#include "tacit/privacy/exact.hpp"
#include "tacit/privacy/published.hpp"
#include "tacit/problems/table.hpp"
#include "tacit/random/dice.hpp"
#include "tacit/simulation/any_channel.hpp"
#include "tacit/simulation/play_late.hpp"

namespace tacit::audit {
namespace {

using privacy::Exact;
using privacy::Released;
using privacy::Secret;

/// The policy's own channel, with somebody who writes down what goes in and what comes out. The tables are the
/// auditor's: there is nobody in them to protect.
class WatchedChannel final : public simulation::AnyChannel {
 public:
  /// A slot has so many entries: one, or one of every arm.
  WatchedChannel(std::unique_ptr<AnyChannel> channel, std::size_t entries,
                 const std::vector<Told>* replaced, Watched& watched)
      : channel_(std::move(channel)), entries_(entries), replaced_(replaced), watched_(watched) {}

  bool keeps_sums() const override { return channel_->keeps_sums(); }
  bool takes_stops() const override { return channel_->takes_stops(); }

  void add(Slot slot, std::span<const Secret<Sum>> sums) override {
    std::vector<double>& truth = open_[slot];
    truth.resize(entries_, 0);
    for (std::size_t i = 0; i < sums.size(); ++i) truth[i] += Exact::release(sums[i]).value();
    channel_->add(slot, sums);
  }
  curators::ReleasedSlot release(Slot slot, Round n) override {
    curators::ReleasedSlot released = channel_->release(slot, n);
    std::vector<double> truth = std::exchange(open_[slot], {});
    truth.resize(entries_, 0);  // nobody may have answered
    released.values =
        told({slot, n, std::move(truth), values_of(released.values), released.noises});
    return released;
  }
  Released<double> open(Arm arm, const Secret<Outcome>& outcome) override {
    const Released<double> raw = channel_->open(arm, outcome);
    watched_.opened.push_back(raw.value());
    return raw;
  }
  Released<double> report(Arm arm, const Secret<Outcome>& outcome) override {
    const double value = channel_->report(arm, outcome).value();
    return told({{arm, 0}, 0, {Exact::release(outcome).value()}, {value}, 1})[0];
  }
  Released<double> report_sum_of_one(Arm arm, const Secret<Sum>& sum) override {
    const double value = channel_->report_sum_of_one(arm, sum).value();
    return told({{arm, 0}, 0, {Exact::release(sum).value()}, {value}, 1})[0];
  }
  std::vector<Released<double>> report(std::span<const Arm> list,
                                       const Secret<Stop>& stop) override {
    const auto clicks = channel_->report(list, stop);
    const double position = privacy::declassify(stop).value().position;
    return told({{kAllArms, 0}, 0, {position}, values_of(clicks), 1, true});
  }

 private:
  static std::vector<double> values_of(const std::vector<Released<double>>& released) {
    std::vector<double> values;
    for (const auto& value : released) values.push_back(value.value());
    return values;
  }
  /// What the learner is told: this, or what stands in its place.
  std::vector<Released<double>> told(Told event) {
    const std::size_t at = watched_.told.size();
    const Told* instead =
        replaced_ != nullptr && at < replaced_->size() ? &(*replaced_)[at] : nullptr;
    const bool same = instead != nullptr && instead->values.size() == event.values.size();
    std::vector<Released<double>> values;
    for (const double value : same ? instead->values : event.values)
      values.push_back(privacy::Published::again(value));
    watched_.told.push_back(std::move(event));
    return values;
  }

  std::unique_ptr<AnyChannel> channel_;
  std::size_t entries_;
  const std::vector<Told>* replaced_;
  Watched& watched_;
  std::map<Slot, std::vector<double>> open_;
};

void play_once(const Play& play, const problems::Table& table, accounting::Ledger* ledger,
               const std::vector<Told>* replaced, Watched& watched) {
  const random::SimulationKey key(play.seed, play.entry.card.name, play.dice_of, play.run);
  const simulation::Backstage behind{key, play.arithmetic, ledger};
  const random::Dice dice(random::SimulationKey(play.seed, play.entry.card.name, play.dice_of,
                                                play.dice_run.value_or(play.run)));
  auto learner = play.entry.learner(play.played(), play.parameters, dice);
  if (play.learner_twin) learner = play.learner_twin(std::move(learner));
  auto own = simulation::any_channel(play.entry.plan(play.played(), play.parameters), table.arms(),
                                     behind);
  if (play.channel_twin) own = play.channel_twin(std::move(own));
  const feedback::Kind kind = play.entry.card.feedback;
  const int entries = kind == feedback::Kind::kFull ? table.arms() : 1;
  WatchedChannel channel(std::move(own), static_cast<std::size_t>(entries), replaced, watched);
  auto outcomes = key.stream(random::Purpose::kOutcomes);
  auto delays = key.stream(random::Purpose::kDelays);
  const simulation::Stage stage{table,
                                play.setting.actions ? play.setting.actions->size() : 1,
                                play.setting.horizon,
                                outcomes,
                                ledger,
                                play.stop};
  // Nobody asks for the regret.
  const std::vector<Round> checkpoints{stage.horizon};
  if (play.entry.card.plays_sets()) {
    simulation::Recorder nothing(
        simulation::ValueOfSets([](std::span<const Arm>) { return 0; }, 0, table.arms()),
        checkpoints);
    play_late(*learner, channel, kind, stage, play.delay, delays, &nothing);
  } else {
    const std::vector<double> gaps(static_cast<std::size_t>(table.arms()), 0);
    simulation::Recorder nothing(simulation::PullsTimesGap(gaps), checkpoints);
    play_late(*learner, channel, kind, stage, play.delay, delays, &nothing);
  }
}

}  // namespace

Watched watch(const Play& play, const Rows& rows, const std::vector<Told>* replaced, Look look) {
  const problems::Table table(rows);
  Watched watched;
  if (look == Look::kReleases) {
    play_once(play, table, nullptr, replaced, watched);
    return watched;
  }
  accounting::Transcript transcript;
  accounting::Ledger of_actions(&transcript);
  play_once(play, table, &of_actions, replaced, watched);
  watched.actions = std::move(transcript.actions);
  if (look == Look::kActions) return watched;
  // A ledger has entries or sees actions: played twice, which is the same twice.
  accounting::Ledger entries;
  Watched again;
  play_once(play, table, &entries, replaced, again);
  StateWriter writer;
  writer(entries);
  watched.ledger = writer.text();
  return watched;
}

}  // namespace tacit::audit
