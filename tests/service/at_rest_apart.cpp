#include "service/at_rest_apart.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <exception>
#include <fstream>
#include <future>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

#include <nlohmann/json.hpp>

#include "tacit/service/http/server.hpp"
#include "tacit/service/serving.hpp"

namespace tacit::service {
namespace {

class ClockApart final : public Clock {
 public:
  Time now() override { return now_.load(); }
  void advance(Time by) { now_ += by; }

 private:
  std::atomic<Time> now_ = 20'000 * kDay;
};

/// In the service's thread; returns when it is durable.
void operate(Service& service, const Work& work) {
  std::promise<void> done;
  service.submit(Lane::kOperate, work, [&](Answer&&) { done.set_value(); });
  done.get_future().wait();
}

struct Question {
  char what;
  Time by;
};

}  // namespace

ServedApart::ServedApart(const Configuration& configuration, const std::vector<ApiKeyRow>& keys,
                         bool keeps) {
  if (pipe(to_it_) != 0 || pipe(from_it_) != 0) throw std::runtime_error("no pipe");
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("no process");
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(to_it_[1]);
    close(from_it_[0]);
    try {
      serve(configuration, keys, keeps);
      _exit(0);
    } catch (const std::exception& error) {
      std::cerr << error.what() << std::endl;
      _exit(1);
    }
  }
  close(to_it_[0]);
  close(from_it_[1]);
  if (read(from_it_[0], ports_, sizeof ports_) != sizeof ports_) {
    throw std::runtime_error("it does not serve");
  }
}

ServedApart::~ServedApart() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  close(to_it_[1]);
  close(from_it_[0]);
}

void ServedApart::ask(char what, Time by) {
  const Question question{what, by};
  char done = 0;
  if (write(to_it_[1], &question, sizeof question) != sizeof question ||
      read(from_it_[0], &done, 1) != 1) {
    throw std::runtime_error("it has gone");
  }
}

void ServedApart::stop() {
  ask('q', 0);
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

void ServedApart::serve(const Configuration& configuration, const std::vector<ApiKeyRow>& keys,
                        bool keeps) {
  harden_process();
  ClockApart clock;
  auto serving = std::make_unique<Serving>(configuration, Injected{.clock = &clock});
  Service& service = serving->service();
  operate(service, [&](Engine& engine, Time now) {
    for (const ApiKeyRow& key : keys) engine.put_key(key, "test", now);
    return Answer{};
  });
  std::ofstream log(configuration.log, std::ios::app);
  std::vector<std::string> kept;
  std::unique_ptr<http::Server> other;
  if (keeps) {
    other = std::make_unique<http::Server>(
        http::Settings{}, [&](const http::Request& request, http::Respond respond) {
          kept.emplace_back(request.body().data(), request.body().size());
          log << kept.back() << std::endl;
          service.submit(
              Lane::kOperate,
              [note = kept.back()](Engine& engine, Time now) {
                engine.put_key({.id = "kept", .role = "viewer", .note = note}, "test", now);
                return Answer{};
              },
              respond);
        });
  }
  const std::uint16_t ports[2] = {serving->address().port,
                                  other ? other->port() : std::uint16_t{0}};
  if (write(from_it_[1], ports, sizeof ports) != sizeof ports) return;
  Question question{};
  while (read(to_it_[0], &question, sizeof question) == sizeof question) {
    if (question.what == 'q') {
      other.reset();
      serving.reset();
    } else if (question.what == 'r') {
      operate(service, [](Engine& engine, Time now) {
        engine.rotate(now);
        return Answer{};
      });
    } else {
      clock.advance(question.by);
      // A tick follows the first of them at the latest, and is over when the second is done.
      for (int i = 0; i < 2; ++i) {
        operate(service, [](Engine&, Time) { return Answer{}; });
      }
    }
    const char done = 1;
    if (write(from_it_[1], &done, 1) != 1 || question.what == 'q') return;
  }
}

}  // namespace tacit::service
