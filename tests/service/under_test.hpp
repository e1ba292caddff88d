// The program service_under_test, started, asked and killed. It does not outlive its object, nor this process.
//
// Thread safety: none; made in the thread that lives longest, since the system kills it with that thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "tacit/service/configuration.hpp"

namespace tacit::service {

class UnderTest {
 public:
  using Duration = std::chrono::milliseconds;

  /// `variables`: of its environment, beside ours. What it says to people goes to the end of the file `said`.
  UnderTest(std::vector<std::string> words, const std::string& said,
            const std::vector<std::pair<std::string, std::string>>& variables = {});
  UnderTest(const UnderTest&) = delete;
  UnderTest& operator=(const UnderTest&) = delete;
  ~UnderTest();

  /// False: it has ended before it was.
  bool await_ready();
  const Address& address() const noexcept { return address_; }
  /// What it answers to a line; "": it has ended.
  std::string ask(const std::string& line);

  void kill();
  /// As by end of file: true when it says that all is well.
  bool stop();
  /// True: it has ended by then.
  bool await_end(Duration patience);
  /// Of a program that has ended.
  bool was_killed() const;
  bool refused_to_start() const;
  /// In words, how it ended.
  std::string end() const;

 private:
  std::string read_line();
  void reap();

  pid_t id_ = -1;
  int to_it_ = -1;
  int from_it_ = -1;
  int status_ = 0;
  std::string read_;
  Address address_;
};

}  // namespace tacit::service
