#include "tacit/live/policy.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "tacit/live/inside.hpp"
#include "tacit/random/sodium.hpp"

namespace tacit::live {

Policy::Policy(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Policy::Policy(Policy&&) noexcept = default;
Policy& Policy::operator=(Policy&&) noexcept = default;
Policy::~Policy() = default;

Policy::Policy(const Setup& setup) {
  const std::uint64_t number = fresh_number();
  inside_ = std::make_unique<Inside>(setup, random::Dice::numbered(number));
  Inside& in = *inside_;
  in.dice_number = number;
  in.source = std::make_unique<random::SecureSource>();
  in.curator = make_curator(in.plan, setup.arms, setup.missing,
                            accounting::Releases(privacy::SecureNoise(*in.source), &in.ledger));
  if (!in.curator) in.reporter = make_reporter(in.plan, *in.source, &in.ledger);
}

Policy Policy::open(const Setup& setup, Store& store, const privacy::SealingKey& key) {
  const std::optional<Mark> mark = store.mark();
  const std::optional<std::string> state = store.state();
  if (mark && !state) {
    throw std::runtime_error(fmt::format(
        "{}: the store has no state, and yet a mark of {} releases: bring the state back, or empty "
        "the store to begin anew",
        setup.policy, mark->releases));
  }
  Policy policy(setup);
  Inside& in = *policy.inside_;
  if (state) in.load(*state, key, mark ? mark->releases : 0);
  if (mark && mark->policy != in.number) {
    throw std::runtime_error(
        setup.policy + ": the state in the store is not that of the policy whose mark it has");
  }
  in.store = &store;
  in.store_key = key;
  in.keep();  // from now on its tickets are known, and a store that does not work is
  return policy;
}

Policy Policy::rehearsal(const Setup& setup, const random::SimulationKey& key,
                         privacy::Arithmetic arithmetic) {
  random::need_sodium();
  auto inside = std::make_unique<Inside>(setup, random::Dice(key));
  inside->arithmetic = arithmetic;
  inside->curator =
      make_curator(inside->plan, setup.arms, setup.missing,
                   accounting::Releases(privacy::SimulatedNoise(key, arithmetic), &inside->ledger));
  if (!inside->curator) {
    inside->reporter = make_reporter(inside->plan, key.stream(random::Purpose::kRounding),
                                     arithmetic, &inside->ledger);
  }
  return Policy(std::move(inside));
}

Policy Policy::restore(const Setup& setup, std::string_view state, const privacy::SealingKey& key,
                       std::uint64_t releases_made) {
  Policy policy(setup);
  policy.inside_->load(state, key, releases_made);
  return policy;
}

Policy Policy::assembled(const Setup& setup, const random::SimulationKey& key,
                         std::unique_ptr<Curator> curator) {
  random::need_sodium();
  auto inside = std::make_unique<Inside>(setup, random::Dice(key));
  inside->curator = std::move(curator);
  return Policy(std::move(inside));
}

void Policy::load(std::string_view state, const privacy::SealingKey& key) {
  if (inside_->source) {
    throw InvalidParameter(inside_->name_of_call("load"), "state", Withheld{},
                           "is for rehearsals; Policy::open and Policy::restore, which know what "
                           "was released since, take up one that protects somebody");
  }
  inside_->load(state, key, 0);
}

Ticket Policy::choose(std::span<const Arm> eligible) {
  Inside& in = *inside_;
  if (eligible.empty()) {
    throw InvalidParameter(in.name_of_call("choose"), "eligible", "",
                           "must name an arm; choose() chooses among all");
  }
  for (const Arm arm : eligible) in.check_arm(arm, "choose", "eligible");
  return choose_among(eligible);
}

Ticket Policy::choose() { return choose_among({}); }

Ticket Policy::choose_among(std::span<const Arm> eligible) {
  Inside& in = *inside_;
  const Round number = in.choices + 1;
  if (number > in.setting.horizon) {
    throw InvalidParameter(in.name_of_call("choose"), "horizon",
                           fmt::format("{}", in.setting.horizon),
                           "is over: as many choices were made");
  }
  in.release_due(number, "choose");
  in.learner->choose({number, eligible}, in.choice);
  in.choices = number;
  Ticket ticket;
  ticket.policy_ = in.ids.rbegin()->second;
  ticket.number_ = number;
  ticket.choice_ = in.choice;
  const auto slots = in.choice.slots();
  if (!in.by_slot()) {
    if (slots.size() > 1)
      ticket.more_places_.assign(slots.size() - 1, 0);  // reports have no places
  } else {
    in.recorded = std::max(in.recorded, static_cast<int>(slots.size()));
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const Round place = in.curator->open_place(slots[i]);
      if (i == 0) {
        ticket.place_ = place;
      } else {
        ticket.more_places_.push_back(place);
      }
      const Round full = in.learner->assign(slots[i], 1);
      if (full > 0) in.due.push_back({slots[i], full, number});
    }
  }
  in.ticket_key.sign(ticket);
  return ticket;
}

void Policy::advance() { inside_->release_due(inside_->choices + 1, "advance"); }

void Policy::keep() {
  inside_->check_process("keep");
  if (inside_->store == nullptr) {
    throw InvalidParameter(inside_->name_of_call("keep"), "store", "",
                           "Policy::open gives it one; save() gives the state as a text");
  }
  inside_->keep();
}

void Policy::report(const Ticket& ticket, std::span<const double> outcomes) {
  Inside& in = *inside_;
  in.check_ticket(ticket, "report");
  if (in.local()) {
    throw InvalidParameter(
        in.name_of_call("report"), "outcome", Withheld{},
        "is private on the user's own device: take() takes what the device reports");
  }
  if (ticket.choice_.slots().empty()) return;  // not recorded
  in.check_outcomes(ticket, outcomes, "report");
  if (!in.by_slot()) {
    if (in.answered.known(ticket.number())) return;
    in.ledger.set_round(ticket.number());
    in.learn_from(ticket, in.reporter->report(ticket.recorded(), outcomes));
    return;
  }
  const auto slots = ticket.choice_.slots();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Round place = i == 0 ? ticket.place_ : ticket.more_places_[i - 1];
    in.curator->add(slots[i], place, slots[0].arm == kAllArms ? outcomes : outcomes.subspan(i, 1));
  }
}

