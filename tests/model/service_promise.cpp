#include "model/service_promise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace tacit::model {
namespace {

using service::kMinute;
using service::kSecond;

constexpr Arm kHeldOut = -2;
constexpr Round kBlock = 4096;
constexpr const char* kLocal = "ldp-ucb-bits";

Time whole_seconds(Time t) { return (t + kSecond - 1) / kSecond * kSecond; }

std::string name_of(const Slot& slot) {
  if (slot.arm == kHeldOut) return fmt::format("phase {} of those held out", slot.phase);
  if (slot.arm < 0) return fmt::format("phase {} of all arms", slot.phase);
  return fmt::format("phase {} of arm {}", slot.phase, slot.arm);
}

}  // namespace

// ---- what is spent

bool Promise::pay(const Experiment& e) {
  double& spent = members(e) ? spent_.second : spent_.first;
  const double budget = members(e) ? budget_.second : budget_.first;
  if (spent + e.trial.debit() > budget) return false;
  spent += e.trial.debit();
  return true;
}

void Promise::begins(std::size_t trial, Time now, bool accepted) {
  Experiment e{.begun = true, .trial = story_.trials[trial], .created = now};
  e.retired.assign(static_cast<std::size_t>(e.trial.arms), false);
  const bool affordable = pay(e);
  need(accepted == affordable, fmt::format("trial{} is {}, with what is left of the budget", trial,
                                           accepted ? "begun" : "refused"));
  if (!accepted) return;
  paid_[trial] = {++payments_, 0};
  for (const Experiment& other : kept_.experiments) e.number = std::max(e.number, other.number + 1);
  at(trial) = std::move(e);
}

/// Those that began first are paid for first.
std::vector<std::size_t> Promise::in_order() const {
  std::vector<std::size_t> trials(kept_.experiments.size());
  std::iota(trials.begin(), trials.end(), std::size_t{0});
  std::sort(trials.begin(), trials.end(),
            [&](std::size_t a, std::size_t b) { return at(a).number < at(b).number; });
  return trials;
}

/// What was sealed before cannot be read any more; and whose units they were of what is over.
void Promise::rotated(Time now) {
  kept_.rotations = ++rotations_;
  for (auto& [trial, paid] : paid_) {
    const Experiment& e = at(trial);
    if (e.state >= State::kStopped || period_of(e, now) != paid.second) paid.second = -1;
  }
}

int Promise::period_of(const Experiment& e, Time now) {
  return e.trial.period > 0 ? static_cast<int>((now - e.created) / e.trial.period) : 0;
}

/// Of which payment a unit's decisions are; none: of none.
std::optional<int> Promise::paid_for(std::size_t trial, bool pays, Time now) {
  Experiment& e = at(trial);
  auto& [last, period] = paid_.at(trial);
  const int present = period_of(e, now);
  if (period != present) {
    // The first period was paid for at the beginning; but if somebody was recorded in it, how often is forgotten.
    const bool is_paid = !members(e) || (present == 0 && e.recorded == 0);
    if (!is_paid && (!pays || !pay(e))) return {};
    last = ++payments_;
    period = present;
  }
  return last;
}

// ---- what is recorded, and where

bool Promise::may_be_shown(const Experiment& e, const Step& step,
                           const std::vector<Arm>& arms) const {
  return std::all_of(arms.begin(), arms.end(), [&](Arm arm) {
    return !e.retired.at(static_cast<std::size_t>(arm)) && (step.only < 0 || step.only == arm);
  });
}

void Promise::note(std::size_t trial, int unit, const Seen& seen, Time now) {
  const auto [known, is_new] =
      kept_.decisions.emplace(seen.token, Decision{.trial = trial,
                                                   .generation = at(trial).generation,
                                                   .unit = unit,
                                                   .at = now,
                                                   .seen = seen});
  need(is_new, "one event is given for two decisions");
}

