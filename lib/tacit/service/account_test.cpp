#include "tacit/service/account.hpp"

#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/privacy/exact.hpp"

namespace tacit::service {
namespace {

using privacy::Secret;

std::vector<Secret<Sum>> outcomes(std::initializer_list<double> values) {
  std::vector<Secret<Sum>> all;
  for (const double x : values) all.emplace_back(Sum(Outcome::nearest(x)));
  return all;
}
double total(const Account& account, std::size_t entry = 0) {
  return privacy::Exact::release(account.total()[entry]).value();
}

TEST(Account, AddsTheFirstAnswerOfEachPlaceAndTheDefaultOfTheOthers) {
  for (const double missing : {0.0, 0.25, 1.0}) {
    Account account(1, missing);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(account.open_place(), i);
    EXPECT_EQ(total(account), 10 * missing);
    account.add(3, outcomes({1}));
    account.add(3, outcomes({0}));
    account.add(9, outcomes({0.5}));
    EXPECT_EQ(total(account), 8 * missing + 1.5);
  }
}

TEST(Account, DropsWhatIsOfNoPlaceOrOfAnotherShape) {
  Account account(2, 0);
  account.open_place();
  account.add(1, outcomes({1, 1}));
  account.add(-1, outcomes({1, 1}));
  account.add(0, outcomes({1}));
  EXPECT_EQ(total(account), 0);
  account.add(0, outcomes({1, 0.5}));
  EXPECT_EQ(total(account, 0), 1);
  EXPECT_EQ(total(account, 1), 0.5);
}

TEST(Account, IsTheSameWhenItIsOpenedAgain) {
  const auto key = privacy::SealingKey::fresh();
  for (const Round places : {1, 4095, 4096, 4097, 9000}) {
    Account account(1, 0.5);
    for (Round i = 0; i < places; ++i) account.open_place();
    for (Round i = 0; i < places; i += 3) account.add(i, outcomes({1}));
    Account again(1, 0.5);
    again.set_places(account.places());
    again.open_sums(account.sealed_sums(key, "sums"), key, "sums");
    ASSERT_EQ(again.blocks(), account.blocks());
    for (Round block = 0; block < account.blocks(); ++block) {
      again.open_block(block, account.sealed_block(block, key, "block"), key, "block");
    }
    EXPECT_EQ(total(again), total(account));
    // Who has answered is known: nobody counts twice.
    for (Round i = 0; i < places; ++i) {
      account.add(i, outcomes({0}));
      again.add(i, outcomes({0}));
    }
    EXPECT_EQ(total(again), total(account));
    EXPECT_EQ(again.open_place(), places);
  }
}

TEST(Account, SealsLengthsThatChoicesAloneDecide) {
  const auto key = privacy::SealingKey::fresh();
  Account silent(1, 0);
  Account told(1, 0);
  for (int i = 0; i < 5000; ++i) {
    silent.open_place();
    told.open_place();
    told.add(i, outcomes({1}));
  }
  EXPECT_EQ(silent.sealed_sums(key, "x").size(), told.sealed_sums(key, "x").size());
  ASSERT_EQ(silent.blocks(), told.blocks());
  for (Round block = 0; block < silent.blocks(); ++block) {
    EXPECT_EQ(silent.sealed_block(block, key, "x").size(),
              told.sealed_block(block, key, "x").size());
  }
}

TEST(Account, DoesNotOpenInAnotherRowOrUnderAnotherKey) {
  const auto key = privacy::SealingKey::fresh();
  Account account(1, 0);
  account.open_place();
  const std::string sealed = account.sealed_sums(key, "1/0/2/3/-1");
  Account other(1, 0);
  EXPECT_THROW(other.open_sums(sealed, key, "1/0/2/4/-1"), InvalidParameter);
  EXPECT_THROW(other.open_sums(sealed, privacy::SealingKey::fresh(), "1/0/2/3/-1"),
               InvalidParameter);
  EXPECT_THROW(other.open_sums(sealed.substr(1), key, "1/0/2/3/-1"), InvalidParameter);
}

TEST(Account, NamesABlockAsChangedWhetherAnAnswerCountedOrNot) {
  Account account(1, 0);
  for (int i = 0; i < 5000; ++i) account.open_place();
  EXPECT_EQ(account.take_changed_blocks(), (std::set<Round>{0, 1}));
  account.add(4500, outcomes({1}));
  EXPECT_EQ(account.take_changed_blocks(), std::set<Round>{1});
  account.add(4500, outcomes({0}));
  EXPECT_EQ(account.take_changed_blocks(), std::set<Round>{1});
  EXPECT_TRUE(account.take_changed_blocks().empty());
}

}  // namespace
}  // namespace tacit::service
