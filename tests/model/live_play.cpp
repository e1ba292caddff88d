#include "model/live_play.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "live/held.hpp"
#include "model/live_promise.hpp"
#include "model/shrink.hpp"

namespace tacit::model {
namespace {

using namespace live;  // NOLINT: what is held

/// Of one millionth, so that sums can be compared.
constexpr double kEpsilon = 1e6;

Setup setup_of(const LiveStory& story) {
  Setup setup{.policy = story.policy, .arms = story.arms, .epsilon = kEpsilon};
  // A device that lies as often as it must would say nothing but the truth, which is no report.
  if (story.policy == "ldp-ucb-bits") setup.epsilon = 1;
  if (story.policy == "dpucb-mat") setup.actions = std::make_shared<actions::TopK>(story.arms, 2);
  setup.wait = story.wait;
  setup.missing = story.missing;
  return setup;
}

class StoreOfStory final : public Store {
 public:
  void keep(const std::string& state, const Mark& mark) override {
    state_ = state;
    mark_ = mark;
    ++kept;
  }
  std::optional<std::string> state() const override { return state_; }
  std::optional<Mark> mark() const override { return mark_; }
  void put_back(const std::string& state) { state_ = state; }

  int kept = 0;

 private:
  std::optional<std::string> state_;
  std::optional<Mark> mark_;
};

using Told = std::deque<ReleasedSlot>;

/// Tells another one what it releases.
class Heard final : public Curator {
 public:
  Heard(std::unique_ptr<Curator> curator, Told& told, bool tells)
      : curator_(std::move(curator)), told_(told), tells_(tells) {}
  Round open_place(Slot slot) override { return curator_->open_place(slot); }
  void add(Slot slot, Round place, std::span<const double> outcomes) override {
    curator_->add(slot, place, outcomes);
  }
  ReleasedSlot release(Slot slot, Round n) override {
    ReleasedSlot released = curator_->release(slot, n);
    if (tells_) {
      told_.push_back(released);
    } else {
      need(!told_.empty(), "what is released depends on answers");
      released = told_.front();
      told_.pop_front();
    }
    return released;
  }
  void save(privacy::SealingWriter& writer) const override { curator_->save(writer); }
  void load(privacy::SealingReader& reader) override { curator_->load(reader); }

 private:
  std::unique_ptr<Curator> curator_;
  Told& told_;
  bool tells_;
};

class Player {
 public:
  explicit Player(const LiveStory& story)
      : story_(story), setup_(setup_of(story)), promise_(story) {
    if (story_.in_a_store) {
      take_up();
    } else {
      policy_.emplace(rehearsed(true));
      if (by_slot_) twin_.emplace(rehearsed(false));
    }
  }

  void play(const LiveStep& step) {
    switch (step.what) {
      case LiveDo::kChoose:
        for (int i = 0; i < step.count; ++i) choose(step);
        break;
      case LiveDo::kAnswer: answer(step); break;
      case LiveDo::kAdvance: advance(); break;
      case LiveDo::kKeep:
        if (!story_.in_a_store) break;
        policy_->keep();
        kept_ = promise_;
        break;
      case LiveDo::kTakeUp:
        if (story_.in_a_store) take_up();
        break;
      case LiveDo::kMove: move(); break;
      case LiveDo::kCopy:
        if (story_.in_a_store) copy_ = {*store_.state(), store_.mark()->releases, kept_};
        break;
      case LiveDo::kPutBack: put_back(); break;
      case LiveDo::kFork: fork_and_try(); break;
    }
    shown_.reset();
    promise_.shows(shown());
  }

  /// Whatever was answered shows in the end.
  void end() {
    for (int i = 0; i < 64 + story_.wait; ++i) choose({});
  }

 private:
  struct Asked {
    Ticket ticket;
    int ever;
  };

  Policy rehearsed(bool tells) {
    const random::SimulationKey key(story_.number, story_.policy, "model", 0);
    if (!by_slot_) return Policy::rehearsal(setup_, key);
    return Policy::assembled(setup_, key,
                             std::make_unique<Heard>(curator_of(setup_, key), told_, tells));
  }

  /// Nothing of it changes but by releases, and by reports.
  const LivePromise::Shown& shown() {
    if (by_slot_ && shown_ && shown_->releases == policy_->releases()) return *shown_;
    LivePromise::Shown& shown = shown_.emplace();
    shown.releases = policy_->releases();
    for (const ArmView& arm : policy_->show()) {
      shown.n.push_back(arm.n);
      shown.sum.push_back(arm.n > 0 ? arm.n * arm.mean : 0);
    }
    return shown;
  }

  /// What came out before the choice: nothing else of the call shows.
  void came_out() {
    promise_.due(shown());
    if (!story_.in_a_store || !by_slot_) return;
    const bool more = policy_->releases() > releases_;
    releases_ = policy_->releases();
    need(!more || store_.mark()->releases == releases_, "a release is shown that is not kept");
    if (more) kept_ = promise_;
  }

