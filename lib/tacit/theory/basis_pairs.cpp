#include "tacit/theory/basis_pairs.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacit/core/indexed.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::theory {
namespace {

using Arms = std::vector<Arm>;

bool contains(std::span<const Arm> arms, Arm arm) {
  return std::find(arms.begin(), arms.end(), arm) != arms.end();
}

bool independent(actions::IndependentSet& test, std::span<const Arm> arms) {
  test.clear();
  return std::all_of(arms.begin(), arms.end(), [&](Arm arm) { return test.add(arm); });
}

void check_basis(const char* function, const char* which, const actions::Matroid& matroid,
                 std::span<const Arm> arms) {
  const auto refuse = [&](const char* requirement) {
    throw InvalidParameter(function, which, fmt::format("{}", fmt::join(arms, ",")), requirement);
  };
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (arms[i] < 0 || arms[i] >= matroid.arms() || contains(arms.first(i), arms[i]))
      refuse("must be distinct arms of the matroid");
  }
  const auto test = matroid.empty_set();
  if (!independent(*test, arms)) refuse("must be independent");
  for (Arm arm = 0; arm < matroid.arms(); ++arm) {
    if (!contains(arms, arm) && test->add(arm)) refuse("must be a basis: another arm can be added");
  }
}

void check_bases(const char* function, const actions::Matroid& matroid, std::span<const Arm> played,
                 std::span<const Arm> best) {
  check_basis(function, "played", matroid, played);
  check_basis(function, "best", matroid, best);
}

}  // namespace

Arms paired_arms(const actions::Matroid& matroid, std::span<const Arm> played,
                 std::span<const Arm> best) {
  check_bases("paired_arms", matroid, played, best);
  const auto test = matroid.empty_set();
  Arms pairs(played.begin(), played.end());
  for (std::size_t k = pairs.size(); k-- > 0;) {
    if (contains(best, played[k])) continue;
    // pairs is B_k but for the k-th place.
    const auto fits = std::find_if(best.begin(), best.end(), [&](Arm arm) {
      if (contains(pairs, arm)) return false;
      Arms with = pairs;
      with[k] = arm;
      return independent(*test, with);
    });
    pairs[k] = *fits;  // there is one: the augmentation property
  }
  return pairs;
}

Arms exchanges(const actions::Matroid& matroid, std::span<const Arm> played,
               std::span<const Arm> best) {
  check_bases("exchanges", matroid, played, best);
  const auto test = matroid.empty_set();
  const auto size = static_cast<int>(played.size());
  const auto can_replace = [&](int better, int place) {
    Arms with(played.begin(), played.end());
    with[static_cast<std::size_t>(place)] = best[static_cast<std::size_t>(better)];
    // Of an arm that is in both, twice in the set unless it stays in its place.
    return std::count(with.begin(), with.end(), best[static_cast<std::size_t>(better)]) == 1 &&
           independent(*test, with);
  };
  // A perfect matching by augmenting paths.
  constexpr int kFree = -1;
  Indexed<int> better_at(size, kFree);
  Indexed<char> seen(size);
  const std::function<bool(int)> place = [&](int better) {
    for (int i = 0; i < size; ++i) {
      if (seen[i] || !can_replace(better, i)) continue;
      seen[i] = true;
      if (better_at[i] != kFree && !place(better_at[i])) continue;
      better_at[i] = better;
      return true;
    }
    return false;
  };
  for (int better = 0; better < size; ++better) {
    std::fill(seen.begin(), seen.end(), false);
    place(better);
  }
  Arms pairs;
  for (const int better : better_at) pairs.push_back(best[static_cast<std::size_t>(better)]);
  return pairs;
}

}  // namespace tacit::theory
