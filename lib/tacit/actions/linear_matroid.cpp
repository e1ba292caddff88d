#include "tacit/actions/linear_matroid.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tacit/actions/position.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::actions {
namespace {

// Each prime is larger than 2^30.9: the first few million below 2^31 are.
constexpr double kBitsOfAPrime = 30.9;
// Covers the rounding of a sum of logarithms, and makes "exceeds" strict.
constexpr double kSpareBits = 0.5;

bool is_prime(std::uint32_t odd) {
  for (std::uint32_t divisor = 3; divisor <= odd / divisor; divisor += 2) {
    if (odd % divisor == 0) return false;
  }
  return true;
}

std::uint32_t largest_prime_up_to(std::uint32_t odd) {
  while (!is_prime(odd)) odd -= 2;
  return odd;
}

/// What a prime keeps of the rows and, for every player, of a basis: 4 bytes for each of so many by so many numbers.
void refuse_too_much(std::size_t rows, std::size_t columns, double primes) {
  constexpr double kMost = 4;  // GiB
  const auto numbers =
      static_cast<double>(columns) * static_cast<double>(rows + std::min(rows, columns));
  const double needed = primes * 4 * numbers / 0x1p30;
  if (needed <= kMost) return;
  throw InvalidParameter(
      "LinearMatroid", "rows", fmt::format("{} rows of {} integers", rows, columns),
      fmt::format("would take {:.3g} GiB of memory; at most {} are taken", needed, kMost));
}

}  // namespace

/// The basis so far modulo one prime, as the tableau of an exchange algorithm: row j holds the
/// combination R_j of the members that is 1 at pivot column j and 0 at the other pivot columns.
/// Positions 0..size-1 of a row are the pivot columns; since R_j is known there, they hold the
/// coefficients of the members in R_j instead. The other positions hold R_j at the free columns.
class LinearMatroid::Elimination {
 public:
  Elimination(const Modulus& modulus, std::size_t columns, std::size_t most_members)
      : residues_(modulus.residues.data()),
        prime_(modulus.prime),
        reciprocal_(~std::uint64_t{0} / prime_),
        large_multiple_((std::uint64_t{1} << 63) / prime_ * prime_),
        columns_(columns),
        column_(columns),
        tableau_(most_members * columns),
        row_(columns),
        rest_(columns) {
    clear();
  }

  void clear() noexcept {
    size_ = 0;
    alive_ = true;
    std::iota(column_.begin(), column_.end(), std::size_t{0});
  }

  std::size_t size() const noexcept { return size_; }
  bool alive() const noexcept { return alive_; }
  void give_up() noexcept { alive_ = false; }

  bool add(Arm arm) noexcept {
    load(arm);
    std::copy(row_.begin() + offset(size_), row_.end(), rest_.begin() + offset(size_));
    subtract_members(size_, columns_);
    const auto pivot =
        static_cast<std::size_t>(std::find_if(rest_.begin() + offset(size_), rest_.end(),
                                              [](std::uint64_t x) { return x != 0; }) -
                                 rest_.begin());
    if (pivot == columns_) return false;
    std::fill(rest_.begin(), rest_.begin() + offset(size_), 0);
    subtract_members(0, size_);
    exchange(pivot);
    return true;
  }

  /// Marks the members with a coefficient that is not 0 in the combination that gives `outside`.
  void mark_circuit(Arm outside, std::vector<char>& marks) noexcept {
    load(outside);
    std::fill(rest_.begin(), rest_.begin() + offset(size_), 0);
    subtract_members(0, size_);
    for (std::size_t i = 0; i < size_; ++i) {
      if (rest_[i] != 0) marks[i] = true;
    }
  }

 private:
  static std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

  /// x mod prime for any x, by Barrett's multiplication: the quotient is right or one too small.
  std::uint64_t reduce(std::uint64_t x) const noexcept {
    __extension__ using Wide = unsigned __int128;
    const auto quotient = static_cast<std::uint64_t>((static_cast<Wide>(x) * reciprocal_) >> 64);
    x -= quotient * prime_;
    return x >= prime_ ? x - prime_ : x;
  }

