// An application as the service sees it: it asks for decisions, and answers each with its own token. As fast as it is served, or
// by the clock: then a time counts from when a request was due, whether or not it could be sent then.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "connections.hpp"
#include "histogram.hpp"

namespace tacit::benchmarks {

using Seconds = std::chrono::duration<double>;

/// The texts of requests, for one key and one experiment. Each is valid until the next one is made. Every third outcome is 1, the
/// others are 0.
class Requests {
 public:
  Requests(const std::string& key, const std::string& experiment);

  std::string_view decision();
  /// A hundred at once.
  std::string_view decisions();
  std::string_view outcome(std::string_view event);
  std::string_view outcomes(const std::vector<std::string_view>& events);
  /// How many decisions were asked for.
  std::uint64_t asked() const noexcept { return asked_; }

 private:
  void add_outcome(std::string_view event);
  std::string_view outcome_request();

  std::string decision_;
  std::string decisions_;
  std::string outcome_head_;
  std::string body_;
  std::string text_;
  std::uint64_t asked_ = 0;
  std::uint64_t told_ = 0;
};

/// The tokens in an answer. Throws when there is none.
std::vector<std::string_view> events_in(std::string_view body);

/// As long as a token is, for servers whose answers hold none.
inline constexpr std::string_view kSomeEvent =
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Every connection asks for a decision, tells its outcome, and so on: requests a second. An `event` is told in place of those
/// that are answered.
double ask_and_tell(Connections& connections, Requests& requests, Seconds duration,
                    std::string_view event = {});

/// Gathers batches of tokens for a while, then tells their outcomes: outcomes a second.
double tell_in_batches(Connections& connections, Requests& requests, Seconds duration);

/// Every connection asks and tells, one in sixteen by hundreds, until so many decisions were made.
std::uint64_t ask_and_tell_many(Connections& connections, Requests& requests,
                                std::uint64_t decisions);

/// So many requests a second, evenly, every other one an outcome; the times of the decisions.
Histogram paced(Connections& connections, Requests& requests, double rate, Seconds duration,
                std::string_view event = {});

}  // namespace tacit::benchmarks
