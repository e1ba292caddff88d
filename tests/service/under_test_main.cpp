// The service as `tacit serve` puts it together, with what a test of its faults needs and no user may have: sums come out as they
// are, so that they can be compared; it can be told to die at a named point or at a write, and its disk to fail.
//
//   service_under_test CONFIG [--tick MS] [--rotate MS] [--kill-at POINT:N] [--disk FAILURE:N[:TIMES]] [--clock MS]
//
// Says "ready PORT" when it serves, and then answers a line for each that it reads: "disk FAILURE:N[:TIMES]", "failed?",
// "clock MS" of a clock that stands still otherwise. Stops when there are no more.
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <exception>
#include <future>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "service/failing_vfs.hpp"
#include "service/sums_as_they_are.hpp"
#include "tacit/service/serving.hpp"

namespace tacit::service {
namespace {

using Disk = tests::FailingVfs;

std::int64_t number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::runtime_error(text + ": must be a whole number");
  }
  return value;
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

struct DiskFault {
  Disk::Failure failure = Disk::Failure::kNone;
  std::int64_t first = 0;
  std::int64_t times = 1;
};

DiskFault disk_fault(const std::string& text) {
  const std::vector<std::string> parts = parts_of(text);
  DiskFault fault;
  if (parts[0] == "none") return fault;
  fault.failure = parts[0] == "error"   ? Disk::Failure::kIoError
                  : parts[0] == "full"  ? Disk::Failure::kFull
                  : parts[0] == "short" ? Disk::Failure::kShortWrite
                  : parts[0] == "kill"  ? Disk::Failure::kKill
                                        : throw std::runtime_error(text + ": no such failure");
  fault.first = number(parts.at(1));
  if (parts.size() > 2) fault.times = number(parts[2]);
  return fault;
}

/// Says what it was told to.
class HandClock final : public Clock {
 public:
  explicit HandClock(Time time) : time_(time) {}
  Time now() override { return time_; }
  void set(Time time) { time_ = time; }

 private:
  std::atomic<Time> time_;
};

struct Told {
  ConfigurationText text;
  Injected injected;
  std::optional<Time> rotate_every;
  std::string kill_point;
  std::int64_t kill_after = 0;
  std::optional<DiskFault> disk;
  std::optional<Time> clock;
};

Told told(const std::vector<std::string>& words) {
  Told all;
  all.text.config = words.at(0);
  for (std::size_t i = 1; i < words.size(); i += 2) {
    const std::string& value = words.at(i + 1);
    if (words[i] == "--tick") {
      all.injected.tick = number(value);
    } else if (words[i] == "--rotate") {
      all.rotate_every = number(value);
    } else if (words[i] == "--kill-at") {
      all.kill_point = parts_of(value).at(0);
      all.kill_after = number(parts_of(value).at(1));
    } else if (words[i] == "--disk") {
      all.disk = disk_fault(value);
    } else if (words[i] == "--clock") {
      all.clock = number(value);
    } else {
      throw std::runtime_error(words[i] + ": no such option");
    }
  }
  return all;
}

/// In the service's thread, which alone uses the disk.
template <class Do>
void in_its_thread(Service& service, Do what) {
  std::promise<void> done;
  const Work work = [&](Engine&, Time) {
    what();
    return Answer{};
  };
  service.submit_decision(work, work, [&](Answer&&) { done.set_value(); });
  done.get_future().wait();
}

void serve(const std::vector<std::string>& words) {
  std::signal(SIGPIPE, SIG_IGN);
  harden_process();
  Told all = told(words);
  std::unique_ptr<Disk> disk;
  if (all.disk) {
    disk = std::make_unique<Disk>();
    disk->fail(all.disk->failure, all.disk->first, all.disk->times);
  }
  Configuration configuration = read_configuration(all.text);
  if (all.rotate_every) configuration.rotate_every = *all.rotate_every;
  // Of this machine's kernel nothing is known: which clock is right is for the tests to say.
  all.injected.trusted = [] { return true; };
  HandClock clock(all.clock.value_or(0));
  if (all.clock) all.injected.clock = &clock;
  SumsAsTheyAre sums;
  all.injected.releaser = &sums;
  all.injected.failpoint = [&](const char* point) {
    if (all.kill_point == point && --all.kill_after == 0) kill(getpid(), SIGKILL);
  };
  Serving serving(configuration, all.injected);
  std::cout << "ready " << serving.address().port << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    std::string answer = "done";
    if (line.starts_with("disk ") && disk) {
      const DiskFault fault = disk_fault(line.substr(5));
      in_its_thread(serving.service(),
                    [&] { disk->fail(fault.failure, fault.first, fault.times); });
    } else if (line.starts_with("clock ") && all.clock) {
      clock.set(number(line.substr(6)));
      in_its_thread(serving.service(), [] {});  // after the tick of that time
    } else if (line == "failed?" && disk) {
      in_its_thread(serving.service(), [&] { answer = disk->has_failed() ? "yes" : "no"; });
    } else {
      answer = "what?";
    }
    std::cout << answer << std::endl;
  }
}

}  // namespace
}  // namespace tacit::service

int main(int count, char** words) {
  try {
    tacit::service::serve({words + 1, words + count});
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