void Promise::asked(const Step& step, const Seen& seen, Time now) {
  Experiment& e = at(step.trial);
  if (e.state >= State::kStopped) {
    need(seen.fallback && !seen.recorded, "a stopped experiment decides, or records");
    note(step.trial, step.unit, seen, now);
    return;
  }
  need(!seen.fallback, "an experiment that is not stopped falls back");
  need(may_be_shown(e, step, seen.arms), "an arm is shown that may not be");
  bool counts = step.record && e.state == State::kRunning;
  std::optional<int> payment;
  if (step.unit > 0 && (members(e) || e.trial.sticky > 0)) {
    payment = paid_for(step.trial, counts, now);
  }
  const std::pair<int, int> unit{step.unit, payment.value_or(0)};
  const auto sticky = payment ? e.sticky.find(unit) : e.sticky.end();
  if (sticky != e.sticky.end()) {
    if (again(step, sticky->second, seen, now)) return;
    // A unit has one place while a decision sticks, whatever is eligible meanwhile.
    counts = counts && !sticks_beside(step, sticky->second, now);
  }

  bool recorded = counts && (!members(e) || payment.has_value());
  if (recorded && members(e)) {
    int& used = e.used[unit];
    recorded = used < e.trial.cap;
    if (recorded) ++used;
  }
  need(seen.recorded == recorded,
       fmt::format("a decision is {}recorded{}", seen.recorded ? "" : "not ",
                   members(e) && payment
                       ? fmt::format(": {} of {} of its unit were", e.used[unit], e.trial.cap)
                       : ""));
  need(seen.deferred == step.defer, "a decision is deferred that is not to be, or the reverse");
  need(seen.deadline == whole_seconds(now + e.trial.wait), "a deadline is not after `wait`");
  check_side(e, step, seen);
  note(step.trial, step.unit, seen, now);
  if (recorded && !step.defer) record(e, seen, now);
  if (payment && counts && e.trial.sticky > 0) {
    e.sticky[unit] = {seen.token, now + e.trial.sticky};
  }
}

/// Whether a decision sticks that this request leaves out, and that may be shown to others.
bool Promise::sticks_beside(const Step& step, const Sticky& sticky, Time now) const {
  const Experiment& e = at(step.trial);
  if (e.trial.sticky == 0 || sticky.token.empty() || now >= sticky.until) return false;
  const Decision stuck = kept_.decisions.at(sticky.token);
  Step among_all = step;
  among_all.only = -1;
  return stuck.generation == e.generation && may_be_shown(e, among_all, stuck.seen.arms);
}

/// Whether it is what sticks to its unit, as it must be.
bool Promise::again(const Step& step, Sticky& sticky, const Seen& seen, Time now) {
  const Experiment& e = at(step.trial);
  if (e.trial.sticky == 0 || sticky.token.empty() || now >= sticky.until) return false;
  const Decision stuck = kept_.decisions.at(sticky.token);
  if (stuck.generation != e.generation || !may_be_shown(e, step, stuck.seen.arms)) return false;
  need(seen.arms == stuck.seen.arms, "what sticks to a unit is not shown again");
  if (!step.record) {
    need(!seen.recorded, "what is not to be recorded is");
    if (seen.token != sticky.token) note(step.trial, step.unit, seen, now);
  } else if (!stuck.seen.deferred || step.defer) {
    need(seen.token == sticky.token, "a unit has a second decision while the first one sticks");
  } else {
    activated(step.trial, sticky.token, seen, now);
    const bool kept_out = stuck.seen.recorded && now <= stuck.seen.deadline && !seen.recorded;
    sticky.token = kept_out ? "" : seen.token;
  }
  return true;
}

void Promise::asked_in_vain(const Step& step, const std::optional<Seen>& seen, Time now) {
  const Experiment& e = at(step.trial);
  if (e.state < State::kStopped && step.unit > 0 && (members(e) || e.trial.sticky > 0)) {
    paid_for(step.trial, step.record && e.state == State::kRunning, now);  // before it was lost
  }
  if (seen) need(!seen->recorded, "a decision is recorded that cannot be written");
}

void Promise::check_side(Experiment& e, const Step& step, const Seen& seen) const {
  const bool held = !seen.places.empty() && seen.places[0].first.arm == kHeldOut;
  if (held) {
    need(e.trial.holdout > 0 && seen.arms == std::vector<Arm>{0},
         "a visitor is held out of an experiment without a holdout, or with another arm");
  }
  const bool could_be = !e.retired[0] && (step.only < 0 || step.only == 0);
  if (!could_be || e.trial.holdout <= 0) return;
  if (step.unit == 0) {
    constexpr double kImpossible = -30;
    e.never_held_out = held ? 0 : e.never_held_out + std::log1p(-e.trial.holdout);
    e.always_held_out = held ? e.always_held_out + std::log(e.trial.holdout) : 0;
    need(std::min(e.never_held_out, e.always_held_out) > kImpossible,
         "visitors are held out never, or always");
    return;
  }
  auto& [not_at, at] =
      e.side.try_emplace(step.unit, 0.0, std::numeric_limits<double>::infinity()).first->second;
  if (held) {
    at = std::min(at, e.trial.holdout);
  } else {
    not_at = std::max(not_at, e.trial.holdout);
  }
  need(not_at < at, fmt::format("unit {} is held out, and then it is not", step.unit));
}

