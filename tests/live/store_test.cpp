// What is refused, and what survives.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
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
  EXPECT_NE(message_of([&] { policy.choose(std::span<const Arm>()); }).find("must name an arm"),
            std::string::npos)
      << "whoever's filter leaves nothing does not mean all";
  EXPECT_EQ(message_of([&] { policy.report(ticket, 2); }),
            "outcome: must be in [0, 1] (anytime-lazy-ucb: report)");
  const std::string long_one = message_of([] { Ticket::from_text(std::string(5000, '\n')); });
  EXPECT_LT(long_one.size(), 100U);
  EXPECT_EQ(long_one.find('\n'), std::string::npos);
}

TEST(Live, RefusesASetupThatNobodyMeans) {
  const auto said = [](live::Setup setup) { return message_of([&] { Policy policy(setup); }); };
  live::Setup setup = small();
  for (const Round wait : {Round{-1}, kLastRound + 1, std::numeric_limits<Round>::max()}) {
    setup.wait = wait;
    EXPECT_NE(said(setup).find("wait"), std::string::npos) << wait;
  }
  setup.wait = kLastRound;
  EXPECT_EQ(said(setup), "");
  Policy patient(setup);
  for (int i = 0; i < 100; ++i) patient.report(patient.choose(), 1);
  EXPECT_EQ(patient.releases(), 0U) << "waits for ever";
  EXPECT_NE(said({.policy = "ucb1", .arms = 2, .epsilon = std::nan("")}).find("epsilon"),
            std::string::npos);
  EXPECT_NE(said({.policy = "ucb1", .arms = 2, .delta = 2}).find("delta"), std::string::npos);
  EXPECT_NE(said({.policy = "mgf-imed",
                  .arms = 2,
                  .epsilon = 1,
                  .parameters = {{"growth", "1.5"}, {"growth", "2"}}})
                .find("second time"),
            std::string::npos);
}

TEST(Live, TakesWhatADeviceCanSayAndNothingElse) {
  const auto of_three = std::make_shared<actions::TopK>(3, 2);
  const struct {
    live::Setup setup;
    std::vector<double> refused;
  } cases[] = {
      {{.policy = "ldp-ucb-bits", .arms = 3, .epsilon = 1}, {0.5, -1, 2}},
      {{.policy = "ldp-ucb-laplace", .arms = 3, .epsilon = 1}, {1e308, -1e308, 1e4}},
      {{.policy = "cucb-ldp-gaussian", .arms = 3, .epsilon = 1, .actions = of_three},
       {1e308, -1e6}},
      {{.policy = "cascade-ldp-stop", .arms = 3, .epsilon = 1, .actions = of_three}, {7, 0.5, -3}},
  };
  random::SecureSource source;
  for (const auto& c : cases) {
    Policy policy(c.setup);
    const Ticket ticket = policy.choose();
    const std::size_t numbers = c.setup.policy == "cascade-ldp-stop" ? 1 : ticket.recorded().size();
    const std::vector<double> outcomes(numbers, 1);
    const Report honest = policy.device_report(ticket, outcomes, source);
    for (const double value : c.refused) {
      Report report = honest;
      report[0] = value;
      EXPECT_NE(message_of([&] { policy.take(ticket, report); }).find("must be"), std::string::npos)
          << c.setup.policy << value;
    }
    for (int i = 0; i < 300; ++i) {
      const Ticket next = policy.choose();
      if (next.recorded().empty()) continue;
      EXPECT_NO_THROW(policy.take(next, policy.device_report(next, outcomes, source)));
    }
    // Added up, numbers with Gaussian noise cost more than together.
    const double together = policy.guarantee().epsilon;
    const double added_up = policy.ledger().worst_epsilon();
    const bool gaussian = c.setup.policy == "cucb-ldp-gaussian";
    EXPECT_NEAR(added_up, together, gaussian ? together : 1e-6) << c.setup.policy;
    EXPECT_GE(added_up, together - 1e-6) << c.setup.policy;
    Policy other(c.setup);
    EXPECT_THROW(other.device_report(ticket, outcomes, source), InvalidParameter);
  }
}

