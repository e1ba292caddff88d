#include "tacit/service/checking.hpp"

#include <filesystem>
#include <functional>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/spec.hpp"

namespace tacit::service {
namespace {

class CheckOf : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "tacit_check_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    write([](Store& store) {
      store.put_marks(2, 1);
      store.put(PopulationRow{.id = 1, .name = "visitors", .epsilon = 1, .user_level = false});
      const Json spec{{"name", "button"},
                      {"population", "visitors"},
                      {"arms", {"red", "green"}},
                      {"epsilon", 1}};
      store.put(ExperimentRow{.id = 7, .name = "button", .spec = spec.dump(), .population = 1});
      store.put(ProgressRow{.experiment = 7, .version = 2});
      store.add(DebitRow{.population = 1, .experiment = 7, .epsilon = 1, .reason = "new"});
      store.add(release(1), 0);
      store.add(release(2), 0);
      store.put(SlotRow{.experiment = 7, .slot = {1, 3}, .n = 2});
      store.put(SealedRow{.experiment = 7, .slot = {1, 3}, .block = -1, .key = 1, .sealed = "?"});
    });
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static ReleaseRow release(Round version) {
    return {.experiment = 7,
            .version = version,
            .slot = {0, version},
            .n = 4,
            .noises = 1,
            .values = {1.5},
            .at = 1000};
  }
  void write(const std::function<void(Store&)>& what) const {
    SqliteStore store(path());
    store.begin();
    what(store);
    store.commit();
  }
  std::string path() const { return (folder_ / "shop.db").string(); }
  /// The only one.
  std::string fault() const {
    const Findings found = check_of(path());
    EXPECT_LE(found.faults.size(), 1U);
    return found.faults.empty() ? "" : found.faults.front();
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(CheckOf, AGoodStoreFindsNothingAndSaysWhatItHolds) {
  const Findings found = check_of(path());
  EXPECT_EQ(found.faults, std::vector<std::string>{});
  EXPECT_EQ(found.holds, "1 experiment, 2 releases, 1 slot under way, 1 population, 0 keys");
}

TEST_F(CheckOf, FindsAMissingRelease) {
  write([](Store& store) {
    store.put_marks(3, 1);
    store.put(ProgressRow{.experiment = 7, .version = 4});
    store.add(release(4), 0);
  });
  EXPECT_EQ(fault(), "button: a release is missing among the first 4");
}

TEST_F(CheckOf, FindsReleasesThatNobodyCounted) {
  write([](Store& store) {
    store.put_marks(3, 1);
    store.add(release(3), 0);
  });
  EXPECT_EQ(fault(), "button: has 3 releases, and says that it has 2");
  write([](Store& store) {
    store.put(ProgressRow{.experiment = 7, .version = 4});
    store.add(release(4), 0);
  });
  EXPECT_EQ(fault(), "4 releases were made, and the mark is at 3");
}

TEST_F(CheckOf, FindsABudgetThatIsOverspent) {
  write([](Store& store) {
    store.put_marks(2, 2);
    store.add(DebitRow{.population = 1, .experiment = 7, .epsilon = 0.5, .reason = "more"});
  });
  EXPECT_EQ(fault(), "visitors: has spent 1.5 of an epsilon of 1");
}

TEST_F(CheckOf, FindsWhatIsSealedForNoSlot) {
  write([](Store& store) {
    store.put(SealedRow{.experiment = 7, .slot = {1, 4}, .block = -1, .key = 1, .sealed = "?"});
  });
  EXPECT_EQ(fault(), "button: something is sealed for a slot that there is not");
}

TEST_F(CheckOf, FindsAnExperimentThatCannotBeRead) {
  write([](Store& store) {
    store.put(ExperimentRow{.id = 7, .name = "button", .spec = "{", .population = 1});
  });
  EXPECT_EQ(fault(), "button: what it was made of is no JSON");
  write([](Store& store) {
    store.put(ExperimentRow{.id = 7, .name = "button", .spec = "{}", .population = 1});
  });
  EXPECT_EQ(fault(), "button: name: must be given");
}

TEST_F(CheckOf, MayBeDoneWhileItIsServed) {
  const SqliteStore served(path());
  EXPECT_EQ(fault(), "");
}

TEST(Check, OfAFileThatIsNotThereFails) {
  EXPECT_THROW(check_of("/nowhere/at/all.db"), StoreFailed);
}

}  // namespace
}  // namespace tacit::service