void Promise::record(Experiment& e, const Seen& seen, Time now) {
  ++e.recorded;
  if (e.trial.policy == kLocal) return;  // its reports are public when they come
  for (std::size_t i = 0; i < seen.places.size(); ++i) {
    const auto& [slot, place] = seen.places[i];
    auto open = e.open.find(slot);
    if (open == e.open.end()) {
      // The next one of its arm, and so the one before takes nothing more.
      const auto released = e.released.find(slot.arm);
      Round next = released == e.released.end() ? -1 : released->second + 1;
      for (auto& [other, before] : e.open) {
        if (other.arm != slot.arm) continue;
        next = other.phase + 1;
        before.closed = true;
      }
      need(next < 0 ? slot.phase <= 1 : slot.phase == next,
           fmt::format("a decision has its place in {}, and not in phase {}", name_of(slot), next));
      open = e.open.emplace(slot, Open{.opened = now}).first;
    }
    need(!open->second.closed,
         fmt::format("a decision has its place in {}, which is over", name_of(slot)));
    need(place == static_cast<Round>(open->second.decisions.size()),
         fmt::format("a decision has place {} of {}, and not {}", place, name_of(slot),
                     open->second.decisions.size()));
    open->second.decisions.emplace_back(seen.token, static_cast<int>(i));
    open->second.may_be = {ripe(e, now)};
  }
}

void Promise::activated(std::size_t trial, const std::string& token, const Seen& seen, Time now) {
  const auto found = kept_.decisions.find(token);
  if (found == kept_.decisions.end()) {
    need(!seen.recorded || seen.token == token, "an event is activated of which nothing was kept");
    if (seen.token != token && !kept_.decisions.contains(seen.token)) note(trial, 0, seen, now);
    return;
  }
  Decision& decision = found->second;
  if (!decision.seen.deferred) {
    need(seen.token == token, "an active event becomes another one");
    return;
  }
  if (!decision.activated.empty()) {
    need(seen.token == decision.activated || !seen.recorded, "one decision is recorded twice");
    if (seen.token != decision.activated) note(decision.trial, decision.unit, seen, now);
    return;
  }
  Experiment& e = at(decision.trial);
  const bool recorded = decision.seen.recorded && now <= decision.seen.deadline &&
                        decision.generation == e.generation && e.state == State::kRunning;
  const bool same_period = !members(e) || period_of(e, decision.at) == period_of(e, now);
  // A period that has just begun may be taken for the one before.
  const bool just_begun = members(e) && decision.at - e.created >= kSecond &&
                          period_of(e, decision.at - kSecond) != period_of(e, decision.at);
  need(seen.recorded == (recorded && same_period) || (!seen.recorded && just_begun),
       fmt::format("an activation is {}recorded", seen.recorded ? "" : "not "));
  need(!seen.deferred && seen.deadline == whole_seconds(now + e.trial.wait),
       "what is activated is not due after `wait`");
  decision.activated = seen.token;
  note(decision.trial, decision.unit, seen, now);
  if (seen.recorded) record(e, seen, now);
}

// ---- what comes back

void Promise::answered(const std::string& token, int quarters, Time now) {
  const auto found = kept_.decisions.find(token);
  if (found == kept_.decisions.end()) return;
  Decision& decision = found->second;
  Experiment& e = at(decision.trial);
  const bool counts = decision.seen.recorded && !decision.seen.deferred &&
                      decision.generation == e.generation && now <= decision.seen.deadline;
  if (!counts || decision.quarters) return;
  decision.quarters = quarters;
  if (e.trial.policy == kLocal) ++e.reports[decision.seen.arms.at(0)];
}

