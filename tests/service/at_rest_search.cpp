#include "service/at_rest_search.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>
#include <sodium.h>

#include "tacit/core/sum.hpp"

namespace tacit::service {
namespace {

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// As it stands in the middle of a longer text, at each of the three places that it can have there, in the letters of either alphabet.
std::vector<std::string> in_base64(const std::string& text) {
  std::vector<std::string> all;
  for (const int variant : {sodium_base64_VARIANT_ORIGINAL, sodium_base64_VARIANT_URLSAFE}) {
    for (std::size_t before = 0; before < 3; ++before) {
      const std::string longer = std::string(before, 'x') + text + "xxx";
      std::string coded(sodium_base64_encoded_len(longer.size(), variant), 0);
      sodium_bin2base64(coded.data(), coded.size(),
                        reinterpret_cast<const unsigned char*>(longer.data()), longer.size(),
                        variant);
      const std::size_t first = (before * 8 + 5) / 6;
      const std::size_t last = (before + text.size()) * 8 / 6;
      all.push_back(coded.substr(first, last - first));
    }
  }
  return all;
}

std::string hash_of(const std::string& text, std::size_t size) {
  std::string hash(size, 0);
  crypto_generichash(reinterpret_cast<unsigned char*>(hash.data()), size,
                     reinterpret_cast<const unsigned char*>(text.data()), text.size(), nullptr, 0);
  return hash;
}

std::uint32_t begin_of(std::string_view bytes) {
  std::uint32_t begin = 0;
  std::memcpy(&begin, bytes.data(), sizeof begin);
  return begin;
}

class File {
 public:
  explicit File(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw std::runtime_error(path + ": " + std::strerror(errno));
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { ::close(descriptor_); }
  /// How much of it there is.
  std::size_t read(std::uint64_t at, char* to, std::size_t size) const {
    const ssize_t got = ::pread(descriptor_, to, size, static_cast<off_t>(at));
    return got < 0 ? 0 : static_cast<std::size_t>(got);
  }

 private:
  int descriptor_;
};

}  // namespace

Mark::Mark(std::string what, std::string text) : what_(std::move(what)), text_(std::move(text)) {}

// Texts are long, and searched for piece by piece: who frees memory writes over its first bytes.

Mark Mark::unit(const std::string& what) {
  constexpr std::size_t kLetters = 72;
  std::string letters;
  while (letters.size() < kLetters) {
    letters += static_cast<char>('a' + randombytes_uniform(26));
  }
  Mark mark(what, "visitor-" + letters);
  mark.add_pieces(letters);
  for (const std::size_t size : {16, 32}) mark.traces_.push_back(hash_of(mark.text_, size));
  return mark;
}

Mark Mark::outcome(const std::string& what) {
  constexpr std::size_t kDigits = 36;
  std::string digits;
  while (digits.size() < kDigits) digits += static_cast<char>('1' + randombytes_uniform(9));
  Mark mark(what, "0." + digits);
  mark.add_pieces(digits);
  const double x = std::strtod(mark.text_.c_str(), nullptr);
  mark.traces_.push_back(bytes_of(x));
  mark.traces_.push_back(bytes_of(1 + x));  // as it is sent where it must not be
  const std::string units = bytes_of(Outcome::nearest(x).units());
  mark.traces_.push_back(units);
  for (std::string& coded : in_base64(units))
    mark.traces_.push_back(std::move(coded));  // as it is sealed
  return mark;
}

void Mark::add_pieces(const std::string& text) {
  constexpr std::size_t kPiece = 12;
  for (std::size_t at = 0; at < text.size(); at += kPiece) {
    const std::string piece = text.substr(at, kPiece);
    traces_.push_back(piece);
    for (std::string& coded : in_base64(piece)) traces_.push_back(std::move(coded));
  }
}

void Search::add(const Mark& mark) {
  for (std::size_t i = 0; i < mark.traces().size(); ++i) {
    const std::string& bytes = mark.traces()[i];
    const std::uint32_t begin = begin_of(bytes);
    by_begin_[begin].push_back(traces_.size());
    begins_[begin & 0xffffU] = true;
    longest_ = std::max(longest_, bytes.size());
    traces_.push_back({bytes, fmt::format("{}, trace {}", mark.what(), i)});
  }
}

void Search::look(std::string_view bytes, const std::string& where,
                  std::set<std::string>& found) const {
  for (std::size_t at = 0; at + sizeof(std::uint32_t) <= bytes.size(); ++at) {
    const auto low = static_cast<unsigned char>(bytes[at]);
    const auto high = static_cast<unsigned char>(bytes[at + 1]);
    if (!begins_[low | static_cast<std::size_t>(high) << 8U]) continue;
    const auto here = by_begin_.find(begin_of(bytes.substr(at)));
    if (here == by_begin_.end()) continue;
    for (const std::size_t trace : here->second) {
      if (bytes.substr(at).starts_with(traces_[trace].bytes)) {
        found.insert(traces_[trace].name + " in " + where);
      }
    }
  }
}

std::set<std::string> Search::in_file(const std::string& path) const {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::set<std::string> found;
  look(bytes, path, found);
  return found;
}

std::set<std::string> Search::in_memory(pid_t process) const {
  constexpr std::size_t kPiece = std::size_t{1} << 22U;
  const File memory(fmt::format("/proc/{}/mem", process));
  std::ifstream maps(fmt::format("/proc/{}/maps", process));
  std::set<std::string> found;
  std::vector<char> piece(kPiece);
  std::size_t looked_at = 0;
  for (std::string line; std::getline(maps, line);) {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::array<char, 5> may{};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, may.data()) != 3 || may[1] != 'w') {
      continue;
    }
    const std::size_t name = line.find_first_of("/[");
    const std::string where = "memory " + (name == std::string::npos ? "" : line.substr(name));
    for (std::uint64_t at = begin; at < end; at += kPiece - longest_) {
      const std::size_t got =
          memory.read(at, piece.data(), std::min<std::uint64_t>(kPiece, end - at));
      looked_at += got;
      look({piece.data(), got}, where, found);
    }
  }
  if (looked_at == 0) throw std::runtime_error("nothing of the process can be read");
  return found;
}

}  // namespace tacit::service
