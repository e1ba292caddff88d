// Random histories of a policy that an application holds, against the model of its promise.
#include <gtest/gtest.h>

#include "model/live_play.hpp"
#include "model/live_promise.hpp"
#include "model/stories.hpp"

namespace tacit::model {
namespace {

TEST(LiveModel, FindsNoDifferenceInRandomHistories) {
  EXPECT_EQ(first_live_story_that_fails(1, stories()), "");
}

// That it can fail: a promise that is told what no policy does.

TEST(LiveModel, RefusesAReleaseBeforeItsTime) {
  const LiveStory story{.wait = 1};
  LivePromise promise(story);
  promise.due({.n = {0, 0}, .sum = {0, 0}});
  promise.chose(1, 1, {{0, 0}}, {0});
  EXPECT_THROW(LivePromise(promise).due({.n = {1, 0}, .sum = {0, 0}, .releases = 1}), Broken);
  promise.due({.n = {0, 0}, .sum = {0, 0}});
  promise.chose(2, 2, {{0, 1}}, {0});
  EXPECT_THROW(LivePromise(promise).due({.n = {0, 0}, .sum = {0, 0}}), Broken) << "it is due";
  EXPECT_NO_THROW(promise.due({.n = {1, 0}, .sum = {0, 0}, .releases = 1}));
}

TEST(LiveModel, RefusesASumOfWhichAnAnswerCountsTwice) {
  const LiveStory story;
  LivePromise promise(story);
  promise.chose(1, 1, {{0, 0}}, {0});
  promise.answered(1, 4);
  promise.answered(1, 4);
  EXPECT_THROW(LivePromise(promise).due({.n = {1, 0}, .sum = {2, 0}, .releases = 1}), Broken);
  EXPECT_NO_THROW(promise.due({.n = {1, 0}, .sum = {1, 0}, .releases = 1}));
}

}  // namespace
}  // namespace tacit::model
