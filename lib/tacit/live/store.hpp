// Where a live policy's state is kept, so that a release is durable before anybody sees it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tacit::live {

class Store {
 public:
  virtual ~Store() = default;
  /// Returns once the state would survive a crash; throws std::runtime_error when it would not. `releases` counts
  /// those that the state has made, and never falls.
  virtual void keep(const std::string& state, std::uint64_t releases) = 0;
};

/// A file, written whole each time beside itself and then put in place, and FILE.mark, the number of releases that
/// were made: a file from before the last of them would release a sum again, and is refused.
class FileStore : public Store {
 public:
  explicit FileStore(std::string path) : path_(std::move(path)) {}

  void keep(const std::string& state, std::uint64_t releases) override;

  /// The state that was kept last; nothing when there is none.
  std::optional<std::string> state() const;
  /// How many releases were made when it was.
  std::uint64_t mark() const;

 private:
  std::string path_;
};

}  // namespace tacit::live
