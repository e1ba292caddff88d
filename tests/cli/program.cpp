#include "program.hpp"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace tacit::cli_test {
namespace {

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

Result run_in_shell(const std::string& command) {
  const TemporaryFolder folder;
  const std::string err = folder.path() + "/stderr";
  // A program that wrongly sets out on a run of hours is ended after this many CPU seconds.
  const std::string limited = "ulimit -t 60; exec " + command + " 2>" + quoted(err);
  FILE* pipe = popen(limited.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no shell to run the program");
  Result result;
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    result.out.append(buffer, n);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status)) result.exit = WEXITSTATUS(status);
  result.err = content_of(err);
  return result;
}

}  // namespace

std::string command_line(const Arguments& arguments) {
  std::string text = quoted(TACIT_PROGRAM);
  for (const std::string& argument : arguments) text.append(" ").append(quoted(argument));
  return text;
}

Result run_tacit(const Arguments& arguments) { return run_in_shell(command_line(arguments)); }

Result run_tacit_into(const std::string& path, const Arguments& arguments) {
  return run_in_shell(command_line(arguments) + " >" + quoted(path));
}

Arguments operator+(Arguments left, const Arguments& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "tacit_cli_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::file(const std::string& name, const std::string& content) const {
  const std::filesystem::path path = path_ / name;
  std::ofstream(path, std::ios::binary) << content;
  return path.string();
}

}  // namespace tacit::cli_test
