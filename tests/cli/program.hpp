// Runs the program as a script would: arguments in; exit code, standard output and error out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tacit::cli_test {

struct Result {
  int exit = -1;  // -1: ended by a signal
  std::string out;
  std::string err;
};

using Arguments = std::vector<std::string>;

Result run_tacit(const Arguments& arguments);
/// The same with standard output sent to a file or device instead.
Result run_tacit_into(const std::string& path, const Arguments& arguments);
/// As one would type it, for messages.
std::string command_line(const Arguments& arguments);

Arguments operator+(Arguments left, const Arguments& right);

/// A folder that exists as long as this object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path() const { return path_.string(); }
  /// Writes a file into the folder and returns its path.
  std::string file(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path path_;
};

}  // namespace tacit::cli_test