int Promise::to_be_sealed(const std::set<std::string>& tokens) const {
  std::set<std::pair<std::size_t, Slot>> sums;
  std::set<std::tuple<std::size_t, Slot, Round>> blocks;
  for (const std::string& token : tokens) {
    const auto found = kept_.decisions.find(token);
    if (found == kept_.decisions.end()) continue;
    const Decision& decision = found->second;
    const Experiment& e = at(decision.trial);
    if (decision.generation != e.generation) continue;
    for (const auto& [slot, place] : decision.seen.places) {
      const auto open = e.open.find(slot);
      if (open == e.open.end()) continue;
      const Round last = static_cast<Round>(open->second.decisions.size()) - 1;
      sums.emplace(decision.trial, slot);
      blocks.emplace(decision.trial, slot, std::min(place, last) / kBlock);
    }
  }
  return static_cast<int>(sums.size() + blocks.size());
}

double Promise::sum_of(const Experiment& e, const Open& open, int entry) const {
  double sum = 0;
  for (const auto& [token, first] : open.decisions) {
    const auto& quarters = kept_.decisions.at(token).quarters;
    sum += quarters ? 0.25 * quarters_of(*quarters, first + entry) : e.trial.missing;
  }
  return sum;
}

// ---- what is released, and when

Time Promise::ripe(const Experiment& e, Time closed) const {
  return std::max(whole_seconds(closed + e.trial.wait) + 2 * kSecond, up_since_ + kSecond);
}

void Promise::ticked(Time now, const std::vector<std::pair<std::size_t, Out>>& released) {
  const Time tick = now / kSecond * kSecond;
  if (tick > last_tick_) {
    for (Experiment& e : kept_.experiments) {
      if (e.trial.max_age == 0 || e.state >= State::kStopped) continue;
      for (auto& [slot, open] : e.open) {
        const Time old =
            std::max(whole_seconds(open.opened + e.trial.max_age), last_tick_ + kSecond);
        if (open.closed || old > tick) continue;
        open.closed = true;
        open.may_be.push_back(ripe(e, old));
      }
    }
  }
  for (const auto& [trial, out] : released) comes_out(at(trial), out);
  last_tick_ = std::max(last_tick_, tick);
  for (const Experiment& e : kept_.experiments) {
    for (const auto& [slot, open] : e.open) {
      const bool over = open.closed && is_first(e, slot) &&
                        *std::max_element(open.may_be.begin(), open.may_be.end()) <= last_tick_;
      need(!over, fmt::format("{}, of {}, is not released when it is ripe", name_of(slot),
                              open.decisions.size()));
    }
  }
}

/// Of those of its arm that are under way.
bool Promise::is_first(const Experiment& e, const Slot& slot) {
  return std::none_of(e.open.begin(), e.open.end(), [&](const auto& each) {
    return each.first.arm == slot.arm && each.first.phase < slot.phase;
  });
}

void Promise::comes_out(Experiment& e, const Out& out) {
  const std::string name = name_of(out.slot);
  const auto found = e.open.find(out.slot);
  need(found != e.open.end(), fmt::format("{} is released, and it is not under way", name));
  const Open& open = found->second;
  need(out.version == ++e.version, fmt::format("{} is release {}", name, out.version));
  need(out.n == static_cast<Round>(open.decisions.size()),
       fmt::format("{} is released as of {} decisions, and has {}", name, out.n,
                   open.decisions.size()));
  need(is_first(e, out.slot), fmt::format("{} is released before the one before", name));
  const std::size_t sums = out.slot.arm == kAllArms ? static_cast<std::size_t>(e.trial.arms) : 1;
  need(out.values.size() == sums, name + " is released with another number of sums");
  for (std::size_t entry = 0; entry < sums; ++entry) {
    const double sum = sum_of(e, open, static_cast<int>(entry));
    need(out.values[entry] == sum, fmt::format("{}, of {}, is released as {:.6g}, and is {:.6g}",
                                               name, out.n, out.values[entry], sum));
  }
  const Time before = e.released_at.contains(out.slot.arm) ? e.released_at[out.slot.arm] : 0;
  const bool in_time = std::any_of(open.may_be.begin(), open.may_be.end(),
                                   [&](Time at) { return std::max(at, before) == out.at; });
  need(in_time, fmt::format("{} is released {} s {} it may be", name,
                            std::abs(out.at - open.may_be.back()) / kSecond,
                            out.at < open.may_be.back() ? "before" : "after"));
  e.released[out.slot.arm] = out.slot.phase;
  e.released_at[out.slot.arm] = out.at;
  e.open.erase(found);
  kept_.releases = ++releases_;
}

