#include "tacit/service/keys.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <sodium.h>

#include "tacit/random/sodium.hpp"

namespace tacit::service {
namespace {

/// Memory that is wiped before it is given back: a vector that grows leaves nothing behind.
template <class T>
struct Wiping {
  using value_type = T;
  Wiping() = default;
  template <class U>
  Wiping(const Wiping<U>&) {}  // NOLINT: allocators convert
  T* allocate(std::size_t n) { return std::allocator<T>().allocate(n); }
  void deallocate(T* memory, std::size_t n) {
    sodium_memzero(memory, n * sizeof(T));
    std::allocator<T>().deallocate(memory, n);
  }
  friend bool operator==(const Wiping&, const Wiping&) { return true; }
};
using Bytes = std::vector<unsigned char, Wiping<unsigned char>>;

// A slot, without its pages: head | what it holds. The head is
//
//   mark, 8 bytes | format, 8 | number, 8 | length of what follows, 8 | checksum of everything else, 32
//
// The two slots take turns page by page, so that each may grow without moving the other.
constexpr std::size_t kPage = 4096;
constexpr std::size_t kSlots = 2;
constexpr std::size_t kSum = 32;
constexpr std::size_t kUnsummed = 32;
constexpr std::size_t kHead = kUnsummed + kSum;
constexpr std::string_view kMark = "tacitkey";
constexpr std::uint64_t kFormat = 1;
constexpr std::size_t kLargest = std::size_t{1} << 30U;

class Writer {
 public:
  void number(std::uint64_t value) {
    for (unsigned shift = 0; shift < 64; shift += 8) {
      bytes.push_back(static_cast<unsigned char>(value >> shift));
    }
  }
  void number(std::int64_t value) { number(static_cast<std::uint64_t>(value)); }
  void raw(const unsigned char* from, std::size_t size) {
    bytes.insert(bytes.end(), from, from + size);
  }

  Bytes bytes;
};

/// Reads what Writer wrote. What is too short reads as not ok.
class Reader {
 public:
  Reader(const unsigned char* from, std::size_t size) : from_(from), left_(size) {}

  std::uint64_t number() {
    std::array<unsigned char, 8> bytes{};
    raw(bytes.data(), bytes.size());
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
    return value;
  }
  std::int64_t signed_number() { return static_cast<std::int64_t>(number()); }
  void raw(unsigned char* to, std::size_t size) {
    if (size > left_) {
      ok_ = false;
      left_ = 0;
      return;
    }
    std::copy_n(from_, size, to);
    from_ += size;
    left_ -= size;
  }
  KeyBytes key() {
    KeyBytes bytes;
    raw(bytes.data(), bytes.size());
    return bytes;
  }
  /// How many things follow, each of so many bytes.
  std::uint64_t count(std::size_t each) {
    const std::uint64_t n = number();
    if (n > left_ / each) ok_ = false;
    return ok_ ? n : 0;
  }
  bool ended_well() const { return ok_ && left_ == 0; }

 private:
  const unsigned char* from_;
  std::size_t left_;
  bool ok_ = true;
};

privacy::SealingKey sealing_key(const KeyBytes& bytes) {
  std::array<char, 2 * privacy::SealingKey::kBytes + 1>
      digits;  // NOLINT: written before it is read
  sodium_bin2hex(digits.data(), digits.size(), bytes.data(), bytes.size());
  privacy::SealingKey key = privacy::SealingKey::from_text({digits.data(), digits.size() - 1});
  sodium_memzero(digits.data(), digits.size());
  return key;
}

void write(Writer& out, const KeyRing& ring) {
  out.raw(ring.store.data(), ring.store.size());
  out.raw(ring.ingress.data(), ring.ingress.size());
  out.number(ring.releases);
  out.number(ring.debits);
  out.number(std::uint64_t{ring.incarnation});
  out.number(ring.rotated);
  out.number(std::uint64_t{ring.state.size()});
  for (const auto& [number, key] : ring.state) {
    out.number(number);
    out.raw(key.data(), privacy::SealingKey::kBytes);
  }
  out.number(std::uint64_t{ring.tokens.size()});
  for (const auto& [number, key] : ring.tokens) {
    out.number(std::uint64_t{number});
    out.raw(key.data(), key.size());
  }
  out.number(std::uint64_t{ring.units.size()});
  for (const auto& [of, key] : ring.units) {
    out.number(of.first);
    out.number(of.second);
    out.raw(key.data(), key.size());
  }
  out.number(std::uint64_t{ring.spent.size()});
  for (const auto& [population, epsilon] : ring.spent) {
    out.number(population);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &epsilon, sizeof bits);
    out.number(bits);
  }
}

std::optional<KeyRing> ring_of(Reader in) {
  KeyRing ring;
  in.raw(ring.store.data(), ring.store.size());
  ring.ingress = in.key();
  ring.releases = in.number();
  ring.debits = in.number();
  ring.incarnation = static_cast<std::uint32_t>(in.number());
  ring.rotated = in.signed_number();
  constexpr std::size_t kKey = TokenKeys::kBytes;
  for (std::uint64_t n = in.count(8 + kKey); n > 0; --n) {
    const std::int64_t number = in.signed_number();
    ring.state.emplace(number, sealing_key(in.key()));
  }
  for (std::uint64_t n = in.count(8 + kKey); n > 0; --n) {
    const auto number = static_cast<std::uint8_t>(in.number());
    ring.tokens.emplace(number, in.key());
  }
  for (std::uint64_t n = in.count(16 + kKey); n > 0; --n) {
    const Id experiment = in.signed_number();
    const std::int64_t period = in.signed_number();
    ring.units.emplace(std::pair(experiment, period), in.key());
  }
  for (std::uint64_t n = in.count(16); n > 0; --n) {
    const Id population = in.signed_number();
    const std::uint64_t bits = in.number();
    std::memcpy(&ring.spent[population], &bits, sizeof bits);
  }
  if (!in.ended_well() || ring.state.empty() || ring.tokens.empty()) return std::nullopt;
  return ring;
}

void checksum(const Bytes& slot, unsigned char* sum) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, kSum);
  crypto_generichash_update(&state, slot.data(), kUnsummed);
  crypto_generichash_update(&state, slot.data() + kHead, slot.size() - kHead);
  crypto_generichash_final(&state, sum, kSum);
  sodium_memzero(&state, sizeof state);
}

