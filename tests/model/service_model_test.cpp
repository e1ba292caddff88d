// Random histories of the service against the model of its promise.
#include <gtest/gtest.h>

#include <cstdlib>

#include "model/service_play.hpp"

namespace tacit::model {
namespace {

TEST(ServiceModel, FindsNoDifferenceInRandomHistories) {
  EXPECT_EQ(first_that_fails(1, TACIT_STORIES), "");
}

}  // namespace
}  // namespace tacit::model
