#include "tacit/service/demo/shop.hpp"

#include <algorithm>
#include <chrono>
#include <queue>
#include <random>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/service/demo/client.hpp"

namespace tacit::service::demo {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double kMeanWait = 1.5;    // seconds until a visitor has decided
constexpr double kLongestWait = 4;   // less than the experiments wait
constexpr double kVanishing = 0.08;  // of visitors, without a trace
constexpr unsigned kDoors = 4;       // requests at a time
constexpr std::size_t kBatch = 100;

struct Later {
  Clock::time_point at;
  Json outcome;

  friend bool operator>(const Later& left, const Later& right) { return left.at > right.at; }
};
using Waiting = std::priority_queue<Later, std::vector<Later>, std::greater<>>;

/// Which arm that is.
double rate_of(const Offer& offer, const std::string& arm) {
  const auto found = std::find(offer.arms.begin(), offer.arms.end(), arm);
  if (found == offer.arms.end()) throw std::runtime_error(arm + ": is nothing that the shop has");
  return offer.rates[static_cast<std::size_t>(found - offer.arms.begin())];
}

/// One thread's visitors.
class Visitors {
 public:
  Visitors(unsigned number) : random_(std::random_device{}() + number) {}

  Seconds until_the_next(double a_second) {
    return Seconds(std::exponential_distribution<>(a_second)(random_));
  }

  /// What one will do about what was shown.
  void show(const Offer& offer, const Json& decision) {
    const bool vanishes = happens(kVanishing);
    Json outcome{{"event", decision.at("event")}};
    const Json& action = decision.at("action");
    if (offer.list) {
      outcome["stop"] = nullptr;
      int position = 0;
      for (const Json& arm : action) {
        if (outcome["stop"].is_null() && happens(rate_of(offer, arm.get<std::string>()))) {
          outcome["stop"] = position;
        }
        ++position;
      }
    } else {
      outcome["value"] = happens(rate_of(offer, action.get<std::string>())) ? 1 : 0;
    }
    const double wait =
        std::min(kLongestWait, std::exponential_distribution<>(1 / kMeanWait)(random_));
    if (vanishes) return;
    waiting_.push(
        {Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(wait)), outcome});
  }

  /// Those who have decided by now.
  Json decided() {
    Json outcomes = Json::array();
    while (!waiting_.empty() && waiting_.top().at <= Clock::now() && outcomes.size() < kBatch) {
      outcomes.push_back(waiting_.top().outcome);
      waiting_.pop();
    }
    return outcomes;
  }
  Clock::time_point next_decided() const {
    return waiting_.empty() ? Clock::time_point::max() : waiting_.top().at;
  }

 private:
  bool happens(double probability) { return std::bernoulli_distribution(probability)(random_); }

  std::mt19937_64 random_;
  Waiting waiting_;
};

}  // namespace

Shop::Shop(Address service, std::string key, std::vector<Offer> offers, double visitors)
    : service_(std::move(service)),
      key_(std::move(key)),
      offers_(std::move(offers)),
      visitors_a_second_(visitors) {
  for (unsigned door = 0; door < kDoors; ++door) {
    doors_.emplace_back([this, door] { serve(door); });
  }
}

Shop::~Shop() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (std::thread& door : doors_) door.join();
}

bool Shop::wait_until(Clock::time_point time) {
  std::unique_lock lock(mutex_);
  return !wake_.wait_until(lock, time, [this] { return closing_; });
}

void Shop::serve(unsigned number) {
  Client client(service_, key_);
  Visitors visitors(number);
  const auto pause = [&] {
    return std::chrono::duration_cast<Clock::duration>(
        visitors.until_the_next(visitors_a_second_ / kDoors));
  };
  Clock::time_point next = Clock::now() + pause();
  while (wait_until(std::min(next, visitors.next_decided()))) {
    try {
      if (next <= Clock::now()) {
        // Whoever cannot be served in time went elsewhere.
        next = std::max(next + pause(), Clock::now());
        for (const Offer& offer : offers_) {
          const Reply reply =
              client.post(fmt::format("/v1/experiments/{}/decisions", offer.experiment), "{}");
          if (reply.status == 200) visitors.show(offer, Json::parse(reply.body));
        }
        ++visitors_;
      }
      const Json outcomes = visitors.decided();
      if (!outcomes.empty()) client.post("/v1/outcomes", Json{{"outcomes", outcomes}}.dump());
    } catch (const std::exception&) {
      // A service that goes is none of a visitor's business.
      next = std::max(next, Clock::now() + std::chrono::seconds(1));
    }
  }
}

}  // namespace tacit::service::demo
