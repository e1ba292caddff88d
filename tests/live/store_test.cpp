// What is refused, and what survives.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <vector>

#include "held.hpp"

namespace tacit::live {
namespace {

Setup small() { return {.policy = "anytime-lazy-ucb", .arms = 3, .epsilon = 1}; }

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(Live, SevenPoliciesStartFromRawOutcomesAndSaySoInOneLine) {
  int refused = 0;
  for (const policies::Entry& entry : policies::catalogue()) {
    if (!entry.starts_from_raw_outcomes) continue;
    ++refused;
    const std::string said =
        message_of([&] { Policy({.policy = entry.card.name, .arms = 4, .epsilon = 1}); });
    EXPECT_NE(said.find("starts from raw outcomes"), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
  EXPECT_EQ(refused, 7);
}

TEST(Live, AsksForWhatAPolicyNeeds) {
  EXPECT_NE(
      message_of([] { Policy({.policy = "dp-se", .arms = 3, .epsilon = 1}); }).find("horizon"),
      std::string::npos);
  EXPECT_NE(message_of([] { Policy({.policy = "mgf-imed", .arms = 3}); }).find("epsilon"),
            std::string::npos);
  EXPECT_NE(message_of([] {
              Policy({.policy = "mgf-imde", .arms = 3, .epsilon = 1});
            }).find("did you mean mgf-imed"),
            std::string::npos);
  EXPECT_NE(message_of([] { Policy({.policy = "ucb1", .arms = 0}); }).find("arms"),
            std::string::npos);
  EXPECT_NE(
      message_of([] {
        Policy({.policy = "ucb1", .arms = 3, .actions = std::make_shared<actions::TopK>(3, 2)});
      }).find("single arm"),
      std::string::npos);
  const Policy baseline({.policy = "ucb1", .arms = 3});
  EXPECT_FALSE(baseline.guarantee().is_private());
}

/// Fails at every other release, as a machine out of memory would.
class Failing final : public Curator {
 public:
  explicit Failing(std::unique_ptr<Curator> curator) : curator_(std::move(curator)) {}

  Round open_place(Slot slot) override { return curator_->open_place(slot); }
  void add(Slot slot, Round place, std::span<const double> outcomes) override {
    curator_->add(slot, place, outcomes);
  }
  ReleasedSlot release(Slot slot, Round n) override {
    fails_ = !fails_;
    if (fails_) throw std::bad_alloc();
    return curator_->release(slot, n);
  }
  void save(privacy::SealingWriter& writer) const override { curator_->save(writer); }
  void load(privacy::SealingReader& reader) override { curator_->load(reader); }

 private:
  std::unique_ptr<Curator> curator_;
  bool fails_ = false;
};

TEST(Live, AReleaseThatFailsIsStillDue) {
  const random::SimulationKey key(3, small().policy, "failing", 0);
  const auto curator = [&] {
    const policies::Setting setting{.arms = 3,
                                    .epsilon = 1,
                                    .delta = std::nullopt,
                                    .horizon = 1000,
                                    .pace = policies::Pace::kPlain};
    return make_curator(policies::find_policy(small().policy).plan(setting, {}), 3, 0.0,
                        accounting::Releases(privacy::SimulatedNoise(key)));
  };
  Policy smooth = Policy::assembled(small(), key, curator());
  Policy failing = Policy::assembled(small(), key, std::make_unique<Failing>(curator()));
  int failures = 0;
  for (int t = 0; t < 500; ++t) {
    std::optional<Ticket> ticket;
    while (!ticket) {
      try {
        ticket = failing.choose();
      } catch (const std::bad_alloc&) {
        ++failures;
      }
    }
    const Ticket other = smooth.choose();
    ASSERT_EQ(ticket->arms()[0], other.arms()[0]) << t;
    const std::vector<double> outcome{t % 3 == 0 ? 1.0 : 0.0};
    failing.report(*ticket, outcome);
    smooth.report(other, outcome);
  }
  EXPECT_EQ(static_cast<std::uint64_t>(failures), smooth.releases());
  EXPECT_EQ(failing.releases(), smooth.releases());
  EXPECT_GT(failures, 5);
}

TEST(Live, RefusesForgedAndForeignTicketsAndOutcomesOutOfRange) {
  Policy policy(small());
  Policy other(small());
  const Ticket ticket = policy.choose();
  EXPECT_NE(message_of([&] { other.report(ticket, 1); }).find("not one that this policy gave"),
            std::string::npos);
  std::string text = ticket.text();
  EXPECT_NO_THROW(policy.report(Ticket::from_text(text), 1));
  int accepted = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string altered = text;
    altered[i] = altered[i] == 'A' ? 'B' : 'A';
    try {
      policy.report(Ticket::from_text(altered), 1);
      accepted +=
          Ticket::from_text(altered).text() == text ? 0 : 1;  // bits that base64 does not use
    } catch (const InvalidParameter&) {
    }
  }
  EXPECT_EQ(accepted, 0);
  EXPECT_THROW(Ticket::from_text(""), InvalidParameter);
  EXPECT_THROW(Ticket::from_text("not a ticket"), InvalidParameter);
  for (const double bad : {-0.1, 1.1, std::nan("")})
    EXPECT_THROW(policy.report(ticket, bad), InvalidParameter);
  EXPECT_THROW(policy.report(ticket, std::vector<double>{1, 1}), InvalidParameter);
  const std::vector<Arm> nobody{3};
  EXPECT_THROW(policy.choose(nobody), InvalidParameter);
}

TEST(Live, KeepsOutcomesOfLocalPoliciesOnTheDevice) {
  Policy policy({.policy = "ldp-ucb-bits", .arms = 3, .epsilon = 1});
  const Ticket ticket = policy.choose();
  EXPECT_NE(message_of([&] { policy.report(ticket, 1); }).find("device"), std::string::npos);
  EXPECT_THROW(policy.take(ticket, {0.5}), InvalidParameter);
  EXPECT_NO_THROW(policy.take(ticket, {1}));
  EXPECT_EQ(policy.show()[static_cast<std::size_t>(ticket.arm())].n, 1);
  EXPECT_NO_THROW(policy.take(ticket, {0})) << "the first counts";
  EXPECT_EQ(policy.show()[static_cast<std::size_t>(ticket.arm())].mean, 1);
}

TEST(Live, PlaysEligibleArmsOnly) {
  Policy policy(small());
  const std::vector<Arm> only{1};
  for (int i = 0; i < 50; ++i) {
    const Ticket ticket = policy.choose(only);
    EXPECT_EQ(ticket.arm(), 1);
    policy.report(ticket, 1);
  }
  EXPECT_EQ(policy.show()[0].n, 0);
}

TEST(Live, ShowsIntervalsThatCover) {
  Policy policy({.policy = "mgf-imed", .arms = 2, .epsilon = 1});
  for (int i = 0; i < 2000; ++i) policy.report(policy.choose(), 1);
  policy.advance();
  for (const ArmView& arm : policy.show()) {
    ASSERT_GT(arm.n, 0);
    ASSERT_TRUE(arm.interval);
    EXPECT_LT(arm.interval->first, arm.interval->second);
    EXPECT_GE(arm.interval->second, 1 - 1e-9) << "every outcome was 1";
  }
}

class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("tacit_live_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// Looks into the state at the moment it is kept.
class Recorded : public Store {
 public:
  void keep(const std::string& state, std::uint64_t releases) override {
    if (broken) throw std::runtime_error("disk full");
    states.push_back(state);
    marks.push_back(releases);
  }
  bool broken = false;
  std::vector<std::string> states;
  std::vector<std::uint64_t> marks;
};

TEST(Live, KeepsAReleaseBeforeItIsShown) {
  const auto key = privacy::SealingKey::fresh();
  Recorded store;
  Policy policy(small(), &store, &key);
  const Ticket first = policy.choose();
  policy.report(first, 1);
  EXPECT_TRUE(store.states.empty());
  store.broken = true;
  EXPECT_THROW(policy.choose(), std::runtime_error);
  EXPECT_EQ(policy.choices(), 1) << "nothing was chosen from a release that may be lost";
  store.broken = false;
  policy.choose();
  ASSERT_EQ(store.states.size(), 1U);
  EXPECT_EQ(store.marks[0], 1U);
  EXPECT_EQ(Policy::restore(small(), store.states[0], key).releases(), 1U);
}

TEST(Live, SurvivesInAFileAndRefusesOneFromBeforeTheLastRelease) {
  const Folder folder;
  const std::string path = folder.file("shop.state");
  const auto key = privacy::SealingKey::fresh();
  std::string old;
  {
    FileStore store(path);
    Policy policy(small(), &store, &key);
    for (int i = 0; i < 5; ++i) policy.report(policy.choose(), 1);
    old = *store.state();
    for (int i = 0; i < 20; ++i) policy.report(policy.choose(), 1);
  }
  FileStore store(path);
  Policy again = Policy::restore(small(), *store.state(), key, store.mark(), &store);
  EXPECT_EQ(again.releases(), store.mark());
  EXPECT_NO_THROW(again.choose());
  EXPECT_NE(message_of([&] {
              Policy::restore(small(), old, key, store.mark());
            }).find("older than the last release"),
            std::string::npos);
}

TEST(Live, RefusesAStateOfAnotherSetupKeyOrHand) {
  const auto key = privacy::SealingKey::fresh();
  Policy policy(small());
  for (int i = 0; i < 5; ++i) policy.report(policy.choose(), 1);
  const std::string state = policy.save(key);
  live::Setup other = small();
  other.epsilon = 2;
  EXPECT_NE(message_of([&] { Policy::restore(other, state, key); }).find("another setup"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              Policy::restore(small(), state, privacy::SealingKey::fresh());
            }).find("does not open"),
            std::string::npos);
  for (const std::size_t at : {std::size_t{30}, state.size() / 2, state.size() - 5}) {
    std::string altered = state;
    altered[at] = altered[at] == '1' ? '2' : '1';
    EXPECT_THROW(Policy::restore(small(), altered, key), InvalidParameter) << at;
  }
  EXPECT_THROW(Policy::restore(small(), "", key), InvalidParameter);
  EXPECT_THROW(Policy::restore(small(), state.substr(0, state.size() / 2), key), InvalidParameter);
  EXPECT_THROW(privacy::SealingKey::from_text("abc"), InvalidParameter);
  EXPECT_EQ(privacy::SealingKey::from_text(key.text()).text(), key.text());
}

TEST(Live, OfAHorizonMakesNoMoreChoicesThanItAllows) {
  Policy policy(
      {.policy = "dp-ucb-tree", .arms = 2, .epsilon = 1, .delta = std::nullopt, .horizon = 3});
  for (int i = 0; i < 3; ++i) policy.report(policy.choose(), 1);
  EXPECT_NE(message_of([&] { policy.choose(); }).find("horizon"), std::string::npos);
}

}  // namespace
}  // namespace tacit::live