  void choose(const LiveStep& step) {
    const auto choose_with = [&](Policy& policy) {
      const Arm only = step.only;
      return step.only >= 0 ? policy.choose(std::span(&only, 1)) : policy.choose();
    };
    const Ticket ticket = choose_with(*policy_);
    came_out();
    if (twin_) {
      const Ticket other = choose_with(*twin_);
      need(told_.empty() && std::ranges::equal(other.arms(), ticket.arms()) &&
               std::ranges::equal(other.slots(), ticket.slots()),
           "what is chosen, or released, depends on answers");
    }
    promise_.chose(ticket.number(), ++ever_, {ticket.slots().begin(), ticket.slots().end()},
                   {ticket.arms().begin(), ticket.arms().end()});
    asked_[step.id].push_back({Ticket::from_text(ticket.text()), ever_});
  }

  void advance() {
    policy_->advance();
    came_out();
    if (!twin_) return;
    twin_->advance();
    need(told_.empty(), "what is released depends on answers");
  }

  void answer(const LiveStep& step) {
    std::vector<Asked>& asked = asked_[step.of];
    const std::size_t from = std::min(asked.size(), static_cast<std::size_t>(step.from));
    const std::size_t to = std::min(asked.size(), from + static_cast<std::size_t>(step.number));
    for (std::size_t i = from; i < to; ++i) {
      const auto& [ticket, ever] = asked[i];
      const bool taken = message_of([&, &t = ticket] { say(t, step.quarters); }).empty();
      need(taken == promise_.knows(ticket.number(), ever),
           taken ? "the ticket of a choice that was lost is taken" : "a ticket is refused");
      if (taken) promise_.answered(ticket.number(), step.quarters);
    }
  }
  void say(const Ticket& ticket, int quarters) {
    if (!by_slot_) return policy_->take(ticket, {quarters > 1 ? 1.0 : 0.0});
    std::vector<double> outcomes;
    const auto entries = ticket.recorded() == std::vector<Arm>{kAllArms}
                             ? static_cast<std::size_t>(story_.arms)
                             : ticket.recorded().size();
    for (std::size_t i = 0; i < entries; ++i) {
      outcomes.push_back(0.25 * quarters_of(quarters, static_cast<int>(i)));
    }
    policy_->report(ticket, outcomes);
  }

  // ---- what is kept

  void take_up() {
    shown_.reset();
    policy_.reset();
    policy_.emplace(Policy::open(setup_, store_, key_));
    if (kept_) promise_ = *kept_;
    kept_ = promise_;
    releases_ = policy_->releases();
  }

  void move() {
    if (story_.in_a_store) return;
    const std::string state = policy_->save(key_);
    shown_.reset();
    policy_.emplace(rehearsed(true));
    policy_->load(state, key_);
    if (!twin_) return;
    const std::string other = twin_->save(key_);
    const auto sealed = [](const std::string& text) {
      return text.size() - text.rfind("\nsealed ");
    };
    need(sealed(other) == sealed(state), "the length of what is saved depends on answers");
    twin_.emplace(rehearsed(false));
    twin_->load(other, key_);
  }

  void put_back() {
    if (!story_.in_a_store || !copy_) return;
    const std::string present = *store_.state();
    const bool older = copy_->releases < store_.mark()->releases;
    policy_.reset();
    store_.put_back(copy_->state);
    const bool refused =
        !message_of([&] { policy_.emplace(Policy::open(setup_, store_, key_)); }).empty();
    need(refused == older, refused ? "a state that is the last is refused"
                                   : "a state from before the last release is taken up");
    if (refused) {
      store_.put_back(present);
    } else {
      kept_ = copy_->promise;
    }
    take_up();
  }

  void fork_and_try() {
    const pid_t child = fork();
    if (child == 0) {
      const bool refused = !message_of([&] { policy_->choose(); }).empty() &&
                           !message_of([&] { policy_->advance(); }).empty() &&
                           !message_of([&] { policy_->save(key_); }).empty();
      _exit(refused ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    need(status == 0, "a child process releases what its parent does");
  }

  struct Copy {
    std::string state;
    std::uint64_t releases = 0;
    std::optional<LivePromise> promise;
  };

  const LiveStory& story_;
  const Setup setup_;
  const bool by_slot_ = curator_of(setup_, random::SimulationKey(1, "", "", 0)) != nullptr;
  const privacy::SealingKey key_ = privacy::SealingKey::fresh();
  StoreOfStory store_;
  Told told_;
  std::optional<Policy> policy_;
  std::optional<Policy> twin_;
  LivePromise promise_;
  std::optional<LivePromise> kept_;
  std::optional<Copy> copy_;
  std::optional<LivePromise::Shown> shown_;
  std::uint64_t releases_ = 0;
  std::map<int, std::vector<Asked>> asked_;
  int ever_ = 0;
};

}  // namespace

std::string complaint_of(const LiveStory& story) {
  std::size_t step = 0;
  try {
    Player player(story);
    for (; step < story.steps.size(); ++step) player.play(story.steps[step]);
    player.end();
  } catch (const std::exception& error) {
    return step < story.steps.size() ? fmt::format("step {}: {}", step + 1, error.what())
                                     : fmt::format("at the end: {}", error.what());
  }
  return "";
}

std::string first_live_story_that_fails(std::uint64_t from, std::uint64_t stories) {
  for (std::uint64_t number = from; number < from + stories; ++number) {
    const LiveStory story = random_live_story(number);
    if (complaint_of(story).empty()) continue;
    const LiveStory small = shrunk<LiveStory>(
        story, [](const LiveStory& other) { return !complaint_of(other).empty(); });
    return text_of(small) + complaint_of(small);
  }
  return "";
}

}  // namespace tacit::model
