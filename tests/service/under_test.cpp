#include "service/under_test.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

namespace tacit::service {
namespace {

void need(bool done, const char* what) {
  if (!done) throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

UnderTest::UnderTest(std::vector<std::string> words, const std::string& said,
                     const std::vector<std::pair<std::string, std::string>>& variables) {
  std::signal(SIGPIPE, SIG_IGN);  // who asks it may be told that it has ended
  words.insert(words.begin(), TACIT_SERVICE_UNDER_TEST);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int log = ::open(said.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  need(log >= 0, said.c_str());
  std::array<int, 2> to{};
  std::array<int, 2> from{};
  need(::pipe2(to.data(), O_CLOEXEC) == 0 && ::pipe2(from.data(), O_CLOEXEC) == 0, "pipe2");
  id_ = ::fork();
  need(id_ >= 0, "fork");
  if (id_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(to[0], STDIN_FILENO);
    ::dup2(from[1], STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(log);
  ::close(to[0]);
  ::close(from[1]);
  to_it_ = to[1];
  from_it_ = from[0];
}

UnderTest::~UnderTest() {
  kill();
  if (to_it_ >= 0) ::close(to_it_);
  ::close(from_it_);
}

std::string UnderTest::read_line() {
  for (;;) {
    if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    std::array<char, 256> some;  // NOLINT: written before it is read
    const ssize_t got = ::read(from_it_, some.data(), some.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return "";
    read_.append(some.data(), static_cast<std::size_t>(got));
  }
}

bool UnderTest::await_ready() {
  const std::string line = read_line();
  if (!line.starts_with("ready ")) {
    reap();
    return false;
  }
  address_ = {.host = "127.0.0.1",
              .port = static_cast<std::uint16_t>(std::stoi(line.substr(6))),
              .path = {}};
  return true;
}

std::string UnderTest::ask(const std::string& line) {
  const std::string text = line + "\n";
  if (::write(to_it_, text.data(), text.size()) < 0) return "";
  return read_line();
}

void UnderTest::reap() {
  if (id_ >= 0) ::waitpid(id_, &status_, 0);
  id_ = -1;
}

void UnderTest::kill() {
  if (id_ < 0) return;
  ::kill(id_, SIGKILL);
  reap();
}

bool UnderTest::stop() {
  ::close(to_it_);
  to_it_ = -1;
  constexpr Duration kPatience{20000};
  if (!await_end(kPatience)) return false;
  return WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
}

bool UnderTest::await_end(Duration patience) {
  // It says nothing unasked: what is to be read is the end.
  pollfd end{.fd = from_it_, .events = POLLIN, .revents = 0};
  if (::poll(&end, 1, static_cast<int>(patience.count())) <= 0) return false;
  reap();
  return true;
}

bool UnderTest::was_killed() const {
  return id_ < 0 && WIFSIGNALED(status_) && WTERMSIG(status_) == SIGKILL;
}

bool UnderTest::refused_to_start() const {
  return id_ < 0 && WIFEXITED(status_) && WEXITSTATUS(status_) == 1;
}

std::string UnderTest::end() const {
  if (id_ >= 0) return "has not ended";
  return WIFSIGNALED(status_) ? fmt::format("was ended by signal {}", WTERMSIG(status_))
                              : fmt::format("ended with {}", WEXITSTATUS(status_));
}

}  // namespace tacit::service
