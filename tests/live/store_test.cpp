// What is kept, what survives, and what is not released twice.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

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
           [&] { policy.show(); }, [&] { policy.difference(0, 1); }, [&] { policy.best(1, 0.05); },
           [&] { policy.verdict(); }, [&] { policy.ledger(); }, [&] { policy.save(key); }}) {
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
  EXPECT_EQ(refused("tacit live state 1\na\nb\nc\nsealed x\n"),
            "state: is of format 1, and this is a program for format 3 (restore)");
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

}  // namespace
}  // namespace tacit::live
