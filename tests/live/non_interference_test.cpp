// What can be seen does not depend on answers but through releases: with these replaced by numbers that nobody's
// answers moved, two policies that are told quite different things show the same.
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "held.hpp"
#include "tacit/privacy/published.hpp"

namespace tacit::live {
namespace {

/// The curator that a policy has, but what it lets out depends on the slot alone.
class Injected final : public Curator {
 public:
  Injected(std::unique_ptr<Curator> curator, bool leader)
      : curator_(std::move(curator)), leader_(leader) {}
  Round open_place(Slot slot) override { return curator_->open_place(slot); }
  void add(Slot slot, Round place, std::span<const double> outcomes) override {
    curator_->add(slot, place, outcomes);
  }
  ReleasedSlot release(Slot slot, Round n) override {
    ReleasedSlot released = curator_->release(slot, n);
    auto draw = random::SimulationKey(5, "injected", "", 0)
                    .at(random::Purpose::kNoise, static_cast<std::uint64_t>(slot.arm + 1),
                        static_cast<std::uint64_t>(slot.phase));
    for (auto& value : released.values) {
      value =
          privacy::Published::again(leader_ ? random::uniform_index(draw, kArms)
                                            : random::uniform_open(draw) * static_cast<double>(n));
    }
    return released;
  }
  void save(privacy::SealingWriter& writer) const override { curator_->save(writer); }
  void load(privacy::SealingReader& reader) override { curator_->load(reader); }

 private:
  std::unique_ptr<Curator> curator_;
  bool leader_;
};

std::unique_ptr<Curator> injected(const live::Setup& setup) {
  return std::make_unique<Injected>(
      curator_of(setup, random::SimulationKey(6, setup.policy, "injected", 0)),
      releases_only_who_leads(setup));
}

/// Any values, in any order, some never, some twice.
template <class Tell>
void tell_anything(std::vector<Ticket>& waiting, random::SimulationStream& stream, Tell tell) {
  while (!waiting.empty() && random::uniform_index(stream, 3) != 0) {
    const auto i =
        static_cast<std::size_t>(random::uniform_index(stream, static_cast<int>(waiting.size())));
    const Ticket ticket = waiting[i];
    const int fate = random::uniform_index(stream, 4);
    if (fate != 0)
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));  // else it comes again
    if (fate == 1 || ticket.recorded().empty()) continue;               // never
    std::vector<double> outcomes(ticket.recorded()[0] == kAllArms ? kArms
                                                                  : ticket.recorded().size());
    for (double& outcome : outcomes) outcome = random::uniform_open(stream);
    tell(ticket, outcomes);
  }
}

constexpr std::uint64_t kNobodyAnswers = 0;

class EveryPolicyBySlot : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryPolicyBySlot, ShowsTheSameWhateverItIsTold) {
  for (const Round wait : {0, 9, 60}) {
    const live::Setup setup = setup_of(GetParam(), wait);
    const random::SimulationKey key(3, setup.policy, "told", 0);
    const auto sealing = privacy::SealingKey::fresh();
    const std::string beginning = Policy::assembled(setup, key, injected(setup)).save(sealing);
    const auto play = [&](std::uint64_t what) {
      Policy policy = Policy::assembled(setup, key, injected(setup));
      policy.load(beginning, sealing);  // one key for tickets
      auto stream = random::SimulationKey(what, "live", "told", 0).stream(random::Purpose::kDelays);
      std::vector<Ticket> waiting;
      Seen seen;
      std::vector<std::string> texts;
      std::vector<std::size_t> lengths;  // of all that is saved, sealed or not
      for (Round t = 1; t <= kRounds; ++t) {
        waiting.push_back(policy.choose());
        texts.push_back(waiting.back().text());
        if (what == kNobodyAnswers) waiting.clear();
        tell_anything(waiting, stream,
                      [&](const Ticket& ticket, const std::vector<double>& outcomes) {
                        policy.report(ticket, outcomes);
                      });
        seen.note(policy, Ticket::from_text(texts.back()));
        if (t % 7 == 0) policy.advance();
        if (t % 3 == 0) lengths.push_back(policy.save(sealing).size());
      }
      return std::tuple(seen, texts, lengths);
    };
    const auto one = play(1);
    for (const auto& other : {play(2), play(kNobodyAnswers)}) {
      EXPECT_EQ(std::get<0>(one), std::get<0>(other));
      EXPECT_EQ(std::get<1>(one), std::get<1>(other));
      EXPECT_EQ(std::get<2>(one), std::get<2>(other));
    }
  }
}

/// A twin that releases a slot as soon as all its choices were answered: what a policy must not do.
std::vector<std::vector<Arm>> actions_of_the_eager_twin(const std::string& policy,
                                                        std::uint64_t what) {
  const live::Setup setup = setup_of(policy);
  const policies::Setting setting{.arms = kArms,
                                  .epsilon = setup.epsilon,
                                  .delta = std::nullopt,
                                  .horizon = kRounds,
                                  .pace = policies::Pace::kPlain,
                                  .actions = setup.actions};
  const random::SimulationKey key(3, policy, "told", 0);
  const auto learner = policies::find_policy(policy).learner(setting, {}, random::Dice(key));
  const auto curator = injected(setup);
  auto stream = random::SimulationKey(what, "live", "eager", 0).stream(random::Purpose::kDelays);
  struct Open {
    Round answered = 0;
    Round full = 0;
  };
  std::map<Slot, Open> open;
  std::map<Arm, Round> next_phase;
  std::vector<std::vector<Slot>> waiting;
  std::vector<std::vector<Arm>> actions;
  policies::Choice choice;
  for (Round t = 1; t <= kRounds; ++t) {
    learner->choose({t}, choice);
    actions.emplace_back(choice.arms().begin(), choice.arms().end());
    for (const Slot& slot : choice.slots()) {
      const Round full = learner->assign(slot, 1);
      if (full > 0) open[slot].full = full;
    }
    waiting.emplace_back(choice.slots().begin(), choice.slots().end());
    while (!waiting.empty() && random::uniform_index(stream, 3) != 0) {
      const auto i =
          static_cast<std::size_t>(random::uniform_index(stream, static_cast<int>(waiting.size())));
      for (const Slot& slot : waiting[i]) ++open[slot].answered;
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
    }
    // Of an arm in order, all that are answered.
    for (auto at = open.begin(); at != open.end();) {
      const auto& [slot, state] = *at;
      const bool first = std::none_of(open.begin(), open.end(), [&](const auto& o) {
        return o.first.arm == slot.arm && o.first.phase < slot.phase;
      });
      if (!first || state.full == 0 || state.answered < state.full) {
        ++at;
        continue;
      }
      const ReleasedSlot released = curator->release(slot, state.full);
      learner->deliver(slot, released.values, state.full, released.noises);
      at = open.erase(at);
    }
  }
  return actions;
}

TEST(NonInterference, ATwinThatReleasesWhenAllHaveAnsweredIsFoundOut) {
  for (const char* policy :
       {"anytime-lazy-ucb", "mgf-imed", "dpucb-mat", "cascade-dp", "rnm-ftnl"}) {
    EXPECT_NE(actions_of_the_eager_twin(policy, 1), actions_of_the_eager_twin(policy, 2)) << policy;
  }
}

std::vector<std::string> policies_by_slot() {
  std::vector<std::string> names;
  for (const std::string& policy : held_policies()) {
    if (by_slot(policy)) names.push_back(policy);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryPolicyBySlot, ::testing::ValuesIn(policies_by_slot()),
                         name_of_suite);

}  // namespace
}  // namespace tacit::live
