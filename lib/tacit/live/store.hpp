// Where a live policy's state is kept, so that a release is durable before anybody sees it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tacit::live {

/// How far a policy has come: a state with fewer releases would make one of them again.
struct Mark {
  std::uint64_t policy = 0;  // its number, for life
  std::uint64_t releases = 0;

  friend bool operator==(const Mark&, const Mark&) = default;
};

/// Of one policy. Throws std::runtime_error for what it cannot do.
class Store {
 public:
  virtual ~Store() = default;
  /// Returns once the state would survive a crash. The mark's policy stays the same, and its releases never fall.
  virtual void keep(const std::string& state, const Mark& mark) = 0;
  /// The state that was kept last; nothing only when there is none.
  virtual std::optional<std::string> state() const = 0;
  virtual std::optional<Mark> mark() const = 0;
};

/// A file, written whole each time beside itself and then put in place, and FILE.mark, which policy it is of and how
/// many releases were made: a file from before the last of them would make it again, and is refused. FILE.lock is
/// held while the store lives: two programs with one file would release one sum twice.
class FileStore final : public Store {
 public:
  /// Throws std::runtime_error when the file cannot be locked, also because somebody else holds it.
  explicit FileStore(std::string path);
  FileStore(const FileStore&) = delete;
  FileStore& operator=(const FileStore&) = delete;
  ~FileStore() override;

  void keep(const std::string& state, const Mark& mark) override;
  std::optional<std::string> state() const override;
  std::optional<Mark> mark() const override;

 private:
  std::string mark_path() const { return path_ + ".mark"; }

  std::string path_;
  int lock_;
};

}  // namespace tacit::live
