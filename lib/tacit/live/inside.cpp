#include "tacit/live/inside.hpp"

#include <cmath>
#include <iterator>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <sodium.h>

#include "tacit/core/check.hpp"
#include "tacit/privacy/published.hpp"
#include "tacit/random/sodium.hpp"

namespace tacit::live {
namespace {

policies::Setting setting_of(const Setup& setup) {
  return {.arms = setup.arms,
          .epsilon = setup.epsilon,
          .delta = setup.delta,
          // An anytime policy has no use for it but to say what it adds up to.
          .horizon = setup.horizon.value_or(kLastRound),
          .pace = policies::Pace::kPlain,
          .actions = setup.actions};
}

const policies::Entry& checked(const Setup& setup) {
  const policies::Entry& entry = policies::find_policy(setup.policy);
  check::at_least(setup.policy, "arms", setup.arms, 1);
  if (setup.wait < 0 || setup.wait > kLastRound) {
    throw InvalidParameter(setup.policy, "wait", fmt::format("{}", setup.wait),
                           fmt::format("must be a number of choices from 0 to {}", kLastRound));
  }
  if (setup.epsilon) check::positive(setup.policy, "epsilon", *setup.epsilon);
  if (setup.delta) check::strictly_within(setup.policy, "delta", *setup.delta, 0, 1);
  std::set<std::string> named;
  for (const auto& [name, value] : setup.parameters) {
    if (!named.insert(name).second)
      throw InvalidParameter(setup.policy, name, value, "is given a second time");
  }
  check::within(setup.policy, "missing", setup.missing, 0, 1);
  if (setup.horizon) check::horizon(setup.policy, *setup.horizon);
  if (entry.starts_from_raw_outcomes) {
    throw InvalidParameter(Option{"policy"}, setup.policy,
                           "starts from raw outcomes of every arm before anybody was asked, so "
                           "that it cannot be held");
  }
  if (!setup.horizon && !entry.anytime(setup.parameters)) {
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

std::uint64_t fresh_number() {
  random::need_sodium();
  std::uint64_t number = 0;
  randombytes_buf(&number, sizeof number);
  return number;
}

Policy::Inside::Inside(const Setup& given, const random::Dice& dice)
    : setup(given),
      entry(checked(given)),
      setting(setting_of(given)),
      plan(entry.plan(setting, given.parameters)),
      learner(entry.learner(setting, given.parameters, dice)),
      log(policies::ReleaseLog::of(plan, entry.card.feedback, given.arms, learner->recorded())),
      ticket_key(TicketKey::fresh()) {
  number = fresh_number();
  ids[1] = fresh_number();
  *static_cast<char*>(made_here.memory()) = 1;
}

std::size_t Policy::Inside::answers_of(const Ticket& ticket) const {
  if (answers_with_a_stop(plan)) return 1;
  const auto slots = ticket.choice_.slots();
  return slots.size() == 1 && slots[0].arm == kAllArms ? static_cast<std::size_t>(setup.arms)
                                                       : slots.size();
}

std::string Policy::Inside::name_of_call(const char* call) const {
  return fmt::format("{}: {}", setup.policy, call);
}

void Policy::Inside::check_arm(Arm arm, const char* call, const char* parameter) const {
  if (arm >= 0 && arm < setup.arms) return;
  throw InvalidParameter(name_of_call(call), parameter, fmt::format("{}", arm),
                         fmt::format("must be an arm from 0 to {}", setup.arms - 1));
}

void Policy::Inside::check_ticket(const Ticket& ticket, const char* call) const {
  const auto next = ids.upper_bound(ticket.number());
  const bool mine = next != ids.begin() && std::prev(next)->second == ticket.policy_;
  if (mine && ticket.number() <= choices && ticket_key.signed_by_me(ticket)) return;
  throw InvalidParameter(
      name_of_call(call), "ticket", fmt::format("{}", ticket.number()),
      "is not one that this policy gave, or was given after the state that it was "
      "restored from was saved");
}

void Policy::Inside::check_outcomes(const Ticket& ticket, std::span<const double> outcomes,
                                    const char* call) const {
  const std::size_t expected = answers_of(ticket);
  if (outcomes.size() != expected) {
    throw InvalidParameter(
        name_of_call(call), "number of outcomes", fmt::format("{}", outcomes.size()),
        answers_with_a_stop(plan)
            ? fmt::format(
                  "must be 1: the position at which the user stopped, from 0, or {} for none",
                  ticket.arms().size())
            : fmt::format("must be {}, one for each of ticket.recorded()", expected));
  }
  const double most = answers_with_a_stop(plan) ? static_cast<double>(ticket.arms().size()) : 1;
  for (const double outcome : outcomes) {
    // The value is not shown: it is what a user did.
    if (!(outcome >= 0 && outcome <= most) ||
        (answers_with_a_stop(plan) && outcome != std::floor(outcome))) {
      throw InvalidParameter(name_of_call(call), "outcome", Withheld{},
                             answers_with_a_stop(plan)
                                 ? "must be a position of the list, from 0, or its length"
                                 : "must be in [0, 1]");
    }
  }
}

Report Policy::Inside::report_of(const Ticket& ticket, std::span<const double> outcomes,
                                 const std::unique_ptr<Reporter>& device) const {
  check_ticket(ticket, "device_report");
  check_outcomes(ticket, outcomes, "device_report");
  if (!device || !local()) {
    throw InvalidParameter(name_of_call("device_report"), "policy", setup.policy,
                           "has no devices: its privacy is not local");
  }
  return device->report(ticket.recorded(), outcomes);
}

void Policy::Inside::learn_from(const Ticket& ticket, const Report& report) {
  std::vector<privacy::Released<double>> values;
  for (const double value : report) values.push_back(privacy::Published::again(value));
  answered.note(ticket.number());
  learner->take(ticket.choice_, values);
  if (log) log->take(ticket.choice_, values);
}

void Policy::Inside::check_process(const char* call) const {
  // Where the kernel cannot tell, nobody can.
  if (!made_here.works() || *static_cast<const char*>(made_here.memory()) == 1) return;
  throw std::runtime_error(
      fmt::format("{}: this is a copy in a child process, and its parent would release the same "
                  "sums: hold a policy in one of them",
                  name_of_call(call)));
}

void Policy::Inside::check_kept(const char* call) const {
  if (!unkept || store == nullptr) return;
  throw std::runtime_error(
      fmt::format("{}: a release is not kept yet, so that nothing of it is shown: advance() tries "
                  "to keep it again",
                  name_of_call(call)));
}

void Policy::Inside::keep() {
  store->keep(saved(*store_key), {number, releases});
  unkept = false;
}

void Policy::Inside::release_due(Round next, const char* call) {
  check_process(call);
  while (!due.empty() && due.front().last + setup.wait < next) {
    const Due slot = due.front();
    ledger.set_round(choices, recorded);
    const ReleasedSlot released =
        curator->release(slot.slot, slot.n);  // if it throws, it is still due
    unkept = true;
    due.pop_front();
    learner->deliver(slot.slot, released.values, slot.n, released.noises);
    if (log) log->deliver(slot.slot, released.values, slot.n, released.noises);
    ++releases;
  }
  // Before anybody sees what it led to. If this throws, the next call tries again.
  if (unkept && store != nullptr) keep();
}

}  // namespace tacit::live
