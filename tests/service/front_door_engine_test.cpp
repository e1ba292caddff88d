// What the engine releases keeps its claim; with half the noise it is found not to. (Through HTTP: front_door_http_test.cpp.)
#include <gtest/gtest.h>

#include "service/front_door_evidence.hpp"
#include "service/rig.hpp"

namespace tacit::service {
namespace {

double certified_of(Releaser& releaser) {
  Rig rig(releaser);
  rig.population();
  const Id id = rig.create(audited_spec());
  return certified_by([&](const std::vector<bool>& ones) {
    for (std::size_t arm = 0; arm < ones.size(); ++arm) {
      const Decision decision = rig.engine().decide(
          {.experiment = id, .unit = {}, .eligible = {static_cast<Arm>(arm)}}, rig.clock.now());
      rig.report(decision, ones[arm] ? 1 : 0);
    }
    rig.commit();
    std::vector<double> released(ones.size(), NAN);
    for (int i = 0; i < 5; ++i) {
      rig.clock.advance(kSecond);
      for (const ReleaseRow& row : rig.tick()) {
        EXPECT_EQ(row.n, 1);
        released.at(static_cast<std::size_t>(row.slot.arm)) = row.values.at(0);
      }
    }
    for (const double value : released) EXPECT_FALSE(std::isnan(value));
    return released;
  });
}

TEST(FrontDoorOfTheEngine, KeepsItsClaim) {
  SecureReleaser releaser;
  EXPECT_LT(certified_of(releaser), kClaimed);
}

TEST(FrontDoorOfTheEngine, IsFoundToHaveHalfTheNoise) {
  HalfTheNoise releaser;
  EXPECT_GE(certified_of(releaser), kClaimed);
}

}  // namespace
}  // namespace tacit::service
