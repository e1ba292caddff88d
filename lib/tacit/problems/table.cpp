#include "tacit/problems/table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tacit/core/check.hpp"

namespace tacit::problems {

Table::Table(const std::vector<std::vector<double>>& rows) {
  if (rows.empty() || rows.front().empty()) {
    throw InvalidParameter("Table", "rows", "", "needs at least one row of at least one outcome");
  }
  const std::size_t arms = rows.front().size();
  arms_ = static_cast<int>(arms);
  rounds_ = static_cast<Round>(rows.size());
  prefixes_.resize(arms);
  std::string content;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (rows[t].size() != arms) {
      throw InvalidParameter(
          "Table", "row", fmt::format("{}", t + 1),
          fmt::format("must have {} outcomes like the first, has {}", arms, rows[t].size()));
    }
    for (std::size_t arm = 0; arm < arms; ++arm) {
      check::within("Table", "outcome", rows[t][arm], 0, 1);
      outcomes_.push_back(Outcome::nearest(rows[t][arm]));
      Sum next = prefixes_[t * arms + arm];
      next += Sum(outcomes_.back());
      prefixes_.push_back(next);
      content += fmt::format("{},", rows[t][arm]);
    }
  }
  name_ = fmt::format("table({}x{},{:016x})", rounds_, arms_, random::fingerprint(content));
  std::vector<double> means;
  for (Arm arm = 0; arm < arms_; ++arm) {
    means.push_back(prefix(arm, rounds_).value() / static_cast<double>(rounds_));
  }
  set_means(std::move(means));
}

privacy::Secret<Outcome> Table::draw_outcome(Arm arm, Round t, random::SimulationStream&) const {
  return privacy::Secret<Outcome>(outcome(arm, t));
}

privacy::Secret<Sum> Table::draw_sum(Arm arm, Round t, Round n, random::SimulationStream&) const {
  return privacy::Secret<Sum>(sum(arm, t, n));
}

void Table::draw_all_sums(Round t, Round n, random::SimulationStream& stream,
                          privacy::SecretVector<Sum>& sums) const {
  for (Arm arm = 0; arm < arms_; ++arm) {
    sums.set(static_cast<std::size_t>(arm), draw_sum(arm, t, n, stream));
  }
}

privacy::Secret<Stop> Table::draw_stop(std::span<const Arm> list, Round t,
                                       random::SimulationStream&) const {
  int position = 0;
  for (const Arm arm : list) {
    if (attracts(arm, t)) break;
    ++position;
  }
  return privacy::Secret<Stop>(Stop{position});
}

privacy::Secret<Outcome> Table::draw_click(Arm item, Round t, random::SimulationStream&) const {
  return privacy::Secret<Outcome>(Outcome::bit(attracts(item, t)));
}

privacy::Secret<Sum> Table::draw_click_sum(Arm item, Round t, Round n,
                                           random::SimulationStream&) const {
  Round clicks = 0;
  for (Round i = 0; i < n; ++i) clicks += attracts(item, t + i) ? 1 : 0;
  return privacy::Secret<Sum>(Sum::of_ones(clicks));
}

bool Table::clicks(std::span<const Arm> list, Round t) const {
  return std::any_of(list.begin(), list.end(), [&](Arm arm) { return attracts(arm, t); });
}

double Table::click_chance(std::span<const Arm> list) const {
  Round users = 0;
  for (Round t = 1; t <= rounds_; ++t) users += clicks(list, t) ? 1 : 0;
  return static_cast<double>(users) / static_cast<double>(rounds_);
}

}  // namespace tacit::problems