void Promise::close_all(Experiment& e, Time now) {
  for (auto& [slot, open] : e.open) {
    if (std::exchange(open.closed, true)) continue;
    open.may_be.push_back(ripe(e, now));
  }
}

// ---- what is lost

void Promise::abandon(Experiment& e) {
  ++e.generation;
  e.open.clear();
}

void Promise::started(Time now, bool anew) {
  const Time last = last_tick_;
  if (anew) up_since_ = last_tick_ = now / kSecond * kSecond;
  for (const std::size_t trial : in_order()) {
    Experiment& e = at(trial);
    if (!e.begun) {
      paid_.erase(trial);
      continue;
    }
    const bool behind = kept_.releases < releases_;
    if (behind || (kept_.rotations < rotations_ && !e.open.empty())) abandon(e);
    if (behind && members(e) && e.state < State::kStopped) {
      if (pay(e)) {
        paid_[trial] = {++payments_, period_of(e, now)};
      } else {
        e.state = State::kStopped;
      }
    }
    for (auto& [slot, open] : e.open) {
      // What was ripe and did not come out was not full.
      if (is_first(e, slot)) std::erase_if(open.may_be, [&](Time at) { return at <= last; });
      for (Time& at : open.may_be) at = std::max(at, up_since_ + kSecond);
      // Its policy may plan it shorter now.
      if (!open.closed) open.may_be.push_back(ripe(e, now + 2 * kSecond));
    }
  }
  kept_.releases = releases_;
  kept_.rotations = rotations_;
}

Promise::Kept Promise::kept() const { return kept_; }
void Promise::put_back(const Kept& kept) { kept_ = kept; }

// ---- operators

void Promise::told(const Step& step, bool accepted, Time now) {
  if (!accepted) return;
  Experiment& e = at(step.trial);
  switch (step.what) {
    case Do::kPause: e.state = State::kPaused; break;
    case Do::kGoOn: e.state = State::kRunning; break;
    case Do::kStop:
      if (e.state >= State::kStopped) break;
      close_all(e, now);
      e.state = State::kStopped;
      break;
    case Do::kArchive: e.state = State::kArchived; break;
    case Do::kHoldout: e.trial.holdout = step.share; break;
    case Do::kFloor: e.trial.floor = step.share; break;
    case Do::kMaxAge: e.trial.max_age = step.by; break;
    case Do::kSticky: e.trial.sticky = step.by; break;
    case Do::kAddArm: e.retired.push_back(false); break;
    case Do::kRetire: {
      const auto last = std::find(e.retired.rbegin(), e.retired.rend(), false);
      if (last != e.retired.rend()) *last = true;
      break;
    }
    default: break;
  }
}

// ---- what is seen

void Promise::shows(std::size_t trial, Round recorded, bool running, bool stopped) const {
  const Experiment& e = at(trial);
  need(recorded == e.recorded,
       fmt::format("{} decisions are said to be recorded, and {} were", recorded, e.recorded));
  need(running == (e.state == State::kRunning) && stopped == (e.state >= State::kStopped),
       "an experiment is not in the state that it was put into");
}

void Promise::shows_spent(bool members, double epsilon) const {
  const double spent = members ? spent_.second : spent_.first;
  need(std::abs(epsilon - spent) < 1e-9,
       fmt::format("{} is said to be spent of {}, and {} was", epsilon,
                   members ? "members" : "people", spent));
}

void Promise::shows_reports(std::size_t trial, const std::vector<Round>& of_arms) const {
  for (std::size_t arm = 0; arm < of_arms.size(); ++arm) {
    const auto found = at(trial).reports.find(static_cast<Arm>(arm));
    const Round taken = found == at(trial).reports.end() ? 0 : found->second;
    need(of_arms[arm] == taken,
         fmt::format("{} reports of arm {} count, and {} should", of_arms[arm], arm, taken));
  }
}

void Promise::ends() const {
  for (const Experiment& e : kept_.experiments) {
    for (const auto& [slot, open] : e.open) {
      throw Broken(fmt::format("{} of {} decisions is never released", name_of(slot),
                               open.decisions.size()));
    }
  }
}

}  // namespace tacit::model
