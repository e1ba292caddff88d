#include "tacit/live/store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tacit::live {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw std::runtime_error(path + ": " + what + ": " + std::strerror(errno));
}

/// Closes what it opened, also when something throws.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags)
      : path_(path), descriptor_(::open(path.c_str(), flags, 0600)) {
    if (descriptor_ < 0) fail(path, "cannot be opened");
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(descriptor_); }

  void write(const std::string& text) const {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t wrote = ::write(descriptor_, text.data() + done, text.size() - done);
      if (wrote < 0) fail(path_, "cannot be written");
      done += static_cast<std::size_t>(wrote);
    }
  }
  void sync() const {
    if (::fsync(descriptor_) != 0) fail(path_, "does not reach the disk");
  }

 private:
  std::string path_;
  int descriptor_;
};

void replace(const std::string& path, const std::string& text) {
  const std::string beside = path + ".new";
  {
    const Descriptor file(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);
    file.write(text);
    file.sync();
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0) fail(path, "cannot be replaced");
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  Descriptor(folder.string(), O_RDONLY | O_DIRECTORY | O_CLOEXEC).sync();
}

std::optional<std::string> read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

void FileStore::keep(const std::string& state, std::uint64_t releases) {
  replace(path_, state);
  if (releases > mark()) replace(path_ + ".mark", std::to_string(releases) + "\n");
}

std::optional<std::string> FileStore::state() const { return read(path_); }

std::uint64_t FileStore::mark() const {
  const auto text = read(path_ + ".mark");
  return text ? std::stoull(*text) : 0;
}

}  // namespace tacit::live
