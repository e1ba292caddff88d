#include "tacit/service/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/live/device.hpp"
#include "tacit/privacy/published.hpp"
#include "tacit/service/problem.hpp"
#include "tacit/service/serving_rules.hpp"

namespace tacit::service {
namespace {

/// From the last deadline of a slot to its release: what came in time is in, whatever batch it came in.
constexpr Time kGrace = 2 * kSecond;

Round first_phase_of(const curators::Plan& plan) {
  const auto* phases = std::get_if<curators::PhasePlan>(&plan);
  return phases != nullptr ? phases->first_phase : 0;
}

/// A number that the store or a user's device has made public.
privacy::Released<double> published(double value) { return privacy::Published::again(value); }

policies::Choice choice_of(const Event& event) {
  policies::Choice choice;
  choice.set(event.arms, 0);
  for (const Place& place : event.places) choice.record(place.slot);
  return choice;
}

}  // namespace

Experiment::Experiment(ExperimentRow row, Spec spec, const random::Dice& dice)
    : row_(std::move(row)),
      spec_(std::make_shared<const Spec>(std::move(spec))),
      entry_(servable(*spec_)),
      dice_(dice),
      setting_(setting_of(*spec_)),
      plan_(entry_.plan(setting_, spec_->parameters)),
      guarantee_(guarantee_of(entry_, setting_, *spec_)) {
  progress_.experiment = row_.id;
  begin_anew();
}

void Experiment::begin_anew() {
  known_.reset();
  learner_ = entry_.learner(setting_, spec_->parameters, dice_);
  log_ = policies::ReleaseLog::of(plan_, entry_.card.feedback, arms(), learner_->recorded());
  holdout_ = policies::ReleaseLog::of(plan_, entry_.card.feedback, 1, 1);
  open_.clear();
  pages_.clear();
  phase_.clear();
  changed_.clear();
  changed_sums_.clear();
  changed_pages_.clear();
}

bool Experiment::by_stop() const noexcept { return live::answers_with_a_stop(plan_); }
bool Experiment::all_arms() const noexcept { return entry_.card.feedback == feedback::Kind::kFull; }

// ---- decisions

void Experiment::choose(std::span<const Arm> eligible, Event& event) {
  // A learner whose state is kept may have drawn coins: what is kept must not depend on when something was written.
  if (local()) progress_changed_ = true;
  try {
    learner_->choose({progress_.recorded + 1, eligible}, choice_);
  } catch (const InvalidParameter&) {
    throw Problem(422, "eligible",
                  "eligible: there is nothing to show that is made of these arms alone; name more");
  }
  event.arms.assign(choice_.arms().begin(), choice_.arms().end());
  event.places.clear();
  for (const Slot& slot : choice_.slots()) event.places.push_back({slot, 0});
}

void Experiment::choose_arm(Arm arm, Event& event) const {
  event.arms = {arm};
  event.places = {{filling(all_arms() ? kAllArms : arm), 0}};
}

void Experiment::hold_out(Event& event) const {
  event.arms = {spec_->control};
  event.places = {{filling(kHoldout), 0}};
}

void Experiment::fall_back(Event& event) const {
  event.fallback = true;
  event.arms.clear();
  const auto add = [&](Arm arm) {
    const bool wanted = event.arms.size() < static_cast<std::size_t>(shown()) &&
                        !spec_->arms[static_cast<std::size_t>(arm)].retired &&
                        std::find(event.arms.begin(), event.arms.end(), arm) == event.arms.end();
    if (wanted) event.arms.push_back(arm);
  };
  for (const Arm arm : spec_->fallback) add(arm);
  add(spec_->control);
  for (Arm arm = 0; arm < arms(); ++arm) add(arm);
  event.places.clear();
}

Slot Experiment::filling(Arm arm) const {
  const auto found = phase_.find(arm);
  const Round first = arm == kHoldout ? 0 : first_phase_of(plan_);
  return {arm, found == phase_.end() ? first : found->second};
}

Round Experiment::holdout_length(Round phase) const {
  // As long as it takes for noise to be small beside what is measured, then twice that, ...
  constexpr double kOfNoise = 16;
  const double first = std::ceil(std::max(1.0, kOfNoise / spec_->epsilon));
  return static_cast<Round>(
      std::min(std::ldexp(first, static_cast<int>(std::min<Round>(phase, 60))),
               static_cast<double>(kLastRound)));
}

Round Experiment::assign(Slot slot, Round n) {
  if (slot.arm != kHoldout) return learner_->assign(slot, n);
  const auto open = open_.find(slot);
  const Round held = open == open_.end() ? n : open->second.account.places();
  return held >= holdout_length(slot.phase) ? held : 0;
}

Round Experiment::seal(Slot slot) {
  if (slot.arm != kHoldout) return learner_->seal(slot);
  const auto open = open_.find(slot);
  return open == open_.end() ? 0 : open->second.account.places();
}

void Experiment::close(Slot slot, Time now) {
  OpenSlot& open = open_.at(slot);
  open.state = SlotState::kFull;
  // Deadlines never fall: the last choice's, which is not later than one of now.
  open.ripe = spec_->deadline(now) + kGrace;
  phase_[slot.arm] = slot.phase + 1;
  changed_.insert(slot);
}

void Experiment::record(Event& event, Time now) {
  event.recorded = true;
  ++progress_.recorded;
  progress_changed_ = true;
  if (local()) {
    record_report(event, now);
    return;
  }
  const std::size_t entries = all_arms() ? static_cast<std::size_t>(arms()) : 1;
  for (Place& place : event.places) {
    place.slot = filling(place.slot.arm);
    auto [at, is_new] = open_.try_emplace(
        place.slot, OpenSlot{.account = Account(entries, spec_->missing), .opened = now});
    if (is_new) changed_sums_.insert(place.slot);
    place.place = at->second.account.open_place();
    changed_.insert(place.slot);
    if (assign(place.slot, 1) > 0) close(place.slot, now);
  }
}

void Experiment::record_report(Event& event, Time now) {
  OpenPage& open = pages_[page_];
  event.page = {{kPages, page_}, open.page.open_place()};
  changed_pages_.insert(page_);
  if (!open.page.full()) return;
  open.ripe = spec_->deadline(now) + kGrace;
  ++page_;
}

void Experiment::leave_out(Event& event) const {
  event.recorded = false;
  if (local()) {
    const auto open = pages_.find(page_);
    event.page = {{kPages, page_}, open == pages_.end() ? 0 : open->second.page.places()};
    return;
  }
  for (Place& place : event.places) {
    place.slot = filling(place.slot.arm);
    const auto open = open_.find(place.slot);
    place.place = open == open_.end() ? 0 : open->second.account.places();
  }
}

void Experiment::count_decision() {
  ++progress_.decisions;
  progress_changed_ = true;
}

void Experiment::set_counts(Round decisions, Round recorded) {
  progress_.decisions = decisions;
  progress_.recorded = recorded;
}

// ---- answers

bool Experiment::counts(const Event& event, Time now) const {
  return event.recorded && !event.deferred && event.generation == row_.generation &&
         now <= event.deadline;
}

void Experiment::report(const Event& event, std::span<const privacy::Secret<Sum>> outcomes,
                        Time now) {
  if (event.generation != row_.generation || local()) return;
  const bool counted = counts(event, now);
  const auto add = [&](const Place& place, std::span<const privacy::Secret<Sum>> of_place) {
    const auto open = open_.find(place.slot);
    if (open == open_.end()) return;
    // Written either way: how long the answer takes is not to tell which.
    if (counted) {
      open->second.account.add(place.place, of_place);
    } else {
      open->second.account.touch(place.place);
    }
    changed_sums_.insert(place.slot);
  };
  if (all_arms()) {
    if (!event.places.empty()) add(event.places[0], outcomes);
    return;
  }
  if (outcomes.size() != event.places.size()) return;
  for (std::size_t i = 0; i < outcomes.size(); ++i) add(event.places[i], outcomes.subspan(i, 1));
}

void Experiment::check_report(const Event& event, std::span<const double> report) const {
  if (event.fallback) return;  // nobody's report is asked for
  const std::size_t expected = by_stop() ? event.arms.size() : event.places.size();
  if (report.size() != expected) {
    throw Problem(422, "report",
                  fmt::format("report: must be {} number{}, as the device made it", expected,
                              expected == 1 ? "" : "s"));
  }
  for (const double value : report) {
    const std::string why = live::why_no_device_says(plan_, value);
    // Not repeated: it may be an outcome that never was on a device.
    if (!why.empty()) throw Problem(422, "report", "report: " + why);
  }
}

void Experiment::take(const Event& event, std::span<const double> report, Time now) {
  if (event.generation != row_.generation || !local()) return;
  const auto open = pages_.find(event.page.slot.phase);
  if (open == pages_.end()) return;
  changed_pages_.insert(event.page.slot.phase);  // either way, as above
  progress_changed_ = true;
  if (!counts(event, now) || !open->second.page.first(event.page.place)) return;
  std::vector<privacy::Released<double>> values;
  for (const double value : report) values.push_back(published(value));
  const policies::Choice choice = choice_of(event);
  known_.reset();
  learner_->take(choice, values);
  if (log_) log_->take(choice, values);
}

// ---- time

void Experiment::close_old(Time now) {
  if (spec_->phase_max_age == 0) return;
  for (auto& [slot, open] : open_) {
    if (open.state != SlotState::kFilling || now - open.opened < spec_->phase_max_age) continue;
    if (seal(slot) > 0) close(slot, now);
  }
}

void Experiment::close_all(Time now) {
  for (auto& [slot, open] : open_) {
    if (open.state == SlotState::kFilling && seal(slot) > 0) close(slot, now);
  }
}

std::vector<ReleaseRow> Experiment::release_ripe(Releaser& releaser, Time now) {
  std::vector<ReleaseRow> released;
  std::optional<Arm> waits;  // an arm's slots come out in order
  for (auto at = open_.begin(); at != open_.end();) {
    const Slot slot = at->first;
    const OpenSlot& open = at->second;
    if (waits == slot.arm || open.state != SlotState::kFull || open.ripe > now) {
      waits = slot.arm;
      ++at;
      continue;
    }
    const Round n = open.account.places();
    const curators::ReleasedSlot out =
        releaser.release(row_.id, plan_, arms(), slot, n, open.account.total());
    ReleaseRow row{.experiment = row_.id,
                   .version = ++progress_.version,
                   .slot = slot,
                   .n = n,
                   .noises = out.noises,
                   .values = {},
                   .at = now};
    for (const auto& value : out.values) row.values.push_back(value.value());
    released.push_back(std::move(row));
    progress_changed_ = true;
    changed_.erase(slot);
    changed_sums_.erase(slot);
    at = open_.erase(at);
  }
  return released;
}

void Experiment::deliver(const ReleaseRow& row) {
  known_.reset();
  std::vector<privacy::Released<double>> values;
  for (const double value : row.values) values.push_back(published(value));
  if (row.slot.arm == kHoldout) {
    if (holdout_) holdout_->deliver({0, row.slot.phase}, values, row.n, row.noises);
    return;
  }
  learner_->deliver(row.slot, values, row.n, row.noises);
  if (log_) log_->deliver(row.slot, values, row.n, row.noises);
}

void Experiment::publish(const std::vector<ReleaseRow>& released) {
  for (const ReleaseRow& row : released) {
    deliver(row);
    published_ = row.version;
  }
}

std::vector<Slot> Experiment::drop_old_pages(Time now) {
  std::vector<Slot> dropped;
  for (auto at = pages_.begin(); at != pages_.end();) {
    if (at->second.ripe == 0 || at->second.ripe > now) {
      ++at;
      continue;
    }
    dropped.push_back({kPages, at->first});
    changed_pages_.erase(at->first);
    at = pages_.erase(at);
  }
  return dropped;
}

bool Experiment::is_of_another_control(const Event& event) const {
  return event.places.size() == 1 && event.places[0].slot.arm == kHoldout &&
         event.arms.at(0) != spec_->control;
}

bool Experiment::has_held_out() const {
  const auto open = open_.lower_bound({kHoldout, 0});
  return phase_.contains(kHoldout) || (open != open_.end() && open->first.arm == kHoldout);
}

void Experiment::set_state(ExperimentState state, std::string why) {
  row_.state = state;
  row_.why = std::move(why);
  row_changed_ = true;
}

void Experiment::set_spec(Spec spec) {
  spec_ = std::make_shared<const Spec>(std::move(spec));
  set_next_spec(*spec_);
}

void Experiment::set_next_spec(const Spec& spec) {
  row_.spec = json_of(spec).dump();
  row_changed_ = true;
}

// ---- what may be told

std::string Experiment::name_of(Arm arm) const {
  if (arm == kAllArms) return "@all";
  if (arm < 0) return "@holdout";
  const auto& all = spec_->arms;
  return static_cast<std::size_t>(arm) < all.size() ? all[static_cast<std::size_t>(arm)].name
                                                    : std::string();
}

std::shared_ptr<const Experiment::Known> Experiment::known(double coverage) const {
  if (known_ && known_->coverage == coverage) return known_;
  auto known = std::make_shared<Known>();
  known->coverage = coverage;
  for (Arm arm = 0; arm < arms(); ++arm) {
    known->arms.push_back(live::view_of(learner_->show(arm), log_, arm, 1 - coverage));
  }
  if (log_ && shown() < arms()) known->best = log_->readout().best(shown(), 1 - coverage);
  const auto verdict = learner_->verdict();
  known->verdict.assign(verdict.begin(), verdict.end());
  return known_ = std::move(known);
}

std::vector<Round> Experiment::rounds_under_way() const {
  std::vector<Round> rounds;
  for (Arm arm = 0; arm < arms(); ++arm) rounds.push_back(learner_->show(arm).under_way);
  return rounds;
}

std::vector<live::ArmView> Experiment::views(double coverage) const {
  std::vector<live::ArmView> views = known(coverage)->arms;
  const std::vector<Round> rounds = rounds_under_way();
  for (std::size_t i = 0; i < views.size(); ++i) views[i].under_way = rounds[i];
  return views;
}

std::optional<live::ArmView> Experiment::holdout_view(double coverage) const {
  if (!holdout_ || holdout_->readout().of(0).empty()) return {};
  policies::View known;
  for (auto at = open_.lower_bound({kHoldout, 0}); at != open_.end() && at->first.arm == kHoldout;
       ++at) {
    if (at->second.state == SlotState::kFull) known.under_way += at->second.account.places();
  }
  return live::view_of(known, holdout_, 0, 1 - coverage);
}

std::size_t Experiment::under_way() const {
  return static_cast<std::size_t>(std::count_if(open_.begin(), open_.end(), [](const auto& open) {
    return open.second.state == SlotState::kFull;
  }));
}

Time Experiment::next_release() const {
  Time next = 0;
  for (const auto& [slot, open] : open_) {
    if (open.state == SlotState::kFull && (next == 0 || open.ripe < next)) next = open.ripe;
  }
  return next;
}

Time Experiment::next_due() const {
  Time next = next_release() == 0 ? kNever : next_release();
  if (spec_->phase_max_age > 0) {
    for (const auto& [slot, open] : open_) {
      if (open.state != SlotState::kFilling) continue;
      next = std::min(next, open.opened + spec_->phase_max_age);
    }
  }
  for (const auto& [number, open] : pages_) {
    if (open.ripe != 0) next = std::min(next, open.ripe);
  }
  return next;
}

}  // namespace tacit::service
