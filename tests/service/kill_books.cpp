#include "service/kill_books.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "tacit/service/keeping/checking.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/keys.hpp"

namespace tacit::service {
namespace {

std::string text_of(const std::string& experiment, Slot slot) {
  return fmt::format("{}, arm {}, phase {}", experiment, slot.arm, slot.phase);
}

}  // namespace

template <class... T>
void Books::complain(const char* text, const T&... values) {
  complaints_.push_back(fmt::format(fmt::runtime(text), values...));
}

Books::Books(const std::string& store, const std::string& keys, const Visitors& visitors,
             Durability durability, double missing)
    : durability_(durability), missing_(missing) {
  complaints_ = check_file(store, SteadyClock().now()).complaints;
  kept_ = SqliteStore(store, SqliteStore::Opening::kBeside).load();
  const KeyRing ring = KeyFile(keys, false).read();
  const TokenKeys tokens = ring.token_keys();
  for (const ExperimentRow& row : kept_.experiments) {
    names_[row.id] = row.name;
    if (row.generation != 0) complain("{}: what was under way was abandoned", row.name);
  }
  if (ring.releases > kept_.releases) complain("the key file knows more releases than the store");
  for (const IncarnationRow& row : kept_.incarnations) durable_[row.incarnation] = row.last;
  for (const Visit* visit : visitors.visits()) enter(*visit, visitors, tokens);
  std::set<Name> released;
  for (const ReleaseRow& row : kept_.made) {
    if (!released.emplace(row.experiment, row.slot).second) {
      complain("{}: released twice", text_of(names_[row.experiment], row.slot));
    }
    check_release(row);
  }
  for (const auto& [name, account] : accounts_) {
    if (!released.contains(name)) {
      complain("{}: has decisions, and was never released",
               text_of(names_[name.first], name.second));
    }
  }
  if (!kept_.slots.empty() || !kept_.sealed.empty()) {
    complain("{} slots and {} sealed rows are left of what is released", kept_.slots.size(),
             kept_.sealed.size());
  }
  check_numbers(visitors);
}

void Books::enter(const Visit& visit, const Visitors& visitors, const TokenKeys& tokens) {
  const Visited& visited = visitors.experiments()[visit.experiment];
  const std::optional<Event> event = tokens.read(visit.event);
  if (!event || names_[event->experiment] != visited.name) {
    complain("{}: a decision whose token is not the service's", visited.name);
    return;
  }
  if (!numbers_.emplace(event->incarnation, event->number).second) {
    complain("{}: two tokens have one number", visited.name);
  }
  if (visit.waits_to_be_shown) return;  // and never was, as far as is known
  if (!event->recorded) {
    ++unrecorded_[visited.name];
    return;
  }
  if (event->number > durable_[event->incarnation]) {
    // It was forgotten with its place, which is another's now; and so is what was said of it.
    if (durability_ == Durability::kStrict) complain("{}: forgot a decision", visited.name);
    return;
  }
  ++recorded_[visited.name];
  if (visit.unit >= 0) ++of_unit_[{visited.name, visit.unit}];
  for (const Place& place : event->places) {
    Account& account = accounts_[{event->experiment, place.slot}];
    account.last_deadline = std::max(account.last_deadline, event->deadline);
    if (!account.places.insert(place.place).second) {
      complain("{}: two decisions have one place", text_of(visited.name, place.slot));
    }
    account.sums.resize(visited.all_arms ? kArmNames.size() : 1);
    if (visit.is_out()) continue;
    for (std::size_t arm = 0; arm < account.sums.size(); ++arm) {
      const double said = visit.outcome(static_cast<int>(arm)) - missing_;
      auto& [from, to] = account.sums[arm];
      from += visit.counts() ? said : std::min(0.0, said);
      to += visit.counts() ? said : std::max(0.0, said);
    }
    account.unsure = account.unsure || !visit.counts();
  }
}

void Books::check_release(const ReleaseRow& row) {
  const auto found = accounts_.find({row.experiment, row.slot});
  // Of decisions of which no answer came through.
  const Account nobody{.sums = decltype(Account::sums)(row.values.size()), .places = {}};
  const Account& account = found == accounts_.end() ? nobody : found->second;
  const std::string of = text_of(names_[row.experiment], row.slot);
  ++(account.unsure ? unsure_ : exact_);
  if (account.sums.size() != row.values.size()) {
    complain("{}: {} sums, and {} are released", of, account.sums.size(), row.values.size());
    return;
  }
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    const auto [from, to] = account.sums[i];
    const double missing = missing_ * static_cast<double>(row.n);
    if (row.values[i] >= from + missing && row.values[i] <= to + missing) continue;
    complain("{}: the sum of {} decisions is {}, and is to be {} to {}", of, row.n, row.values[i],
             from + missing, to + missing);
  }
  if (!account.places.empty() && *account.places.rbegin() >= row.n) {
    complain("{}: {} decisions, and one has place {}", of, row.n, *account.places.rbegin());
  }
  if (row.at < account.last_deadline) complain("{}: released before its last deadline", of);
}

void Books::check_numbers(const Visitors& visitors) {
  const auto unanswered = static_cast<Round>(visitors.counts().unanswered.load());
  for (const ProgressRow& row : kept_.progress) {
    const std::string& name = names_[row.experiment];
    Round released = 0;
    for (const ReleaseRow& each : kept_.made) {
      if (each.experiment == row.experiment) released += each.n;
    }
    if (released != row.recorded) {
      complain("{}: {} decisions are recorded, and {} are in releases", name, row.recorded,
               released);
    }
    // Of those that are not recorded some may have been, by a service that then could not say so.
    const Round most = recorded_[name] + unrecorded_[name] + unanswered;
    if (row.recorded < recorded_[name] || row.recorded > most) {
      complain("{}: {} decisions are recorded, and are to be {} to {}", name, row.recorded,
               recorded_[name], most);
    }
    Round shown = 0;
    for (const TrafficRow& each : kept_.traffic) {
      if (each.experiment == row.experiment) shown += each.decisions;
    }
    if (shown != row.decisions) {
      complain("{}: {} decisions, and {} were shown", name, row.decisions, shown);
    }
  }
}

void Books::check(int cap) const {
  for (const std::string& complaint : complaints_) ADD_FAILURE() << complaint;
  for (const auto& [of, times] : of_unit_) {
    EXPECT_LE(times, cap) << of.first << ": recorded of one unit";
  }
}

}  // namespace tacit::service
