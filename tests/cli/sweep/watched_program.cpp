#include "watched_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

extern char** environ;

namespace tacit::cli_test {
namespace {

using Clock = std::chrono::steady_clock;

/// The end that is read from, and the one that a child writes to.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reading() const noexcept { return ends_[0]; }
  int writing() const noexcept { return ends_[1]; }
  void close_writing() { close_end(1); }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) close(ends_[end]);
    ends_[end] = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

pid_t started(const Arguments& arguments, const Pipe& out, const Pipe& err) {
  std::vector<std::string> words{TACIT_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.writing(), 1);
  posix_spawn_file_actions_adddup2(&actions, err.writing(), 2);
  pid_t child = -1;
  const int failed = posix_spawn(&child, words[0].c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot start " + words[0]);
  return child;
}

/// False once the other side has closed its end.
bool read_some(int descriptor, std::string& text) {
  std::array<char, 16384> buffer{};
  const ssize_t count = read(descriptor, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

}  // namespace

Watched run_watched(const Arguments& arguments, std::chrono::seconds at_most) {
  // What waits instead of working, on a machine that has other work.
  constexpr int kWaits = 12;
  Pipe out;
  Pipe err;
  const Clock::time_point deadline = Clock::now() + kWaits * at_most;
  const pid_t child = started(arguments, out, err);
  const auto seconds = static_cast<rlim_t>(at_most.count());
  const rlimit limit{seconds, seconds + 1};
  prlimit(child, RLIMIT_CPU, &limit, nullptr);
  out.close_writing();
  err.close_writing();
  Watched watched;
  std::array<pollfd, 2> ends{pollfd{out.reading(), POLLIN, 0}, pollfd{err.reading(), POLLIN, 0}};
  std::array<std::string*, 2> texts{&watched.result.out, &watched.result.err};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || poll(ends.data(), ends.size(), static_cast<int>(left)) <= 0) break;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd >= 0 && ends[i].revents != 0 && !read_some(ends[i].fd, *texts[i])) {
        ends[i].fd = -1;
      }
    }
  }
  watched.ended = ends[0].fd < 0 && ends[1].fd < 0;
  if (!watched.ended) kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) watched.result.exit = WEXITSTATUS(status);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) watched.ended = false;
  return watched;
}

}  // namespace tacit::cli_test