TEST(Live, KeepsOutcomesOfLocalPoliciesOnTheDevice) {
  Policy policy({.policy = "ldp-ucb-bits", .arms = 3, .epsilon = 1});
  const Ticket ticket = policy.choose();
  EXPECT_NE(message_of([&] { policy.report(ticket, 1); }).find("device"), std::string::npos);
  EXPECT_THROW(policy.take(ticket, {0.5}), InvalidParameter);
  EXPECT_NO_THROW(policy.take(ticket, {1}));
  EXPECT_EQ(policy.show()[static_cast<std::size_t>(ticket.arm())].n, 1);
  EXPECT_NO_THROW(policy.take(ticket, {0})) << "the first counts";
  EXPECT_NEAR(policy.show()[static_cast<std::size_t>(ticket.arm())].mean,
              0.5 + 0.5 / std::tanh(0.5), 1e-12);
}

TEST(Live, ShowsMeansThatResponsesDoNotPullToAHalf) {
  random::SecureSource source;
  for (const char* name : {"ldp-ucb-bits", "ts-cf", "kl-ucb-cf", "ldp-ucb-laplace"}) {
    Policy policy({.policy = name, .arms = 1, .epsilon = 1});
    const std::vector<double> outcome{0.9};
    constexpr int kUsers = 20000;
    for (int i = 0; i < kUsers; ++i) {
      const Ticket ticket = policy.choose();
      policy.take(ticket, policy.device_report(ticket, outcome, source));
    }
    // A report's deviation is at most 2 here.
    EXPECT_NEAR(policy.show()[0].mean, 0.9, 6 * 2 / std::sqrt(kUsers)) << name;
  }
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
  void keep(const std::string& state, const Mark& mark) override {
    if (broken) throw std::runtime_error("disk full");
    states.push_back(state);
    marks.push_back(mark);
  }
  std::optional<std::string> state() const override {
    return states.empty() ? std::nullopt : std::optional(states.back());
  }
  std::optional<Mark> mark() const override {
    return marks.empty() ? std::nullopt : std::optional(marks.back());
  }
  bool broken = false;
  std::vector<std::string> states;
  std::vector<Mark> marks;
};

TEST(Live, KeepsAReleaseBeforeItIsShown) {
  const auto key = privacy::SealingKey::fresh();
  Recorded store;
  Policy policy = Policy::open(small(), store, key);
  const Ticket first = policy.choose();
  policy.report(first, 1);
  EXPECT_EQ(store.states.size(), 1U) << "as it began";
  store.broken = true;
  EXPECT_THROW(policy.choose(), std::runtime_error);
  EXPECT_EQ(policy.choices(), 1) << "nothing was chosen from a release that may be lost";
  for (const auto& shown : std::vector<std::function<void()>>{
           [&] { policy.show(); }, [&] { policy.ledger(); }, [&] { policy.save(key); }}) {
    EXPECT_NE(message_of(shown).find("not kept yet"), std::string::npos);
  }
  store.broken = false;
  policy.choose();
  ASSERT_EQ(store.states.size(), 2U);
  EXPECT_EQ(store.marks[1].releases, 1U);
  EXPECT_EQ(policy.show()[static_cast<std::size_t>(first.arm())].n, 1);
  EXPECT_EQ(Policy::restore(small(), store.states[1], key, 1).releases(), 1U);
}

TEST(Live, KeepsWhatTookNoReleaseWhenAsked) {
  const auto key = privacy::SealingKey::fresh();
  Recorded store;
  const live::Setup setup{.policy = "ldp-ucb-bits", .arms = 3, .epsilon = 1};
  {
    Policy policy = Policy::open(setup, store, key);
    for (int i = 0; i < 30; ++i) policy.take(policy.choose(), {1});
    policy.keep();
  }
  const auto shown = Policy::open(setup, store, key).show();
  EXPECT_EQ(shown[0].n + shown[1].n + shown[2].n, 30);
  Policy alone(setup);
  EXPECT_NE(message_of([&] { alone.keep(); }).find("Policy::open"), std::string::npos);
}

