// What `tacit serve` gets through, and how long its clients wait, as ratios to a bare echo and to a bare commit of the same run.
// Prints every ratio with its limit; exits 1 when one is missed. With words only some parts: rates, latency, start; and what is
// longer or needs another program, only when it is named: soak, h2load.
//
//   service_load [PART ...] [--seconds S] [--repetitions N] [--connections N] [--decisions N] [--folder DIR]
#include <charconv>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "measurements.hpp"

namespace tacit::benchmarks {
namespace {

struct Part {
  const char* name;
  void (*measure)(const Plan&, Report&);
  bool unasked;
};
constexpr Part kParts[] = {{"rates", measure_rates, true},
                           {"latency", measure_latency, true},
                           {"start", measure_start, true},
                           {"h2load", measure_with_h2load, false},
                           {"soak", measure_soak, false}};

/// A mistake in what was typed.
struct Refused {
  std::string why;
};

template <class T>
T number(std::string_view option, std::string_view text, T low, T high) {
  T value{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() ||
      !(value >= low && value <= high)) {
    throw Refused{fmt::format("{} {}: must be a number from {} to {}", option, text, low, high)};
  }
  return value;
}

void set(Plan& plan, std::string_view option, std::string_view text) {
  if (option == "--seconds") {
    plan.seconds = Seconds(number(option, text, 0.1, 600.0));
  } else if (option == "--repetitions") {
    plan.repetitions = number(option, text, 1, 100);
  } else if (option == "--connections") {
    plan.connections = number<std::size_t>(option, text, 1, 4000);
  } else if (option == "--decisions") {
    plan.decisions = number<std::uint64_t>(option, text, 1000, 1000000000);
  } else if (option == "--folder") {
    plan.folder = text;
  } else {
    throw Refused{fmt::format(
        "{}: must be --seconds, --repetitions, --connections, --decisions or --folder", option)};
  }
}

const Part& part(std::string_view name) {
  for (const Part& each : kParts) {
    if (each.name == name) return each;
  }
  throw Refused{fmt::format("{}: must be rates, latency, start, h2load or soak", name)};
}

int run(const std::vector<std::string_view>& words) {
  Plan plan;
  std::vector<const Part*> parts;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) {
      parts.push_back(&part(words[i]));
    } else if (i + 1 < words.size()) {
      set(plan, words[i], words[i + 1]);
      ++i;
    } else {
      throw Refused{fmt::format("{}: needs a value", words[i])};
    }
  }
  if (parts.empty()) {
    for (const Part& each : kParts) {
      if (each.unasked) parts.push_back(&each);
    }
  }
  Report report;
  for (const Part* each : parts) each->measure(plan, report);
  return report.missed() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tacit::benchmarks

int main(int count, char** arguments) {
  try {
    return tacit::benchmarks::run({arguments + 1, arguments + count});
  } catch (const tacit::benchmarks::Refused& refused) {
    fmt::print(stderr, "service_load: {}\n", refused.why);
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "service_load: {}\n", error.what());
    return 1;
  }
}
