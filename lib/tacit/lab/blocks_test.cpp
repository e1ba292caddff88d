#include "tacit/lab/blocks.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tacit::lab {
namespace {

TEST(Blocks, CoverEveryRunOnceAndStaySmall) {
  for (const std::int64_t runs : {1, 2, 63, 64, 65, 100, 1000, 12345}) {
    std::int64_t next = 0;
    for (const Block& block : blocks_of(runs)) {
      EXPECT_EQ(block.first, next);
      EXPECT_GE(block.runs, 1);
      EXPECT_LE(block.runs, std::max<std::int64_t>(1, block.first / 32));
      next += block.runs;
    }
    EXPECT_EQ(next, runs);
  }
  EXPECT_LT(blocks_of(100000000).size(), 1000U);
}

TEST(Blocks, MoreRunsKeepTheBlocksOfFewer) {
  const auto fewer = blocks_of(1000);
  const auto more = blocks_of(5000);
  for (std::size_t i = 0; i + 1 < fewer.size(); ++i) EXPECT_EQ(fewer[i], more[i]);
}

TEST(Blocks, SurviveTheWayThroughBytes) {
  const BlockResult result{
      .block = {3, 2}, .regrets = {1.5, -0.25}, .pulls = {4}, .decisions = 7, .cpu_seconds = 0.5};
  const BlockResult back = from_bytes(to_bytes(result));
  EXPECT_EQ(back.block, result.block);
  EXPECT_EQ(back.regrets, result.regrets);
  EXPECT_EQ(back.pulls, result.pulls);
  EXPECT_EQ(back.decisions, 7);
  EXPECT_EQ(back.cpu_seconds, 0.5);
  EXPECT_THROW(from_bytes(to_bytes(result).substr(0, 50)), std::runtime_error);
}

}  // namespace
}  // namespace tacit::lab