  std::uint64_t inverse(std::uint64_t x) const noexcept {
    auto a = static_cast<std::int64_t>(prime_);
    auto b = static_cast<std::int64_t>(x);
    std::int64_t of_a = 0;
    std::int64_t of_b = 1;
    while (b != 0) {
      const std::int64_t quotient = a / b;
      a = std::exchange(b, a - quotient * b);
      of_a = std::exchange(of_b, of_a - quotient * of_b);
    }
    return static_cast<std::uint64_t>(of_a < 0 ? of_a + static_cast<std::int64_t>(prime_) : of_a);
  }

  void load(Arm arm) noexcept {
    const std::uint32_t* const residues = residues_ + at(arm) * columns_;
    for (std::size_t i = 0; i < columns_; ++i) row_[i] = residues[column_[i]];
  }

  /// rest -= sum over j of row[j] R_j, at positions begin..end-1. A product is below 2^62, so a sum
  /// below 2^63 takes one more before its top bit says to take a large multiple off.
  void subtract_members(std::size_t begin, std::size_t end) noexcept {
    std::uint64_t* const rest = rest_.data();
    for (std::size_t j = 0; j < size_; ++j) {
      if (row_[j] == 0) continue;
      const auto factor = static_cast<std::uint32_t>(prime_ - row_[j]);
      const std::uint32_t* const member = tableau_.data() + j * columns_;
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint64_t sum = rest[i] + std::uint64_t{factor} * member[i];
        rest[i] = sum - (large_multiple_ & (0 - (sum >> 63)));
      }
    }
    for (std::size_t i = begin; i < end; ++i) rest[i] = reduce(rest[i]);
  }

  /// Turns `rest` into the next row of the tableau, with its pivot at position `pivot`.
  void exchange(std::size_t pivot) noexcept {
    std::swap(column_[size_], column_[pivot]);
    std::swap(rest_[size_], rest_[pivot]);
    const std::uint64_t scale = inverse(rest_[size_]);
    rest_[size_] = 1;  // the coefficient of the new member itself
    std::uint32_t* const added = tableau_.data() + size_ * columns_;
    for (std::size_t i = 0; i < columns_; ++i) {
      added[i] = static_cast<std::uint32_t>(reduce(rest_[i] * scale));
    }
    for (std::size_t j = 0; j < size_; ++j) {
      std::uint32_t* const member = tableau_.data() + j * columns_;
      std::swap(member[size_], member[pivot]);
      const std::uint64_t value = std::exchange(member[size_], 0);
      if (value == 0) continue;
      for (std::size_t i = 0; i < columns_; ++i) {
        member[i] = static_cast<std::uint32_t>(reduce(member[i] + (prime_ - value) * added[i]));
      }
    }
    ++size_;
  }

  const std::uint32_t* residues_;
  std::uint64_t prime_;
  std::uint64_t reciprocal_;
  std::uint64_t large_multiple_;
  std::size_t columns_;
  std::size_t size_ = 0;
  bool alive_ = true;                   // the members are independent modulo the prime
  std::vector<std::size_t> column_;     // of each position
  std::vector<std::uint32_t> tableau_;  // row by row
  std::vector<std::uint32_t> row_;      // the arm in question, by position
  std::vector<std::uint64_t> rest_;     // what the members leave of it
};

class LinearMatroid::Set final : public IndependentSet {
 public:
  explicit Set(const LinearMatroid& matroid) : matroid_(matroid) {
    for (const Modulus& modulus : matroid.moduli_) {
      eliminations_.emplace_back(modulus, matroid.columns_,
                                 std::min(matroid.bits_.size(), matroid.columns_));
    }
    clear();
  }

  void clear() noexcept override {
    for (Elimination& elimination : eliminations_) elimination.clear();
    members_.clear();
    bits_ = kSpareBits;
  }

