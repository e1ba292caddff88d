#include "tacit/service/keys.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <sodium.h>

#include "tacit/random/sodium.hpp"
#include "tacit/service/keeping/syncing.hpp"
#include "tacit/service/key_slots.hpp"

namespace tacit::service {
namespace {

constexpr std::size_t kLargest = std::size_t{1} << 30U;

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw StoreFailed(path + ": " + what + ": " + std::strerror(errno));
}

WipedBuffer read_all(const std::string& path, int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail(path, "cannot be read");
  if (static_cast<std::size_t>(status.st_size) > kLargest) {
    throw StoreFailed(path + ": is far too large for a key file: give the right one");
  }
  WipedBuffer file(static_cast<std::size_t>(status.st_size));
  while (!file.room().empty()) {
    const ssize_t got = ::pread(descriptor, file.room().data(), file.room().size(),
                                static_cast<off_t>(file.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "cannot be read");
    if (got == 0) break;
    file.add(static_cast<std::size_t>(got));
  }
  return file;
}

/// Puts it over whatever the slot held, to the end of the file, and waits for the disk.
void write_slot(const std::string& path, int descriptor, std::size_t which, WipedBuffer slot,
                std::size_t file_size) {
  const std::size_t pair = kKeySlots * kKeyPage;
  const std::size_t pages =
      std::max((slot.size() + kKeyPage - 1) / kKeyPage, (file_size + pair - 1) / pair);
  slot.pad_to(pages * kKeyPage);
  for (std::size_t page = 0; page < pages; ++page) {
    const std::size_t at = (kKeySlots * page + which) * kKeyPage;
    for (std::size_t done = 0; done < kKeyPage;) {
      const ssize_t wrote = ::pwrite(descriptor, slot.data() + page * kKeyPage + done,
                                     kKeyPage - done, static_cast<off_t>(at + done));
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) fail(path, "cannot be written");
      done += static_cast<std::size_t>(wrote);
    }
  }
  if (::fdatasync(descriptor) != 0) fail(path, "does not reach the disk");
}

/// Whether something secret of `old` is not in `ring`.
bool forgets(const KeyRing& ring, const KeyRing& old) {
  const auto lost = [](const auto& before, const auto& now) {
    return std::any_of(before.begin(), before.end(), [&](const auto& entry) {
      const auto found = now.find(entry.first);
      return found == now.end() ||
             sodium_memcmp(found->second.data(), entry.second.data(), TokenKeys::kBytes) != 0;
    });
  };
  return lost(old.state, ring.state) || lost(old.tokens, ring.tokens) ||
         lost(old.units, ring.units) || old.ingress != ring.ingress;
}

bool is_named(int descriptor, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

void lock(const std::string& path, int descriptor) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) {
    throw std::runtime_error(path + ": cannot be locked: " + std::strerror(errno));
  }
  throw std::runtime_error(path +
                           ": these keys are in use by another service, which under them may "
                           "release the same sums: stop it, or give the store its own keys");
}

void make_folder(const std::filesystem::path& folder) {
  if (folder.empty() || std::filesystem::exists(folder)) return;
  make_folder(folder.parent_path());
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    fail(folder.string(), "cannot be made, for the key file");
  }
  sync_folder(folder.parent_path());
}

/// Whole and durable under its name, or not there. False: something else is there.
bool make_file(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  make_folder(folder);
  const std::string beside =
      path + ".new";  // of a start that was cut short, whose keys nobody used
  ::unlink(beside.c_str());
  const int descriptor = ::open(beside.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) fail(path, "cannot be made");
  bool made = false;
  try {
    const KeyRing ring = KeyRing::fresh();
    write_slot(beside, descriptor, 0, slot_of(ring, 1), 0);
    write_slot(beside, descriptor, 1, slot_of(ring, 2), 0);
    // Other than rename(), this never replaces anything.
    made = ::link(beside.c_str(), path.c_str()) == 0;
    if (!made && errno != EEXIST) fail(path, "cannot be made");
  } catch (...) {
    ::close(descriptor);
    ::unlink(beside.c_str());
    throw;
  }
  ::close(descriptor);
  ::unlink(beside.c_str());
  sync_folder(folder);
  return made;
}

}  // namespace

