// Programs that are measured, and where they keep what they keep. A program does not outlive its object, nor this process.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tacit::benchmarks {

/// A folder that is there as long as this object.
class Folder {
 public:
  explicit Folder(const std::string& inside);
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

class Process {
 public:
  /// What it prints goes into a file.
  Process(std::vector<std::string> words, std::string printed);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  /// Kills it if it is still there.
  ~Process();

  /// Asks it to stop, and waits until it has. Throws when it does not say that all is well.
  void stop();
  /// Waits until it ends by itself. Throws when it does not say that all is well.
  void finish();
  /// Returns once GET of the path is answered with 200 there; throws when the process ends before that, or after a minute.
  void await(std::uint16_t port, const std::string& path);
  /// Bytes in memory that are its own.
  std::size_t resident() const;

 private:
  [[noreturn]] void fail(const std::string& why) const;
  bool ended();
  std::string end() const;  // in words, once it has ended

  std::string program_;
  std::string printed_;
  pid_t id_ = -1;
  int status_ = 0;
};

/// Runs to its end; what it printed.
std::string output_of(std::vector<std::string> words, const Folder& folder);

/// One on 127.0.0.1 that nobody listens on now.
std::uint16_t free_port();

}  // namespace tacit::benchmarks