  bool add(Arm arm) override {
    if (members_.size() == matroid_.columns_) return false;
    const double bits = bits_ + bits_of(arm);
    double refuted = 0;
    for (std::size_t i = 0; i < eliminations_.size() && refuted < bits; ++i) {
      if (catch_up(eliminations_[i]) && eliminations_[i].add(arm)) {
        members_.push_back(arm);
        bits_ = bits;
        return true;
      }
      refuted += kBitsOfAPrime;
    }
    return false;
  }

  void circuit(Arm outside, std::vector<Arm>& members) override {
    if (members_.empty()) return;
    // The minors in question lack one member each: the shortest, for the largest bound.
    double shortest = std::numeric_limits<double>::infinity();
    for (const Arm member : members_) shortest = std::min(shortest, bits_of(member));
    const double bits = bits_ - shortest + bits_of(outside);
    marks_.assign(members_.size(), false);
    double seen = 0;
    for (std::size_t i = 0; i < eliminations_.size() && seen < bits; ++i) {
      if (!catch_up(eliminations_[i])) continue;
      eliminations_[i].mark_circuit(outside, marks_);
      seen += kBitsOfAPrime;
      // Nothing left to miss.
      if (std::find(marks_.begin(), marks_.end(), false) == marks_.end()) break;
    }
    if (seen < bits) marks_.assign(members_.size(), true);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (marks_[i]) members.push_back(members_[i]);
    }
  }

 private:
  double bits_of(Arm arm) const { return matroid_.bits_[at(arm)]; }

  /// A prime sees the members when it is needed: the first one at once, the others mostly never. Says
  /// whether the members are independent modulo it.
  bool catch_up(Elimination& elimination) {
    while (elimination.alive() && elimination.size() < members_.size()) {
      if (!elimination.add(members_[elimination.size()])) elimination.give_up();
    }
    return elimination.alive();
  }

  const LinearMatroid& matroid_;
  std::vector<Elimination> eliminations_;
  std::vector<Arm> members_;
  double bits_ = kSpareBits;  // of Hadamard's bound for the members
  std::vector<char> marks_;
};

LinearMatroid::LinearMatroid(const std::vector<std::vector<std::int64_t>>& rows) {
  if (rows.empty() || rows.front().empty()) {
    throw InvalidParameter("LinearMatroid", "rows", "", "needs at least one row of one integer");
  }
  columns_ = rows.front().size();
  for (std::size_t arm = 0; arm < rows.size(); ++arm) {
    if (rows[arm].size() != columns_) {
      throw InvalidParameter(
          "LinearMatroid", "row", fmt::format("{}", arm),
          fmt::format("must have {} integers like row 0, has {}", columns_, rows[arm].size()));
    }
    double squares = 0;
    for (const std::int64_t entry : rows[arm]) {
      squares += static_cast<double>(entry) * static_cast<double>(entry);
    }
    bits_.push_back(std::log2(std::max(squares, 1.0)) / 2);
  }

  // A minor has at most as many rows as there are columns; the longest bound them all.
  std::vector<double> longest = bits_;
  std::sort(longest.begin(), longest.end(), std::greater<>());
  longest.resize(std::min(longest.size(), columns_));
  // Twice the spare bits: a set adds the same logarithms in another order.
  const double bits = std::accumulate(longest.begin(), longest.end(), 2 * kSpareBits);
  refuse_too_much(rows.size(), columns_, std::ceil(bits / kBitsOfAPrime));
  std::uint32_t candidate = 0x7fffffff;
  for (double have = 0; have < bits; have += kBitsOfAPrime) {
    const std::uint32_t prime = largest_prime_up_to(candidate);
    candidate = prime - 2;
    Modulus modulus{prime, {}};
    modulus.residues.reserve(rows.size() * columns_);
    for (const auto& row : rows) {
      for (const std::int64_t entry : row) {
        const std::int64_t residue = entry % std::int64_t{prime};
        modulus.residues.push_back(
            static_cast<std::uint32_t>(residue < 0 ? residue + std::int64_t{prime} : residue));
      }
    }
    moduli_.push_back(std::move(modulus));
  }
}

std::unique_ptr<IndependentSet> LinearMatroid::empty_set() const {
  return std::make_unique<Set>(*this);
}

}  // namespace tacit::actions