void Policy::take(const Ticket& ticket, const Report& report) {
  Inside& in = *inside_;
  in.check_ticket(ticket, "take");
  if (!in.local()) {
    throw InvalidParameter(in.name_of_call("take"), "report", Withheld{},
                           "is for policies with local privacy; report() takes outcomes");
  }
  const std::size_t expected =
      answers_with_a_stop(in.plan) ? ticket.arms().size() : in.answers_of(ticket);
  if (report.size() != expected) {
    throw InvalidParameter(in.name_of_call("take"), "length of the report",
                           fmt::format("{}", report.size()), fmt::format("must be {}", expected));
  }
  for (const double value : report) {
    const std::string why = why_no_device_says(in.plan, value);
    if (why.empty()) continue;
    // Not repeated: it may be an outcome that never was on a device.
    throw InvalidParameter(in.name_of_call("take"), "report", Withheld{}, why);
  }
  if (in.answered.known(ticket.number())) return;
  in.learn_from(ticket, report);
  in.ledger.set_round(ticket.number());
  in.reporter->note(report.size());
}

Report Policy::device_report(const Ticket& ticket, std::span<const double> outcomes,
                             random::SecureSource& source) const {
  return inside_->report_of(ticket, outcomes, make_reporter(inside_->plan, source, nullptr));
}

Report Policy::device_report(const Ticket& ticket, std::span<const double> outcomes,
                             const random::SimulationStream& stream) const {
  if (inside_->source) {
    throw InvalidParameter(inside_->name_of_call("device_report"), "stream", Withheld{},
                           "is for rehearsals: real devices have randomness that nobody repeats");
  }
  return inside_->report_of(ticket, outcomes,
                            make_reporter(inside_->plan, stream, inside_->arithmetic, nullptr));
}

const policies::Card& Policy::card() const { return inside_->entry.card; }

privacy::Guarantee Policy::guarantee() const {
  const Inside& in = *inside_;
  privacy::Guarantee g = in.entry.guarantee(in.setting, in.setup.parameters, in.arithmetic);
  if (g.is_private() && in.source) g.randomness = privacy::Randomness::kSecure;
  return g;
}

const accounting::Ledger& Policy::ledger() const {
  inside_->check_kept("ledger");
  return inside_->ledger;
}
Round Policy::choices() const noexcept { return inside_->choices; }
std::uint64_t Policy::releases() const noexcept { return inside_->releases; }
std::string Policy::save(const privacy::SealingKey& key) const {
  inside_->check_process("save");  // a child's copy, taken up again, would release what its parent does
  inside_->check_kept("save");
  return inside_->saved(key);
}

}  // namespace tacit::live
