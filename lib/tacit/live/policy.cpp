#include "tacit/live/policy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <sodium.h>

#include "tacit/core/check.hpp"
#include "tacit/core/state.hpp"
#include "tacit/indices/mgf.hpp"
#include "tacit/live/answered.hpp"
#include "tacit/privacy/published.hpp"
#include "tacit/random/sodium.hpp"

namespace tacit::live {
namespace {

constexpr std::string_view kFormat = "tacit live state 1\n";
constexpr std::string_view kSealedLine = "\nsealed ";

policies::Setting setting_of(const Setup& setup) {
  return {.arms = setup.arms,
          .epsilon = setup.epsilon,
          .delta = setup.delta,
          // An anytime policy has no use for it but to say what it adds up to.
          .horizon = setup.horizon.value_or(kLastRound),
          .pace = policies::Pace::kPlain,
          .actions = setup.actions};
}

/// What must agree between the setup of a policy that was saved and of the one that takes it up.
std::string fingerprint(const Setup& setup) {
  std::string parameters;
  for (const auto& [name, value] : setup.parameters)
    parameters += fmt::format(" {}={}", name, value);
  const auto number = [](const auto& value) { return value ? fmt::format("{}", *value) : "none"; };
  return fmt::format("{} arms {} epsilon {} delta {} horizon {} actions {} wait {} missing {}{}",
                     setup.policy, setup.arms, number(setup.epsilon), number(setup.delta),
                     number(setup.horizon), setup.actions ? setup.actions->name() : "single",
                     setup.wait, setup.missing, parameters);
}

const policies::Entry& checked(const Setup& setup) {
  const policies::Entry& entry = policies::find_policy(setup.policy);
  check::at_least(setup.policy, "arms", setup.arms, 1);
  check::at_least(setup.policy, "wait", setup.wait, 0);
  check::within(setup.policy, "missing", setup.missing, 0, 1);
  if (setup.horizon) check::horizon(setup.policy, *setup.horizon);
  if (entry.starts_from_raw_outcomes) {
    throw InvalidParameter(Option{"policy"}, setup.policy,
                           "starts from raw outcomes of every arm before anybody was asked, so "
                           "that it cannot be held");
  }
  if (!entry.card.anytime && !setup.horizon) {
    throw InvalidParameter(setup.policy, "horizon", "",
                           "must be given: the most choices that there will be");
  }
  if (setup.actions && !entry.card.plays_sets()) {
    throw InvalidParameter(setup.policy, "actions", setup.actions->name(),
                           "plays a single arm a round");
  }
  if (setup.actions && setup.actions->arms() != setup.arms) {
    throw InvalidParameter(
        setup.policy, "actions", setup.actions->name(),
        fmt::format("is made of {} arms, not {}", setup.actions->arms(), setup.arms));
  }
  return entry;
}

}  // namespace

struct Policy::Inside {
  Inside(const Setup& given, const random::Dice& dice)
      : setup(given),
        entry(checked(given)),
        setting(setting_of(given)),
        plan(entry.plan(setting, given.parameters)),
        learner(entry.learner(setting, given.parameters, dice)),
        ticket_key(TicketKey::fresh()) {
    randombytes_buf(&id, sizeof id);
  }

  bool by_slot() const noexcept { return curator != nullptr; }
  bool local() const noexcept { return entry.card.trust == policies::Trust::kLocal; }
  std::size_t answers_of(const Ticket& ticket) const {
    if (answers_with_a_stop(plan)) return 1;
    const auto slots = ticket.choice_.slots();
    return slots.size() == 1 && slots[0].arm == kAllArms ? static_cast<std::size_t>(setup.arms)
                                                         : slots.size();
  }
  std::string name_of_call(const char* call) const {
    return fmt::format("{}: {}", setup.policy, call);
  }

