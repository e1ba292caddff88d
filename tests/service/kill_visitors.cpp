#include "service/kill_visitors.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tacit::service {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Where there is nothing to wait for but time.
constexpr milliseconds kBreath{5};
constexpr std::size_t kMostAtOnce = 8;

std::string event_in(const demo::Reply& reply) {
  const auto json = nlohmann::json::parse(reply.body, nullptr, false);
  return json.is_object() ? json.value("event", "") : "";
}

}  // namespace

bool await(const std::function<bool()>& condition, milliseconds patience) {
  const Moment last = Steady::now() + patience;
  while (!condition()) {
    if (Steady::now() > last) return false;
    std::this_thread::sleep_for(kBreath);
  }
  return true;
}

Visitors::Visitors(std::vector<Visited> experiments, std::size_t hands, std::uint64_t seed)
    : experiments_(std::move(experiments)) {
  for (std::size_t i = 0; i < hands; ++i) {
    hands_.push_back(std::make_unique<Hand>());
    hands_.back()->random.seed(seed + i);
  }
}

void Visitors::begin(const Address& address, const std::string& key) {
  ending_ = false;
  for (const auto& hand : hands_) {
    threads_.emplace_back([this, &hand = *hand, address, key] {
      demo::Client client(address, key);
      try {
        while (!ending_) visit(hand, client);
      } catch (const std::runtime_error&) {
        // It has hung up: what was not acknowledged stays owed.
      }
    });
  }
}

void Visitors::end() {
  ending_ = true;
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

bool Visitors::settle(milliseconds patience) {
  asking_ = false;
  return await([this] { return counts_.owed == 0; }, patience);
}

std::vector<const Visit*> Visitors::visits() const {
  std::vector<const Visit*> all;
  for (const auto& hand : hands_) {
    for (const Visit& visit : hand->visits) all.push_back(&visit);
  }
  return all;
}

void Visitors::visit(Hand& hand, demo::Client& client) {
  if (send_due(hand, client)) return;
  if (asking_) {
    ask(hand, client);
  } else {
    std::this_thread::sleep_for(kBreath);
  }
}

void Visitors::ask(Hand& hand, demo::Client& client) {
  const auto any = [&](auto n) {
    return static_cast<int>(hand.random() % static_cast<unsigned>(n));
  };
  Visit visit;
  visit.experiment = hand.random() % experiments_.size();
  const Visited& of = experiments_[visit.experiment];
  visit.waits_to_be_shown = of.defers && any(5) == 0;
  if (of.units > 0) visit.unit = any(of.units);
  nlohmann::json body = nlohmann::json::object();
  if (visit.unit >= 0) body["unit"] = fmt::format("user {}", visit.unit);
  if (visit.waits_to_be_shown) body["defer"] = true;

  visit.asked = Steady::now();
  ++counts_.unanswered;  // until it is
  const demo::Reply reply =
      client.post(fmt::format("/v1/experiments/{}/decisions", of.name), body.dump());
  visit.answered = Steady::now();
  visit.at_half_speed = at_half_speed_;
  if (reply.status != 200) {
    ++counts_.refused;
    counts_.refused_with = reply.status;
    return;
  }
  --counts_.unanswered;
  visit.event = event_in(reply);
  if (visit.event.empty()) {
    ++counts_.wrong;
    return;
  }
  ++counts_.decisions;
  const int plan = any(10);
  visit.plan = plan < 6    ? Visit::Plan::kSoon
               : plan == 6 ? Visit::Plan::kTwice
               : plan == 7 ? Visit::Plan::kLate
                           : Visit::Plan::kNever;
  visit.sixteenths = any(17);
  visit.due = visit.answered + milliseconds(any(4) == 0 ? any(300) : 0);
  const bool says_something = visit.waits_to_be_shown || visit.plan != Visit::Plan::kNever;
  if (says_something) {
    hand.open.push_back(hand.visits.size());
    ++counts_.owed;
  }
  hand.visits.push_back(std::move(visit));
}

void Visitors::show(Visit& visit, demo::Client& client) {
  if (!visit.sent) {
    visit.sent = Steady::now();  // of the activation, as long as it is not shown
    ++counts_.unanswered;
  }
  const demo::Reply reply =
      client.post("/v1/activations", nlohmann::json{{"event", visit.event}}.dump());
  if (reply.status == 503) {
    ++counts_.not_kept;
    std::this_thread::sleep_for(kBreath);
    return;
  }
  std::string active = event_in(reply);
  if (reply.status != 200 || active.empty()) {
    ++counts_.wrong;
    active = visit.event;
  }
  --counts_.unanswered;
  visit.event = std::move(active);
  visit.waits_to_be_shown = false;
  visit.asked = *std::exchange(visit.sent, std::nullopt);
  visit.answered = visit.due = Steady::now();
  visit.at_half_speed = at_half_speed_;
}

std::string Visitors::report(const Visit& visit, bool again) const {
  const auto said = [&](int arm) { return again ? 1 - visit.outcome(arm) : visit.outcome(arm); };
  nlohmann::json json{{"event", visit.event}};
  if (experiments_[visit.experiment].all_arms) {
    for (std::size_t arm = 0; arm < kArmNames.size(); ++arm) {
      json["values"][kArmNames[arm]] = said(static_cast<int>(arm));
    }
  } else {
    json["value"] = said(0);
  }
  return json.dump();
}

/// Several at once, which are acknowledged together. False: nothing was due, or nothing is kept now.
bool Visitors::send_due(Hand& hand, demo::Client& client) {
  const Moment now = Steady::now();
  std::vector<std::size_t> due;
  std::string body = "{\"outcomes\":[";
  for (const std::size_t i : hand.open) {
    Visit& visit = hand.visits[i];
    if (visit.due > now || due.size() == kMostAtOnce) continue;
    if (visit.waits_to_be_shown) {
      show(visit, client);
      if (visit.waits_to_be_shown) return false;
      if (visit.plan == Visit::Plan::kNever) {
        --counts_.owed;
        std::erase(hand.open, i);
        return true;
      }
    }
    if (visit.plan == Visit::Plan::kLate && !visit.sent &&
        now < visit.answered + visit.longest_wait() + 2 * Visit::kTolerance) {
      visit.due = visit.answered + visit.longest_wait() + 2 * Visit::kTolerance;
      continue;
    }
    body += (due.empty() ? "" : ",") + report(visit, visit.acknowledged.has_value());
    due.push_back(i);
  }
  if (due.empty()) return false;
  body += "]}";
  const Moment sent = Steady::now();
  for (const std::size_t i : due) {
    if (!hand.visits[i].sent) hand.visits[i].sent = sent;
  }
  const demo::Reply reply = client.post("/v1/outcomes", body);
  if (reply.status == 503) {
    ++counts_.not_kept;
    std::this_thread::sleep_for(kBreath);
    return false;  // others come meanwhile
  }
  if (reply.status != 202) ++counts_.wrong;
  for (const std::size_t i : due) {
    Visit& visit = hand.visits[i];
    const bool again = visit.acknowledged.has_value();
    if (!again && reply.status == 202) {
      visit.acknowledged = Steady::now();
      ++counts_.acknowledged;
    }
    // And says something else then.
    if (visit.plan == Visit::Plan::kTwice && !again && reply.status == 202) continue;
    std::erase(hand.open, i);
    --counts_.owed;
  }
  return true;
}

}  // namespace tacit::service