KeyBytes::~KeyBytes() { sodium_memzero(data(), size()); }

KeyRing KeyRing::fresh() {
  random::need_sodium();
  KeyRing ring;
  ring.state.emplace(1, privacy::SealingKey::fresh());
  randombytes_buf(ring.tokens[1].data(), TokenKeys::kBytes);
  randombytes_buf(ring.ingress.data(), ring.ingress.size());
  return ring;
}

TokenKeys KeyRing::token_keys() const {
  TokenKeys keys;
  for (const auto& [number, key] : tokens) keys.add(number, key);
  return keys;
}

KeyFile::KeyFile(std::string path, bool create, const Tag& store) : path_(std::move(path)) {
  if (path_.empty()) throw std::runtime_error("the key file has no name: a path must be given");
  random::need_sodium();
  const bool made = create && make_file(path_);
  file_ = storage::UnforkedDescriptor(::open(path_.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (file_.number() < 0 && errno == ENOENT) {
    throw std::runtime_error(path_ +
                             ": is missing: this is the key file of a store that exists, without "
                             "which nothing in it can be read; put it back, or begin a new store");
  }
  if (file_.number() < 0 && errno == ELOOP) {
    throw std::runtime_error(path_ + ": is a symbolic link: give the path of the file itself");
  }
  if (file_.number() < 0) {
    throw std::runtime_error(path_ + ": cannot be opened: " + std::strerror(errno));
  }
  struct stat status {};
  if (::fstat(file_.number(), &status) != 0) fail(path_, "cannot be read");
  if (!S_ISREG(status.st_mode)) {
    throw std::runtime_error(path_ + ": is no file that could hold keys: give another path");
  }
  if ((status.st_mode & 077U) != 0) {
    throw std::runtime_error(path_ +
                             ": others may read or write these keys: chmod 600, and think of "
                             "who may have read them");
  }
  lock(path_, file_.number());
  const Tag of = read().store;
  if (create && !made && of != Tag{} && of != store) {
    throw std::runtime_error(path_ +
                             ": is the key file of another store: a new store needs a new one; "
                             "give another path");
  }
}

KeyRing KeyFile::read() {
  const WipedBuffer file = read_all(path_, file_.number());
  const FoundSlot first = read_slot(file, 0);
  const FoundSlot second = read_slot(file, 1);
  if (first.newer || second.newer) {
    throw std::runtime_error(path_ + ": was written by a newer tacit: use that one");
  }
  if (second.ring && (!first.ring || second.number > first.number)) return *second.ring;
  if (first.ring) return *first.ring;
  throw std::runtime_error(
      path_ + (first.marked || second.marked
                   ? ": neither of its two copies of the keys is whole: put the file back from "
                     "where it is kept, or begin a new store"
                   : ": is not a key file: give the right one"));
}

void KeyFile::write(const KeyRing& ring) {
  if (!is_named(file_.number(), path_)) {
    throw StoreFailed(path_ + ": is not the file that was opened: put it back");
  }
  const WipedBuffer file = read_all(path_, file_.number());
  const std::array<FoundSlot, kKeySlots> found{read_slot(file, 0), read_slot(file, 1)};
  const auto age = [&](std::size_t which) { return found[which].ring ? found[which].number : 0; };
  const std::size_t older =
      unfinished_ >= 0 ? static_cast<std::size_t>(unfinished_) : (age(0) <= age(1) ? 0 : 1);
  const std::size_t other = 1 - older;
  const std::uint64_t number = std::max(age(0), age(1)) + 1;

  unfinished_ = static_cast<int>(older);
  write_slot(path_, file_.number(), older, slot_of(ring, number), file.size());
  unfinished_ = -1;
  // What is to be forgotten must be so in both; and of what cannot be read nobody knows.
  if (!found[other].ring || forgets(ring, *found[other].ring)) {
    unfinished_ = static_cast<int>(other);
    write_slot(path_, file_.number(), other, slot_of(ring, number + 1), file.size());
    unfinished_ = -1;
  }
}

}  // namespace tacit::service
