// Every policy that can be held, unasked, with a setup and a table of outcomes to try it on.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tacit/actions/top_k.hpp"
#include "tacit/live/policy.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::live {

constexpr int kArms = 4;
constexpr int kSize = 2;
constexpr Round kRounds = 400;

/// One that releases soon.
inline Setup small() { return {.policy = "anytime-lazy-ucb", .arms = 3, .epsilon = 1}; }

/// What it throws says; "" when it throws nothing.
inline std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

inline std::vector<std::string> held_policies() {
  std::vector<std::string> names;
  for (const policies::Entry& entry : policies::catalogue()) {
    if (!entry.starts_from_raw_outcomes) names.emplace_back(entry.card.name);
  }
  return names;
}

/// All of them, and some with a parameter that makes them another policy: "name parameter=value".
inline std::vector<std::string> held_variants() {
  std::vector<std::string> all = held_policies();
  for (const char* variant :
       {"dp-ucb-tree counter=hybrid", "dp-ts-tree counter=hybrid", "cucb-dp counter=hybrid",
        "anytime-lazy-ucb index=ucb-v", "dp-se horizon=doubling", "adap-tt bonus=rounds",
        "adap-tt threshold=heuristic", "ctb-tt threshold=heuristic"}) {
    all.emplace_back(variant);
  }
  return all;
}

inline Setup setup_of(const std::string& variant, Round wait = 0, double missing = 0) {
  const std::size_t space = variant.find(' ');
  const std::string policy = variant.substr(0, space);
  const policies::Card& card = policies::find_policy(policy).card;
  Setup setup;
  setup.policy = policy;
  if (space != std::string::npos) {
    const std::size_t equals = variant.find('=');
    setup.parameters = {
        {variant.substr(space + 1, equals - space - 1), variant.substr(equals + 1)}};
  }
  setup.arms = kArms;
  if (card.trust != policies::Trust::kNone) setup.epsilon = 3;
  setup.horizon = kRounds;
  if (card.plays_sets()) setup.actions = std::make_shared<actions::TopK>(kArms, kSize);
  setup.wait = wait;
  setup.missing = missing;
  return setup;
}

/// A policy's name as one of a test.
inline std::string name_of_suite(const ::testing::TestParamInfo<std::string>& policy) {
  std::string name = policy.param;
  for (char& letter : name) {
    if (letter == '-' || letter == ' ' || letter == '=') letter = '_';
  }
  return name;
}

inline bool is_local(const std::string& policy) {
  return policies::find_policy(policy).card.trust == policies::Trust::kLocal;
}

inline curators::Plan plan_of(const Setup& setup) {
  const policies::Setting setting{.arms = setup.arms,
                                  .epsilon = setup.epsilon,
                                  .delta = setup.delta,
                                  .horizon = setup.horizon.value_or(kLastRound),
                                  .pace = policies::Pace::kPlain,
                                  .actions = setup.actions};
  return policies::find_policy(setup.policy).plan(setting, setup.parameters);
}

/// The curator that it has, with noise of this key; null for one that takes reports.
inline std::unique_ptr<Curator> curator_of(const Setup& setup, const random::SimulationKey& key) {
  return make_curator(plan_of(setup), setup.arms, setup.missing,
                      accounting::Releases(privacy::SimulatedNoise(key)));
}

/// Whether it keeps sums by slot, or takes reports.
inline bool by_slot(const std::string& policy) {
  return curator_of(setup_of(policy), random::SimulationKey(1, "", "", 0)) != nullptr;
}

inline bool releases_only_who_leads(const Setup& setup) {
  return std::holds_alternative<curators::NoisyLeaderPlan>(plan_of(setup));
}

/// One user's outcomes of all arms. Binary, so that clicks and outcomes are the same.
inline std::vector<double> row_of(random::SimulationStream& stream, std::span<const double> means) {
  std::vector<double> row;
  for (const double mean : means) row.push_back(random::bernoulli(stream, mean) ? 1 : 0);
  return row;
}

inline std::vector<std::vector<double>> table_of_outcomes(std::uint64_t run) {
  auto stream = random::SimulationKey(7, "live", "table", run).stream(random::Purpose::kOutcomes);
  const double means[kArms] = {0.8, 0.6, 0.5, 0.2};
  std::vector<std::vector<double>> rows;
  for (Round t = 0; t < kRounds; ++t) rows.push_back(row_of(stream, means));
  return rows;
}

/// What the user of this ticket has to tell, by a row of the table.
inline std::vector<double> outcomes_of(const std::string& policy, const Ticket& ticket,
                                       const std::vector<double>& row) {
  if (policy == "cascade-ldp-stop") {
    double stop = 0;
    for (const Arm arm : ticket.arms()) {
      if (row[static_cast<std::size_t>(arm)] >= 0.5) break;
      ++stop;
    }
    return {stop};
  }
  std::vector<double> outcomes;
  for (const Arm arm : ticket.recorded()) {
    if (arm == kAllArms) return row;
    outcomes.push_back(row[static_cast<std::size_t>(arm)]);
  }
  return outcomes;
}

/// All users of one policy: their devices share a stream, as in a simulation.
class Users {
 public:
  Users(const Setup& setup, const random::SimulationKey& key, privacy::Arithmetic arithmetic)
      : policy_(setup.policy) {
    if (is_local(policy_)) {
      devices_ = make_reporter(plan_of(setup), key.stream(random::Purpose::kRounding), arithmetic,
                               nullptr);
    }
  }
  void answer(Policy& policy, const Ticket& ticket, const std::vector<double>& row) {
    if (ticket.recorded().empty()) return;
    const std::vector<double> outcomes = outcomes_of(policy_, ticket, row);
    if (devices_) {
      policy.take(ticket, devices_->report(ticket.recorded(), outcomes));
    } else {
      policy.report(ticket, outcomes);
    }
  }

 private:
  std::string policy_;
  std::unique_ptr<Reporter> devices_;
};

/// What can be seen of a policy.
struct Seen {
  std::vector<std::vector<Arm>> actions;
  std::vector<std::vector<Slot>> slots;
  std::vector<std::string> shown;

  void note(const Policy& policy, const Ticket& ticket) {
    actions.emplace_back(ticket.arms().begin(), ticket.arms().end());
    slots.emplace_back(ticket.slots().begin(), ticket.slots().end());
    StateWriter writer;
    for (const ArmView& view : policy.show()) {
      writer(view.mean, view.n, view.under_way);
      if (view.interval) writer(view.interval->first, view.interval->second);
    }
    writer(policy.verdict());
    if (policy.choices() % 80 == 0) {  // dearer
      const auto apart = policy.difference(0, 1);
      if (apart) writer(apart->first, apart->second);
      writer(policy.best(1, 0.2));
    }
    const accounting::Ledger& ledger = policy.ledger();
    writer(ledger, policy.releases());
    shown.push_back(writer.text());
  }
  friend bool operator==(const Seen&, const Seen&) = default;
};

}  // namespace tacit::live
