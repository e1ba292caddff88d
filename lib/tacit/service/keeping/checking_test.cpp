#include "tacit/service/keeping/checking.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tacit/service/keeping/filled_store_test.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"

namespace tacit::service {
namespace {

constexpr Time kNow = kFilledAt;

/// What is said of a store with which somebody has meddled.
std::vector<std::string> complaints_after(const std::string& sql) {
  const Folder folder;
  SqliteStore store(folder.file());
  fill(store);
  database_in(folder).execute(sql);
  return check_file(folder.file(), kNow).complaints;
}

using Lines = std::vector<std::string>;

TEST(CheckingAFile, NothingIsWrongWithWhatAServiceLeaves) {
  const Folder folder;
  {
    SqliteStore store(folder.file());
    fill(store);
    // Also while it is served.
    EXPECT_EQ(check_file(folder.file(), kNow).complaints, Lines{});
  }
  const Verdict verdict = check_file(folder.file(), kNow);
  EXPECT_EQ(verdict.complaints, Lines{});
  EXPECT_EQ(verdict.holds, "1 experiment, 2 releases, 1 open slot, 1 population, 1 debit, 0 keys");
}

TEST(CheckingAFile, SaysWhatCannotBe) {
  EXPECT_EQ(complaints_after("INSERT INTO units VALUES (7, x'00', 1, '', 0, 0)"),
            Lines{"experiment 7: has 1 rows in units, and does not exist"});
  EXPECT_EQ(complaints_after("UPDATE experiments SET population = 3"),
            Lines{"button: is of no population"});
  EXPECT_EQ(complaints_after("INSERT INTO debits VALUES (NULL, 4, 1, 0.1, 'x', 5); "
                             "UPDATE service SET debits = 2"),
            Lines{"1 debits are of a population or an experiment that does not exist"});
  EXPECT_EQ(complaints_after("UPDATE progress SET version = 1"),
            Lines{"button: says that it has made 1 releases, and there are 2"});
  EXPECT_EQ(complaints_after("DROP TRIGGER releases_stay; DELETE FROM releases WHERE version = 1; "
                             "UPDATE progress SET version = 1"),
            Lines{"button: has 1 releases, numbered 2 to 2: one is missing"});
  EXPECT_EQ(complaints_after("DROP TRIGGER releases_stay_as_they_are; "
                             "UPDATE releases SET released = x'00' WHERE version = 2"),
            Lines{"button: 1 releases have too many numbers, or too few"});
  EXPECT_EQ(complaints_after("DROP TRIGGER releases_stay_as_they_are; "
                             "UPDATE releases SET n = -1 WHERE version = 2"),
            Lines{"button: 1 releases are of nothing that can be released"});
  EXPECT_EQ(complaints_after("UPDATE experiments SET spec = replace(spec, '0.75', '0.76')"),
            Lines{"button: promises an epsilon of 0.76, and 0.75 was paid"});
  EXPECT_EQ(
      complaints_after("UPDATE experiments SET spec = replace(spec, 'arms', 'legs')"),
      Lines{"button: is no experiment any more: legs: there is no such key; did you mean "
            "arms? (known: name, population, policy, arms, actions, parameters, epsilon, user, "
            "wait, default, phase_max_age, sticky_for, units_from_clients, floor, holdout, control, "
            "fallback)"});
  EXPECT_EQ(complaints_after("UPDATE experiments SET spec = '{'").size(), 1U);
  EXPECT_EQ(complaints_after("DELETE FROM progress"),
            (Lines{"button: says that it has made 0 releases, and there are 2",
                   "button: 1 slots have more decisions than there were, or fewer than none"}));
  EXPECT_EQ(complaints_after("UPDATE slots SET n = 1000000000000"),
            Lines{"button: 1 slots have more decisions than there were, or fewer than none"});
  EXPECT_EQ(complaints_after("UPDATE slots SET phase = 2; UPDATE sealed SET phase = 2"),
            Lines{"button: 1 slots are released, and open again"});
  EXPECT_EQ(complaints_after("UPDATE sealed SET phase = 4"),
            (Lines{"button: 1 sealed rows are of no slot that is open",
                   "button: 1 open slots have no sums"}));
  EXPECT_EQ(complaints_after("UPDATE slots SET n = -1"),
            Lines{"button: 1 slots have more decisions than there were, or fewer than none"});
  EXPECT_EQ(complaints_after("INSERT INTO debits VALUES (NULL, 1, 1, 0.5, 'x', 5); "
                             "UPDATE service SET debits = 2"),
            Lines{"population all: 1 debits are beyond its epsilon of 1"});
  EXPECT_EQ(complaints_after("UPDATE populations SET epsilon = 0"),
            Lines{"population all: has an epsilon of 0"});
  EXPECT_EQ(complaints_after("DROP TRIGGER marks_never_fall; UPDATE service SET releases = 1"),
            Lines{"there are 2 releases, and the mark is at 1"});
  EXPECT_EQ(complaints_after("DROP TRIGGER marks_never_fall; UPDATE service SET debits = 0"),
            Lines{"there are 1 debits, and the mark is at 0"});
  EXPECT_EQ(complaints_after("UPDATE service SET clock = 15"),
            (Lines{"1 times in slots are after the service's clock",
                   "1 times in releases are after the service's clock"}));
  EXPECT_EQ(complaints_after("UPDATE service SET clock = 1000000 + 8 * 86400000"),
            Lines{"the service's clock is 8 days ahead of this machine's"});
}

TEST(CheckingAFile, ASlotOfAnotherGenerationMayBeOpenAgain) {
  EXPECT_EQ(complaints_after("UPDATE slots SET phase = 2; UPDATE sealed SET phase = 2; "
                             "UPDATE experiments SET generation = 1"),
            Lines{});
}

TEST(CheckingAFile, ADamagedFileIsCalledDamaged) {
  const Folder folder;
  {
    SqliteStore store(folder.file());
    fill(store);
  }
  damage_table(folder, "traffic");
  const Verdict verdict = check_file(folder.file(), kNow);
  ASSERT_FALSE(verdict.complaints.empty());
  for (const std::string& line : verdict.complaints) {
    expect_one_line(line, "the file is damaged: ");
  }
}

TEST(CheckingAFile, WhatIsNoStoreIsNotChecked) {
  const Folder folder;
  expect_one_line(failure_of([&] { check_file(folder.file(), kNow); }), ": is not there");
  std::ofstream(folder.file("text.db")) << std::string(5000, 'x');
  expect_one_line(failure_of([&] { check_file(folder.file("text.db"), kNow); }),
                  ": is no file of tacit's, or a damaged one");
  std::ofstream(folder.file("empty.db")).close();
  expect_one_line(failure_of([&] { check_file(folder.file("empty.db"), kNow); }), ": is empty");
}

}  // namespace
}  // namespace tacit::service