Bytes slot_of(const KeyRing& ring, std::uint64_t number) {
  Writer body;
  write(body, ring);
  Writer slot;
  for (const char c : kMark) slot.bytes.push_back(static_cast<unsigned char>(c));
  slot.number(kFormat);
  slot.number(number);
  slot.number(std::uint64_t{body.bytes.size()});
  slot.bytes.resize(kHead);
  slot.raw(body.bytes.data(), body.bytes.size());
  checksum(slot.bytes, slot.bytes.data() + kUnsummed);
  return std::move(slot.bytes);
}

struct Found {
  bool marked = false;  // it begins as a slot does
  bool newer = false;   // in a form that is not known here
  std::uint64_t number = 0;
  std::optional<KeyRing> ring;  // none: it is not whole
};

Found read_slot(const Bytes& file, std::size_t which) {
  Bytes slot;
  for (std::size_t at = which * kPage; at < file.size(); at += kSlots * kPage) {
    const auto first = file.begin() + static_cast<std::ptrdiff_t>(at);
    slot.insert(slot.end(), first,
                first + static_cast<std::ptrdiff_t>(std::min(kPage, file.size() - at)));
  }
  Found found;
  if (slot.size() < kHead) return found;
  found.marked = std::equal(kMark.begin(), kMark.end(), slot.begin(), [](char a, unsigned char b) {
    return static_cast<unsigned char>(a) == b;
  });
  if (!found.marked) return found;
  Reader head(slot.data() + kMark.size(), kUnsummed - kMark.size());
  found.newer = head.number() > kFormat;
  found.number = head.number();
  const std::uint64_t length = head.number();
  if (found.newer || length > slot.size() - kHead) return found;
  slot.resize(kHead + static_cast<std::size_t>(length));
  std::array<unsigned char, kSum> sum;  // NOLINT: written before it is read
  checksum(slot, sum.data());
  if (sodium_memcmp(sum.data(), slot.data() + kUnsummed, kSum) != 0) return found;
  found.ring = ring_of(Reader(slot.data() + kHead, slot.size() - kHead));
  return found;
}

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw StoreFailed(path + ": " + what + ": " + std::strerror(errno));
}

Bytes read_all(const std::string& path, int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail(path, "cannot be read");
  if (static_cast<std::size_t>(status.st_size) > kLargest) {
    throw StoreFailed(path + ": is far too large for a key file: give the right one");
  }
  Bytes file(static_cast<std::size_t>(status.st_size));
  for (std::size_t done = 0; done < file.size();) {
    const ssize_t got =
        ::pread(descriptor, file.data() + done, file.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "cannot be read");
    if (got == 0) file.resize(done);
    done += static_cast<std::size_t>(got);
  }
  return file;
}

/// Puts it over whatever the slot held, to the end of the file, and waits for the disk.
void write_slot(const std::string& path, int descriptor, std::size_t which, Bytes slot,
                std::size_t file_size) {
  const std::size_t pair = kSlots * kPage;
  const std::size_t pages =
      std::max((slot.size() + kPage - 1) / kPage, (file_size + pair - 1) / pair);
  slot.resize(pages * kPage);
  for (std::size_t page = 0; page < pages; ++page) {
    const std::size_t at = (kSlots * page + which) * kPage;
    for (std::size_t done = 0; done < kPage;) {
      const ssize_t wrote = ::pwrite(descriptor, slot.data() + page * kPage + done, kPage - done,
                                     static_cast<off_t>(at + done));
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

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail(folder.string(), "cannot be opened");
  const int result = ::fsync(descriptor);
  ::close(descriptor);
  if (result != 0) fail(folder.string(), "does not reach the disk");
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
  file_ = storage::UnforkedDescriptor(::open(path_.c_str(), O_RDWR | O_CLOEXEC));
  if (file_.number() < 0 && errno == ENOENT) {
    throw std::runtime_error(path_ +
                             ": is missing: this is the key file of a store that exists, without "
                             "which nothing in it can be read; put it back, or begin a new store");
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
  const Bytes file = read_all(path_, file_.number());
  const Found first = read_slot(file, 0);
  const Found second = read_slot(file, 1);
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
  const Bytes file = read_all(path_, file_.number());
  const std::array<Found, kSlots> found{read_slot(file, 0), read_slot(file, 1)};
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
