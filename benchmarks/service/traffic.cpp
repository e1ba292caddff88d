#include "traffic.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace tacit::benchmarks {
namespace {

std::string head(const std::string& key, const std::string& path) {
  return fmt::format(
      "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {}\r\n"
      "Content-Type: application/json\r\nContent-Length: ",
      path, key);
}

std::string whole(const std::string& head, std::string_view body) {
  return fmt::format("{}{}\r\n\r\n{}", head, body.size(), body);
}

Moment after(Moment start, Seconds duration) {
  return start + std::chrono::duration_cast<Clock::duration>(duration);
}

double seconds_since(Moment start) { return Seconds(Clock::now() - start).count(); }

/// The one token of an answer, or the one that is told in its place.
std::string_view event_of(std::string_view body, std::string_view instead) {
  return instead.empty() ? events_in(body).front() : instead;
}

}  // namespace

Requests::Requests(const std::string& key, const std::string& experiment)
    : outcome_head_(head(key, "/v1/outcomes")) {
  const std::string of_decisions =
      head(key, fmt::format("/v1/experiments/{}/decisions", experiment));
  decision_ = whole(of_decisions, "{}");
  decisions_ = whole(of_decisions, R"({"count":100})");
}

std::string_view Requests::decision() {
  ++asked_;
  return decision_;
}
std::string_view Requests::decisions() {
  asked_ += 100;
  return decisions_;
}

void Requests::add_outcome(std::string_view event) {
  body_.append(R"({"event":")").append(event).append(R"(","value":)");
  body_.append(++told_ % 3 == 0 ? "1}" : "0}");
}

std::string_view Requests::outcome_request() {
  text_.assign(outcome_head_);
  fmt::format_to(std::back_inserter(text_), "{}\r\n\r\n", body_.size());
  return text_.append(body_);
}

std::string_view Requests::outcome(std::string_view event) {
  body_.clear();
  add_outcome(event);
  return outcome_request();
}

std::string_view Requests::outcomes(const std::vector<std::string_view>& events) {
  body_.assign(R"({"outcomes":[)");
  for (const std::string_view event : events) {
    add_outcome(event);
    body_.push_back(',');
  }
  body_.back() = ']';
  body_.push_back('}');
  return outcome_request();
}

std::vector<std::string_view> events_in(std::string_view body) {
  constexpr std::string_view kField = R"("event":")";
  std::vector<std::string_view> events;
  for (std::size_t at = body.find(kField); at != std::string_view::npos;
       at = body.find(kField, at)) {
    at += kField.size();
    events.push_back(body.substr(at, body.find('"', at) - at));
  }
  if (events.empty()) throw std::runtime_error("an answer without an event");
  return events;
}

double ask_and_tell(Connections& connections, Requests& requests, Seconds duration,
                    std::string_view event) {
  std::vector<bool> asked(connections.count(), true);
  std::uint64_t answered = 0;
  const Moment start = Clock::now();
  const Moment end = after(start, duration);
  bool over = false;
  const auto on_answer = [&](std::size_t number, std::string_view body) {
    ++answered;
    if (over) return;
    const bool tells = asked[number];
    asked[number] = !tells;
    connections.send(number, tells ? requests.outcome(event_of(body, event)) : requests.decision());
  };
  for (std::size_t i = 0; i < connections.count(); ++i) connections.send(i, requests.decision());
  while (!over) {
    connections.wait(on_answer);
    over = Clock::now() >= end;
  }
  const double rate = static_cast<double>(answered) / seconds_since(start);
  while (connections.under_way() > 0) connections.wait(on_answer);
  return rate;
}

double tell_in_batches(Connections& connections, Requests& requests, Seconds duration) {
  std::vector<std::string> batches;
  const Moment end = after(Clock::now(), duration);
  for (std::size_t i = 0; i < connections.count(); ++i) connections.send(i, requests.decisions());
  while (connections.under_way() > 0) {
    connections.wait([&](std::size_t number, std::string_view body) {
      batches.emplace_back(requests.outcomes(events_in(body)));
      if (Clock::now() < end) connections.send(number, requests.decisions());
    });
  }

  const Moment start = Clock::now();
  std::size_t next = 0;
  while (next < std::min(connections.count(), batches.size())) {
    connections.send(next, batches[next]);
    ++next;
  }
  while (connections.under_way() > 0) {
    connections.wait([&](std::size_t number, std::string_view) {
      if (next < batches.size()) connections.send(number, batches[next++]);
    });
  }
  return 100 * static_cast<double>(batches.size()) / seconds_since(start);
}

std::uint64_t ask_and_tell_many(Connections& connections, Requests& requests,
                                std::uint64_t decisions) {
  std::vector<bool> asked(connections.count(), true);
  std::uint64_t made = 0;
  const auto ask = [&](std::size_t number) {
    connections.send(number, number % 16 == 0 ? requests.decisions() : requests.decision());
  };
  const auto on_answer = [&](std::size_t number, std::string_view body) {
    asked[number] = !asked[number];
    if (asked[number]) {
      if (made < decisions) ask(number);
      return;
    }
    const std::vector<std::string_view> events = events_in(body);
    made += events.size();
    connections.send(
        number, events.size() == 1 ? requests.outcome(events.front()) : requests.outcomes(events));
  };
  for (std::size_t i = 0; i < connections.count(); ++i) ask(i);
  while (connections.under_way() > 0) connections.wait(on_answer);
  return made;
}

Histogram paced(Connections& connections, Requests& requests, double rate, Seconds duration,
                std::string_view event) {
  const auto count = static_cast<std::uint64_t>(rate * duration.count());
  const Moment start = Clock::now();
  const auto due = [&](std::uint64_t request) {
    return after(start, Seconds(static_cast<double>(request) / rate));
  };
  struct Sent {
    Moment due;
    bool decision = false;
  };
  std::vector<Sent> sent(connections.count());
  std::deque<std::size_t> free(connections.count());  // in turn: none of them is warmer than others
  std::iota(free.begin(), free.end(), 0);
  std::deque<std::string> tokens;  // of decisions whose outcome is not told yet
  Histogram times;
  const auto on_answer = [&](std::size_t number, std::string_view body) {
    free.push_back(number);
    if (!sent[number].decision) return;
    times.add(std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - sent[number].due)
                  .count());
    tokens.emplace_back(event_of(body, event));
  };
  std::uint64_t next = 0;
  while (next < count || connections.under_way() > 0) {
    for (; next < count && !free.empty() && due(next) <= Clock::now(); ++next) {
      const std::size_t number = free.front();
      free.pop_front();
      const bool tells = next % 2 == 1 && !tokens.empty();
      sent[number] = {due(next), !tells};
      connections.send(number, tells ? requests.outcome(tokens.front()) : requests.decision());
      if (tells) tokens.pop_front();
    }
    if (next == count && connections.under_way() == 0) break;
    connections.wait(on_answer,
                     next < count && !free.empty() ? std::optional(due(next)) : std::nullopt);
  }
  return times;
}

}  // namespace tacit::benchmarks