TEST(Live, KnowsTheTicketsOfTheStateThatItWasRestoredFromAndNoLaterOnes) {
  const auto key = privacy::SealingKey::fresh();
  Policy crashed(small());
  const Ticket before = crashed.choose();
  const std::string state = crashed.save(key);
  const Ticket after = crashed.choose();
  Policy restored = Policy::restore(small(), state, key, 0);
  EXPECT_NO_THROW(restored.report(before, 1));
  EXPECT_THROW(restored.report(after, 1), InvalidParameter) << "its number is free";
  const Ticket again = restored.choose();
  EXPECT_EQ(again.number(), after.number());
  EXPECT_THROW(restored.report(after, 1), InvalidParameter) << "its number is another's";
  EXPECT_NO_THROW(restored.report(again, 1));
  Policy third = Policy::restore(small(), restored.save(key), key, restored.releases());
  EXPECT_NO_THROW(third.report(before, 1));
  EXPECT_NO_THROW(third.report(again, 1));
  EXPECT_THROW(third.report(after, 1), InvalidParameter);
}

TEST(Live, ReleasesNothingInAChildProcess) {
  Policy policy(small());
  policy.report(policy.choose(), 1);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string said = message_of([&] { policy.choose(); });
    ::_exit(said.find("child process") != std::string::npos && policy.releases() == 0 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_NO_THROW(policy.choose());
  EXPECT_EQ(policy.releases(), 1U);
}

TEST(Live, OfARehearsalAloneTakesUpAnyState) {
  const auto key = privacy::SealingKey::fresh();
  Policy policy(small());
  const std::string state = policy.save(key);
  policy.report(policy.choose(), 1);
  policy.choose();
  EXPECT_NE(message_of([&] { policy.load(state, key); }).find("rehearsals"), std::string::npos);
  EXPECT_EQ(policy.releases(), 1U);
  Policy rehearsal = Policy::rehearsal(small(), random::SimulationKey(1, "a", "b", 0));
  for (int i = 0; i < 20; ++i) rehearsal.report(rehearsal.choose(), 1);
  EXPECT_THROW(rehearsal.load("garbage", key), InvalidParameter);
  EXPECT_NO_THROW(rehearsal.choose()) << "what was refused changed nothing";
}

TEST(Live, SurvivesInAFileAndRefusesOneFromBeforeTheLastRelease) {
  const Folder folder;
  const std::string path = folder.file("shop.state");
  const auto key = privacy::SealingKey::fresh();
  std::string old;
  {
    FileStore store(path);
    Policy policy = Policy::open(small(), store, key);
    for (int i = 0; i < 5; ++i) policy.report(policy.choose(), 1);
    old = *store.state();
    for (int i = 0; i < 20; ++i) policy.report(policy.choose(), 1);
  }
  FileStore store(path);
  {
    Policy again = Policy::open(small(), store, key);
    EXPECT_EQ(again.releases(), store.mark()->releases);
    EXPECT_NO_THROW(again.choose());
  }
  EXPECT_NE(message_of([&] {
              Policy::restore(small(), old, key, store.mark()->releases);
            }).find("older than the last release"),
            std::string::npos);
  std::ofstream(path) << old;
  EXPECT_NE(
      message_of([&] { Policy::open(small(), store, key); }).find("older than the last release"),
      std::string::npos);
}

TEST(Live, OpensNoFileThatIsNotTheLastOfItsPolicy) {
  const Folder folder;
  const auto key = privacy::SealingKey::fresh();
  const auto write = [](const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
  };
  const auto said = [&](const std::string& path) {
    return message_of([&] {
      FileStore store(path);
      Policy::open(small(), store, key);
    });
  };
  const auto expect = [&](const std::string& path, const char* words) {
    const std::string message = said(path);
    EXPECT_NE(message.find(words), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  };
  const auto begun = [&](const char* name) {
    const std::string path = folder.file(name);
    FileStore store(path);
    Policy policy = Policy::open(small(), store, key);
    for (int i = 0; i < 9; ++i) policy.report(policy.choose(), 1);
    return path;
  };
  const std::string path = begun("a");
  EXPECT_EQ(said(path), "");
  const std::string mark = *[&] {
    std::ifstream file(path + ".mark");
    std::ostringstream text;
    text << file.rdbuf();
    return std::optional(text.str());
  }();
  for (const char* garbled : {"", "\n", "-1 2\n", "12abc 3\n", "3\n", "3 4", "3 4 5\n", "x\n"}) {
    write(path + ".mark", garbled);
    expect(path, "must hold two numbers");
  }
  std::filesystem::remove(path + ".mark");
  expect(path, "is missing beside");
  write(path + ".mark", mark);
  EXPECT_EQ(said(path), "");

  const std::string other = begun("b");
  std::filesystem::copy_file(other, path, std::filesystem::copy_options::overwrite_existing);
  expect(path, "not that of the policy");
  std::filesystem::remove(path);
  expect(path, "has no state");
  std::filesystem::create_directory(path);
  expect(path, "cannot be read");
  expect(folder.file("nowhere/c"), "cannot be opened");
  expect("", "a path must be given");
  const FileStore held(other);
  expect(other, "is held by another store");
}

TEST(Live, AStoreIsOfOnePolicyAndItsReleasesNeverFall) {
  const Folder folder;
  FileStore store(folder.file("s"));
  store.keep("first", {7, 3});
  EXPECT_NE(message_of([&] {
              store.keep("b", {8, 4});
            }).find("another policy's"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              store.keep("b", {7, 2});
            }).find("3 releases were made"),
            std::string::npos);
  EXPECT_EQ(*store.state(), "first");
  store.keep("second", {7, 3});
  EXPECT_EQ(*store.state(), "second");
  EXPECT_EQ(store.mark(), (Mark{7, 3}));
}

TEST(Live, RefusesAStateOfAnotherSetupKeyOrHand) {
  const auto key = privacy::SealingKey::fresh();
  Policy policy(small());
  for (int i = 0; i < 5; ++i) policy.report(policy.choose(), 1);
  const std::string state = policy.save(key);
  live::Setup other = small();
  other.epsilon = 2;
  EXPECT_NE(message_of([&] {
              Policy::restore(other, state, key, 0);
            }).find("with epsilon 1; this one has 2"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              Policy::restore(small(), state, privacy::SealingKey::fresh(), 0);
            }).find("does not open"),
            std::string::npos);
  for (const std::size_t at : {std::size_t{30}, state.size() / 2, state.size() - 5}) {
    std::string altered = state;
    altered[at] = altered[at] == '1' ? '2' : '1';
    EXPECT_THROW(Policy::restore(small(), altered, key, 0), InvalidParameter) << at;
  }
  const auto refused = [&](const std::string& text) {
    return message_of([&] { Policy::restore(small(), text, key, 0); });
  };
  EXPECT_NE(refused("").find("not what a live policy saved"), std::string::npos);
  EXPECT_NE(refused("tacit live state 1\nsealed \n").find("is cut off"), std::string::npos);
  EXPECT_NE(refused("tacit live state 9\na\nb\nc\nsealed x\n").find("is of format 9"),
            std::string::npos);
  for (std::size_t length = 0; length < state.size(); length += 7) {
    const std::string said = refused(state.substr(0, length));
    EXPECT_NE(said, "") << length;
    EXPECT_EQ(said.find("missing"), std::string::npos) << said;
  }
  std::string beyond_ascii = state;
  beyond_ascii[state.size() - 5] = static_cast<char>(beyond_ascii[state.size() - 5] | 0x80);
  EXPECT_NE(refused(beyond_ascii).find("does not open"), std::string::npos);
  live::Setup written_out = small();
  for (const auto& info : policies::find_policy(small().policy).parameters({}))
    written_out.parameters.push_back({info.name, info.value});
  EXPECT_NO_THROW(Policy::restore(written_out, state, key, 0)) << "defaults written out";
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
