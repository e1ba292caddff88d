#include "tacit/live/answered.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "tacit/core/state.hpp"

namespace tacit::live {
namespace {

TEST(Answered, KnowsWhatWasNotedInAnyOrderAndTwice) {
  // Every order of six numbers, a second time now and then; beside a set.
  std::vector<Round> order(6);
  std::iota(order.begin(), order.end(), Round{1});
  do {
    Answered answered;
    std::set<Round> noted;
    for (const Round number : order) {
      answered.note(number);
      answered.note(order.front());
      noted.insert({number, order.front()});
      for (Round n = 0; n <= 7; ++n) ASSERT_EQ(answered.known(n), noted.contains(n));
    }
    StateWriter writer;
    writer(answered);
    EXPECT_EQ(writer.text(), "2 1 6") << "one stretch in the end";
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace
}  // namespace tacit::live
