#include "tacit/lab/coordinator.hpp"

#include <gtest/gtest.h>

#include "tacit/lab/ranks.hpp"
#include "tacit/lab/results.hpp"
#include "tacit/lab/small_plans_test.hpp"

namespace tacit::lab {
namespace {

TEST(Coordinator, HandsOutNothingAfterAFailureAndTellsTheFirst) {
  const Folder folder;
  const Plan p = plan("\"ucb1\"", 5);
  Results results = Results::write(folder.path(), contents_of(p));
  Coordinator coordinator(p, results, {});
  EXPECT_TRUE(coordinator.take());
  EXPECT_NO_THROW(coordinator.check());
  coordinator.fail(std::make_exception_ptr(std::runtime_error("first")));
  coordinator.fail(std::make_exception_ptr(std::runtime_error("second")));
  EXPECT_FALSE(coordinator.take());
  try {
    coordinator.check();
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
}

TEST(Coordinator, GuessesTheTimeThatIsLeft) {
  const Folder folder;
  const Plan p = plan(kTwo, 2);
  Results results = Results::write(folder.path(), contents_of(p));
  Coordinator coordinator(p, results, {});
  const auto finish = [&](double seconds) {
    const WorkUnit unit = coordinator.take().value();
    coordinator.finish(
        unit,
        {.block = unit.block, .regrets = {0}, .pulls = {0}, .decisions = 1, .cpu_seconds = seconds},
        {});
    return coordinator.progress().cpu_left;
  };
  EXPECT_EQ(finish(2), 10) << "the other five runs like the first";
  finish(4);
  EXPECT_EQ(finish(6), 12) << "one more of each";
  finish(2);
  finish(4);
  EXPECT_EQ(finish(6), 0);
}

TEST(Ranks, AreOneUnlessThereAreOthers) {
  const Folder folder;
  const Plan p = plan("\"ucb1\"", 2);
  Results results = Results::write(folder.path(), contents_of(p));
  Ranks alone;
  EXPECT_EQ(alone.count(), 1);
  EXPECT_TRUE(alone.is_first());
  EXPECT_EQ(alone.agree(digest_of(p)), std::vector<std::string>{digest_of(p)});
  const Progress progress = alone.run(p, results, {});
  EXPECT_EQ(progress.done, 2);
  EXPECT_EQ(progress.total, 2);
}

TEST(Ranks, ThatDisagreeAreNamed) {
  EXPECT_EQ(disagreement({"a", "a"}), "");
  EXPECT_EQ(disagreement({"a", "a", ""}), "rank 2 failed");
  EXPECT_EQ(disagreement({"a", "b", ""}),
            "rank 1 has another experiment, or other files behind it");
}

}  // namespace
}  // namespace tacit::lab