  void check_ticket(const Ticket& ticket, const char* call) const {
    if (ticket.policy_ == id && ticket_key.signed_by_me(ticket)) return;
    throw InvalidParameter(name_of_call(call), "ticket", fmt::format("{}", ticket.number()),
                           "is not one that this policy gave");
  }
  void check_outcomes(const Ticket& ticket, std::span<const double> outcomes,
                      const char* call) const {
    const std::size_t expected = answers_of(ticket);
    if (outcomes.size() != expected) {
      throw InvalidParameter(name_of_call(call), "number of outcomes",
                             fmt::format("{}", outcomes.size()),
                             fmt::format("must be {}", expected));
    }
    const double most = answers_with_a_stop(plan) ? static_cast<double>(ticket.arms().size()) : 1;
    for (const double outcome : outcomes) {
      // The value is not shown: it is what a user did.
      if (!(outcome >= 0 && outcome <= most) ||
          (answers_with_a_stop(plan) && outcome != std::floor(outcome))) {
        throw InvalidParameter(name_of_call(call), "outcome", "",
                               answers_with_a_stop(plan)
                                   ? "must be a position of the list, or its length"
                                   : "must be in [0, 1]");
      }
    }
  }

  /// Each ticket's first report counts.
  void learn_from(const Ticket& ticket, const Report& report) {
    if (!answered.first(ticket.number())) return;
    std::vector<privacy::Released<double>> values;
    for (const double value : report) values.push_back(privacy::Published::again(value));
    learner->take(ticket.choice_, values);
  }

  /// Releases what is due before choice number `next`.
  void release_due(Round next) {
    bool any = false;
    while (!due.empty() && due.front().last + setup.wait < next) {
      const Due slot = due.front();
      due.pop_front();
      ledger.set_round(choices, recorded);
      const ReleasedSlot released = curator->release(slot.slot, slot.n);
      learner->deliver(slot.slot, released.values, slot.n, released.noises);
      ++releases;
      any = true;
    }
    unkept = unkept || any;
    if (!unkept || store == nullptr) return;
    // Before anybody sees what it led to. If this throws, the next call tries again.
    store->keep(saved(*store_key), releases);
    unkept = false;
  }

  std::string public_state() const {
    StateWriter writer;
    writer(choices, releases, recorded, id, dice_number);
    writer(due.size());
    for (const Due& d : due) writer(d.slot.arm, d.slot.phase, d.n, d.last);
    writer(answered, ledger, reporter ? reporter->used() : std::uint64_t{0});
    StateWriter of_learner;
    learner->save(of_learner);
    return fmt::format("{}{}\n{}\n{}", kFormat, fingerprint(setup), writer.text(),
                       of_learner.text());
  }
  std::string saved(const privacy::SealingKey& key) const {
    const std::string in_the_clear = public_state();
    privacy::SealingWriter sealed;
    sealed(ticket_key);
    if (curator) curator->save(sealed);
    return fmt::format("{}{}{}\n", in_the_clear, kSealedLine, sealed.seal(key, in_the_clear));
  }
  void load(std::string_view state, const privacy::SealingKey& key, std::uint64_t mark) {
    due.clear();
    const auto refuse = [](const std::string& what) {
      throw InvalidParameter("restore", "state", "", what);
    };
    const std::size_t sealed_at = state.rfind(kSealedLine);
    if (!state.starts_with(kFormat) || sealed_at == std::string_view::npos ||
        !state.ends_with('\n')) {
      refuse("is not what a live policy saved");
    }
    const std::string_view in_the_clear = state.substr(0, sealed_at);
    std::string_view rest = in_the_clear.substr(kFormat.size());
    const std::string_view saved_as = rest.substr(0, rest.find('\n'));
    if (saved_as != fingerprint(setup)) {
      refuse(fmt::format("was saved of another setup: {}; this one is {}", saved_as,
                         fingerprint(setup)));
    }
    rest.remove_prefix(saved_as.size() + 1);
    const std::size_t end = rest.find('\n');
    std::string_view sealed_text = state.substr(sealed_at + kSealedLine.size());
    sealed_text.remove_suffix(1);
    privacy::SealingReader sealed(sealed_text, key, in_the_clear);  // refuses what was changed
    StateReader reader(rest.substr(0, end));
    reader(choices, releases, recorded, id, dice_number);
    if (releases < mark) {
      refuse(fmt::format("is older than the last release ({} of {}): it would release a sum again",
                         releases, mark));
    }
    read_due(reader);
    std::uint64_t used = 0;
    reader(answered, ledger, used);
    if (reporter) reporter->skip_to(used);
    sealed(ticket_key);
    if (curator) curator->load(sealed);
    if (source) {
      learner = entry.learner(setting, setup.parameters, random::Dice::numbered(dice_number));
    }  // else its dice are those of the rehearsal
    StateReader of_learner(rest.substr(end + 1));
    learner->load(of_learner);
  }
  void read_due(StateReader& reader) {
    std::size_t count = 0;
    reader(count);
    for (; count > 0; --count) {
      Due d{};
      reader(d.slot.arm, d.slot.phase, d.n, d.last);
      due.push_back(d);
    }
  }

