#include "tacit/audit/neighbours.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tacit/core/check.hpp"

namespace tacit::audit {
namespace {

using Row = std::vector<double>;

class Tables {
 public:
  Tables(std::size_t arms, std::size_t rounds) : arms_(arms), rounds_(rounds) {}

  Row filled(double value) const { return Row(arms_, value); }
  /// 1 for one arm, 0 for the others.
  Row single(std::size_t arm) const {
    Row row = filled(0);
    row[arm] = 1;
    return row;
  }
  Rows all(const Row& row) const { return Rows(rounds_, row); }
  Rows halves() const {
    Rows rows = all(filled(0));
    for (std::size_t t = 0; t < rounds_ / 2; ++t) rows[t] = filled(1);
    return rows;
  }
  static Pair changed(std::string name, Rows rows, std::size_t round, Row one, Row other) {
    Pair pair{std::move(name), rows, std::move(rows)};
    pair.one[round] = std::move(one);
    pair.other[round] = std::move(other);
    return pair;
  }

 private:
  std::size_t arms_;
  std::size_t rounds_;
};

}  // namespace

Rows constant_rows(Round rounds, int arms, double value) {
  return Rows(static_cast<std::size_t>(rounds), Row(static_cast<std::size_t>(arms), value));
}

std::vector<Pair> neighbouring_tables(int arms, Round rounds) {
  check::at_least("neighbouring_tables", "arms", arms, 2);
  check::at_least("neighbouring_tables", "rounds", rounds, 4);
  const auto columns = static_cast<std::size_t>(arms);
  const auto rows = static_cast<std::size_t>(rounds);
  const Tables t(columns, rows);
  const std::size_t middle = rows / 2;
  const std::size_t late = rows - 2;
  const Row zero = t.filled(0);
  const Row one = t.filled(1);
  const Row first = t.single(0);
  const Row last = t.single(columns - 1);
  return {
      Tables::changed("round 1 all up, among zeros", t.all(zero), 0, zero, one),
      Tables::changed("round 1 all up, among ones", t.all(one), 0, zero, one),
      Tables::changed("round 1 one arm up, among zeros", t.all(zero), 0, zero, first),
      Tables::changed("round 2 all up, among zeros", t.all(zero), 1, zero, one),
      Tables::changed("middle round all down, half and half", t.halves(), middle, one, zero),
      Tables::changed("middle round crosswise, first arm leading", t.all(first), middle, first,
                      last),
      Tables::changed("round 1 crosswise, among zeros", t.all(zero), 0, first, last),
      Tables::changed("middle round crosswise, half and half", t.halves(), middle, first, last),
      Tables::changed("late round all up, among zeros", t.all(zero), late, zero, one),
  };
}

std::vector<Pair> tables_of_leads(int arms, Round rounds) {
  const auto columns = static_cast<std::size_t>(arms);
  const Tables t(columns, static_cast<std::size_t>(rounds));
  const Row first = t.single(0);
  const Row last = t.single(columns - 1);
  std::vector<Pair> pairs;
  for (Round length = 2; 2 * length - 1 <= rounds; length *= 2) {
    for (Round lead = 0; lead < length; lead = lead == 0 ? 1 : 2 * lead) {
      Rows rows = t.all(t.filled(0));
      std::fill_n(rows.begin() + length - 1, lead, first);
      pairs.push_back(Tables::changed(
          fmt::format("last round of an epoch of {} crosswise, a lead of {}", length, lead),
          std::move(rows), static_cast<std::size_t>(2 * length - 2), first, last));
    }
  }
  return pairs;
}

}  // namespace tacit::audit