  struct Due {
    Slot slot;
    Round n;     // choices that it holds
    Round last;  // the number of the last of them
  };

  Setup setup;
  const policies::Entry& entry;
  policies::Setting setting;
  curators::Plan plan;
  std::unique_ptr<random::SecureSource> source;  // null: a rehearsal
  privacy::Arithmetic arithmetic = privacy::Arithmetic::kExact;
  privacy::Ledger ledger;
  std::unique_ptr<policies::Learner> learner;
  std::unique_ptr<Curator> curator;    // null: the policy takes reports
  std::unique_ptr<Reporter> reporter;  // of outcomes that nobody protects
  TicketKey ticket_key;
  std::uint64_t id = 0;
  std::uint64_t dice_number = 0;
  Round choices = 0;
  std::uint64_t releases = 0;
  int recorded = 1;     // outcomes of a round, at most, so far
  std::deque<Due> due;  // full slots, in the order of their last choices
  Answered answered;    // reports: the tickets that were
  Store* store = nullptr;
  std::optional<privacy::SealingKey> store_key;
  bool unkept = false;
  policies::Choice choice;
};

Policy::Policy(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Policy::Policy(Policy&&) noexcept = default;
Policy& Policy::operator=(Policy&&) noexcept = default;
Policy::~Policy() = default;

namespace {

std::uint64_t fresh_number() {
  random::need_sodium();
  std::uint64_t number = 0;
  randombytes_buf(&number, sizeof number);
  return number;
}

}  // namespace

Policy::Policy(const Setup& setup, Store* store, const privacy::SealingKey* key) {
  const std::uint64_t number = fresh_number();
  inside_ = std::make_unique<Inside>(setup, random::Dice::numbered(number));
  Inside& in = *inside_;
  in.dice_number = number;
  in.source = std::make_unique<random::SecureSource>();
  in.curator = make_curator(in.plan, setup.arms, setup.missing,
                            privacy::Releases(privacy::SecureNoise(*in.source), &in.ledger));
  if (!in.curator) in.reporter = make_reporter(in.plan, *in.source, &in.ledger);
  in.store = store;
  if (store != nullptr && key == nullptr) {
    throw InvalidParameter("Policy", "key", "",
                           "must be given with a store: what is secret is kept under it");
  }
  if (key != nullptr) in.store_key = *key;
}

Policy Policy::rehearsal(const Setup& setup, const random::SimulationKey& key,
                         privacy::Arithmetic arithmetic) {
  random::need_sodium();
  auto inside = std::make_unique<Inside>(setup, random::Dice(key));
  inside->arithmetic = arithmetic;
  inside->curator =
      make_curator(inside->plan, setup.arms, setup.missing,
                   privacy::Releases(privacy::SimulatedNoise(key, arithmetic), &inside->ledger));
  if (!inside->curator) {
    inside->reporter = make_reporter(inside->plan, key.stream(random::Purpose::kRounding),
                                     arithmetic, &inside->ledger);
  }
  return Policy(std::move(inside));
}

Policy Policy::restore(const Setup& setup, std::string_view state, const privacy::SealingKey& key,
                       std::uint64_t mark, Store* store) {
  Policy policy(setup, store, &key);
  policy.inside_->load(state, key, mark);
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
  inside_->load(state, key, 0);
}

Ticket Policy::choose(std::span<const Arm> eligible) {
  Inside& in = *inside_;
  for (const Arm arm : eligible) {
    if (arm < 0 || arm >= in.setup.arms) {
      throw InvalidParameter(in.name_of_call("choose"), "eligible", fmt::format("{}", arm),
                             fmt::format("must be arms from 0 to {}", in.setup.arms - 1));
    }
  }
  const Round number = in.choices + 1;
  if (number > in.setting.horizon) {
    throw InvalidParameter(in.name_of_call("choose"), "horizon",
                           fmt::format("{}", in.setting.horizon),
                           "is over: as many choices were made");
  }
  in.release_due(number);
  in.learner->choose({number, eligible}, in.choice);
  in.choices = number;
  Ticket ticket;
  ticket.policy_ = in.id;
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

void Policy::advance() { inside_->release_due(inside_->choices + 1); }

void Policy::report(const Ticket& ticket, std::span<const double> outcomes) {
  Inside& in = *inside_;
  in.check_ticket(ticket, "report");
  if (in.local()) {
    throw InvalidParameter(
        in.name_of_call("report"), "outcome", "",
        "is private on the user's own device: take() takes what the device reports");
  }
  if (ticket.choice_.slots().empty()) return;  // not recorded
  in.check_outcomes(ticket, outcomes, "report");
  if (!in.by_slot()) {
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
    throw InvalidParameter(in.name_of_call("take"), "report", "",
                           "is for policies with local privacy; report() takes outcomes");
  }
  const std::size_t expected =
      answers_with_a_stop(in.plan) ? ticket.arms().size() : in.answers_of(ticket);
  if (report.size() != expected) {
    throw InvalidParameter(in.name_of_call("take"), "length of the report",
                           fmt::format("{}", report.size()), fmt::format("must be {}", expected));
  }
  const bool bits = std::holds_alternative<curators::ResponsePlan>(in.plan);
  for (const double value : report) {
    if (std::isfinite(value) && (!bits || value == 0 || value == 1)) continue;
    throw InvalidParameter(in.name_of_call("take"), "report", fmt::format("{}", value),
                           bits ? "must be 0 or 1" : "must be a number");
  }
  in.learn_from(ticket, report);
}

Report Policy::device_report(const Ticket& ticket, std::span<const double> outcomes,
                             random::SecureSource& source) const {
  const Inside& in = *inside_;
  in.check_outcomes(ticket, outcomes, "device_report");
  const auto device = make_reporter(in.plan, source, nullptr);
  if (!device || !in.local()) {
    throw InvalidParameter(in.name_of_call("device_report"), "policy", in.setup.policy,
                           "has no devices: its privacy is not local");
  }
  return device->report(ticket.recorded(), outcomes);
}

const policies::Card& Policy::card() const { return inside_->entry.card; }

privacy::Guarantee Policy::guarantee() const {
  const Inside& in = *inside_;
  privacy::Guarantee g = in.entry.guarantee(in.setting, in.setup.parameters, in.arithmetic);
  if (g.is_private() && in.source) g.randomness = privacy::Randomness::kSecure;
  return g;
}

std::vector<ArmView> Policy::show(double coverage) const {
  check::strictly_within("show", "coverage", coverage, 0, 1);
  const Inside& in = *inside_;
  const auto* phases = std::get_if<curators::PhasePlan>(&in.plan);
  std::vector<ArmView> views;
  for (Arm arm = 0; arm < in.setup.arms; ++arm) {
    const policies::View known = in.learner->show(arm);
    ArmView view{
        .mean = known.n > 0 ? known.sum / known.n : std::numeric_limits<double>::quiet_NaN(),
        .n = known.n,
        .under_way = known.under_way,
        .interval = std::nullopt};
    if (phases != nullptr && known.n > 0) {
      // Half of what may fail on either side; 1 - mean is the mean of 1 - outcome, with the same noise.
      const double level = std::log(2 / (1 - coverage));
      view.interval = {
          1 - indices::mgf_upper(known.n - known.sum, known.n, known.noises, phases->scale, level),
          indices::mgf_upper(known.sum, known.n, known.noises, phases->scale, level)};
    }
    views.push_back(view);
  }
  return views;
}

const privacy::Ledger& Policy::ledger() const { return inside_->ledger; }
Round Policy::choices() const noexcept { return inside_->choices; }
std::uint64_t Policy::releases() const noexcept { return inside_->releases; }
std::string Policy::save(const privacy::SealingKey& key) const { return inside_->saved(key); }

}  // namespace tacit::live
