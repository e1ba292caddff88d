// Every policy that can be held, held.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "held.hpp"
#include "tacit/problems/table.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::live {
namespace {

using privacy::Arithmetic;

class EveryHeldPolicy : public ::testing::TestWithParam<std::string> {};

const privacy::SealingKey& sealing_key() {
  static const privacy::SealingKey key = privacy::SealingKey::fresh();
  return key;
}

TEST(Held, AreAtLeastFortyFive) { EXPECT_GE(held_policies().size(), 45U); }

TEST_P(EveryHeldPolicy, PlaysWhatTheSimulationPlaysWithTheSameNoiseAndDice) {
  for (const Arithmetic arithmetic : {Arithmetic::kIdealised, Arithmetic::kExact}) {
    for (const std::uint64_t run : {0U, 1U}) {
      const auto rows = table_of_outcomes(run);
      const live::Setup setup = setup_of(GetParam());
      simulation::Request request;
      request.policy = setup.policy;
      request.parameters = setup.parameters;
      request.epsilon = setup.epsilon;
      request.problem = std::make_shared<problems::Table>(rows);
      request.actions = setup.actions;
      request.horizon = kRounds;
      request.runs = 1;
      request.seed = 3;
      request.checkpoints = {kRounds};
      request.pace = policies::Pace::kPlain;
      request.arithmetic = arithmetic;
      accounting::Transcript transcript;
      accounting::Ledger ledger(&transcript);
      simulation::prepare(request)->run(run, &ledger);

      std::string problem = request.problem->name();
      if (setup.actions) problem.append("/").append(setup.actions->name());
      const random::SimulationKey key(3, setup.policy, problem, run);
      Policy policy = Policy::rehearsal(setup, key, arithmetic);
      Users users(setup, key, arithmetic);
      std::vector<Arm> actions;
      for (const auto& row : rows) {
        const Ticket ticket = policy.choose();
        actions.insert(actions.end(), ticket.arms().begin(), ticket.arms().end());
        users.answer(policy, ticket, row);
      }
      ASSERT_EQ(actions, transcript.actions) << "run " << run;
    }
  }
}

TEST_P(EveryHeldPolicy, HasAGuaranteeThatIsExactAndSecureWhereItIsPrivate) {
  const Policy policy(setup_of(GetParam()));
  const privacy::Guarantee g = policy.guarantee();
  if (policy.card().trust == policies::Trust::kNone) {
    EXPECT_FALSE(g.is_private());
    return;
  }
  EXPECT_TRUE(g.is_private());
  EXPECT_EQ(g.arithmetic, privacy::Arithmetic::kExact);
  EXPECT_EQ(g.randomness, privacy::Randomness::kSecure);
}

TEST_P(EveryHeldPolicy, IsPlayedWithSecureNoiseAndItsLedgerKeepsToTheGuarantee) {
  const live::Setup setup = setup_of(GetParam());
  Policy policy(setup);
  random::SecureSource phone;
  const auto rows = table_of_outcomes(5);
  for (const auto& row : rows) {
    const Ticket ticket = policy.choose();
    if (ticket.recorded().empty()) continue;
    const auto outcomes = outcomes_of(setup.policy, ticket, row);
    if (is_local(setup.policy)) {
      policy.take(ticket, policy.device_report(ticket, outcomes, phone));
    } else {
      policy.report(ticket, outcomes);
    }
  }
  policy.advance();
  const privacy::Guarantee g = policy.guarantee();
  if (g.is_private() && g.delta == 0) {
    EXPECT_LE(policy.ledger().worst_epsilon(), g.epsilon * (1 + 1e-9));
  }
  EXPECT_EQ(policy.choices(), kRounds);
}

/// When each choice is answered: after which choice's number, and how often; 0: never.
struct Answers {
  std::vector<std::pair<Round, std::size_t>>
      in_order;  // after this choice, the answer to that one (from 0)
};

Answers shuffled(std::uint64_t seed, Round latest) {
  auto stream = random::SimulationKey(seed, "live", "answers", 0).stream(random::Purpose::kDelays);
  Answers answers;
  for (std::size_t i = 0; i < static_cast<std::size_t>(kRounds); ++i) {
    const int times =
        random::uniform_index(stream, 5) == 0 ? 0 : 1 + random::uniform_index(stream, 2);
    for (int k = 0; k < times; ++k) {
      const Round after =
          static_cast<Round>(i) + 1 + random::uniform_index(stream, static_cast<int>(latest) + 1);
      answers.in_order.emplace_back(after, i);
    }
  }
  for (std::size_t i = answers.in_order.size(); i > 1; --i) {
    std::swap(answers.in_order[i - 1], answers.in_order[static_cast<std::size_t>(
                                           random::uniform_index(stream, static_cast<int>(i)))]);
  }
  std::stable_sort(answers.in_order.begin(), answers.in_order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return answers;
}

TEST_P(EveryHeldPolicy, AddsUpShuffledDelayedDoubledAndLostAnswersAsAnIndependentCountDoes) {
  if (!by_slot(GetParam())) GTEST_SKIP() << "takes reports";
  for (const Round wait : {0, 3, 40}) {
    for (const double missing : {0.0, 1.0}) {
      const live::Setup setup = setup_of(GetParam(), wait, missing);
      const random::SimulationKey key(3, setup.policy, "late", 0);
      const auto rows = table_of_outcomes(2);
      const Answers answers = shuffled(static_cast<std::uint64_t>(wait) + 1, wait + 6);

      Policy late = Policy::rehearsal(setup, key);
      Seen seen_late;
      std::vector<Ticket> tickets;
      std::size_t next = 0;
      for (Round t = 1; t <= kRounds; ++t) {
        tickets.push_back(late.choose());
        seen_late.note(late, tickets.back());
        for (; next < answers.in_order.size() && answers.in_order[next].first <= t; ++next) {
          const std::size_t i = answers.in_order[next].second;
          if (tickets[i].recorded().empty()) continue;
          late.report(tickets[i], outcomes_of(setup.policy, tickets[i], rows[i]));
        }
      }
      // Counted apart: the last choice of every slot, and of every choice the first answer before its slot closes.
      std::map<Slot, Round> last;
      for (const Ticket& ticket : tickets) {
        for (const Slot& slot : ticket.slots()) last[slot] = ticket.number();
      }
      std::map<std::size_t, Round> first_answer;
      for (const auto& [after, i] : answers.in_order) first_answer.emplace(i, after);

      Policy prompt = Policy::rehearsal(setup, key);
      Seen seen_prompt;
      for (std::size_t i = 0; i < static_cast<std::size_t>(kRounds); ++i) {
        const Ticket ticket = prompt.choose();
        seen_prompt.note(prompt, ticket);
        if (ticket.recorded().empty()) continue;
        std::vector<double> outcomes = outcomes_of(setup.policy, ticket, rows[i]);
        const auto answered = first_answer.find(i);
        for (std::size_t s = 0; s < ticket.slots().size(); ++s) {
          const bool in_time =
              answered != first_answer.end() && answered->second <= last[ticket.slots()[s]] + wait;
          if (in_time) continue;
          if (ticket.slots()[s].arm == kAllArms) {
            std::fill(outcomes.begin(), outcomes.end(), missing);
          } else {
            outcomes[s] = missing;
          }
        }
        prompt.report(ticket, outcomes);
      }
      ASSERT_EQ(seen_late.actions, seen_prompt.actions)
          << "wait " << wait << " missing " << missing;
      ASSERT_EQ(seen_late.shown, seen_prompt.shown) << "wait " << wait << " missing " << missing;
      // The power of it: were the lost ones counted as answered, something would differ.
      EXPECT_FALSE(tickets.empty());
    }
  }
}

/// Passes everything on, and writes down what is released.
class Watching final : public Curator {
 public:
  struct Event {
    Slot slot;
    Round n;
    ReleasedSlot released;
  };
  Watching(std::unique_ptr<Curator> curator, std::vector<Event>& events)
      : curator_(std::move(curator)), events_(events) {}
  Round open_place(Slot slot) override { return curator_->open_place(slot); }
  void add(Slot slot, Round place, std::span<const double> outcomes) override {
    curator_->add(slot, place, outcomes);
  }
  ReleasedSlot release(Slot slot, Round n) override {
    events_.push_back({slot, n, curator_->release(slot, n)});
    return events_.back().released;
  }
  void save(privacy::SealingWriter& writer) const override { curator_->save(writer); }
  void load(privacy::SealingReader& reader) override { curator_->load(reader); }

 private:
  std::unique_ptr<Curator> curator_;
  std::vector<Event>& events_;
};

TEST_P(EveryHeldPolicy, IsAFunctionOfItsReleasesAFreshLearnerFedWithThemChoosesTheSame) {
  if (!by_slot(GetParam())) GTEST_SKIP() << "takes reports";
  const live::Setup setup = setup_of(GetParam(), 7);
  const policies::Setting setting{.arms = kArms,
                                  .epsilon = setup.epsilon,
                                  .delta = std::nullopt,
                                  .horizon = kRounds,
                                  .pace = policies::Pace::kPlain,
                                  .actions = setup.actions};
  const policies::Entry& entry = policies::find_policy(setup.policy);
  const random::SimulationKey key(3, setup.policy, "fed", 0);
  std::vector<Watching::Event> events;
  Policy policy = Policy::assembled(
      setup, key,
      std::make_unique<Watching>(make_curator(entry.plan(setting, setup.parameters), kArms, 0.0,
                                              accounting::Releases(privacy::SimulatedNoise(key))),
                                 events));
  const auto learner = entry.learner(setting, setup.parameters, random::Dice(key));
  policies::Choice choice;
  const auto rows = table_of_outcomes(4);
  std::size_t delivered = 0;
  for (Round t = 1; t <= kRounds; ++t) {
    const Ticket ticket = policy.choose();
    policy.report(ticket, outcomes_of(setup.policy, ticket, rows[static_cast<std::size_t>(t - 1)]));
    for (; delivered < events.size(); ++delivered) {
      const auto& [slot, n, released] = events[delivered];
      learner->deliver(slot, released.values, n, released.noises);
    }
    learner->choose({t}, choice);
    ASSERT_TRUE(std::equal(choice.arms().begin(), choice.arms().end(), ticket.arms().begin(),
                           ticket.arms().end()))
        << "round " << t;
    for (const Slot& slot : choice.slots()) learner->assign(slot, 1);
  }
  if (setup.policy != "dp-se") {  // whose first epoch is longer
    EXPECT_GT(delivered, 0U);
  }
}

TEST_P(EveryHeldPolicy, ShowsEverythingThatWasReleasedWhateverTheLearnerForgets) {
  if (!by_slot(GetParam())) GTEST_SKIP() << "takes reports";
  const live::Setup setup = setup_of(GetParam(), 4);
  const random::SimulationKey key(3, setup.policy, "counted", 0);
  std::vector<Watching::Event> events;
  Policy policy =
      Policy::assembled(setup, key, std::make_unique<Watching>(curator_of(setup, key), events));
  if (!policy.show()[0].interval) GTEST_SKIP() << "its releases do not add up";
  const auto rows = table_of_outcomes(6);
  for (const auto& row : rows) {
    const Ticket ticket = policy.choose();
    if (!ticket.recorded().empty()) policy.report(ticket, outcomes_of(setup.policy, ticket, row));
  }
  std::vector<double> sums(kArms, 0);
  std::vector<double> counts(kArms, 0);
  for (const auto& [slot, n, released] : events) {
    for (std::size_t i = 0; i < released.values.size(); ++i) {
      const std::size_t arm = slot.arm == kAllArms ? i : static_cast<std::size_t>(slot.arm);
      sums[arm] += released.values[i].value();
      counts[arm] += static_cast<double>(n);
    }
  }
  const auto shown = policy.show();
  for (std::size_t arm = 0; arm < kArms; ++arm) {
    EXPECT_EQ(shown[arm].n, counts[arm]);
    if (counts[arm] > 0) {
      EXPECT_DOUBLE_EQ(shown[arm].mean, sums[arm] / counts[arm]);
    }
  }
}

TEST_P(EveryHeldPolicy, GoesOnAsIfNothingHadHappenedWhenSavedAndRestored) {
  const live::Setup setup = setup_of(GetParam(), 5, 0.25);
  const random::SimulationKey key(3, setup.policy, "saved", 0);
  const auto rows = table_of_outcomes(3);
  const auto play = [&](const std::set<Round>& saved_at) {
    Policy policy = Policy::rehearsal(setup, key);
    Users users(setup, key, Arithmetic::kExact);
    Seen seen;
    std::vector<Ticket> waiting;  // answered three rounds later, through their texts
    for (Round t = 1; t <= kRounds; ++t) {
      if (saved_at.contains(t)) {
        const std::string state = policy.save(sealing_key());
        policy = Policy::rehearsal(setup, key);
        policy.load(state, sealing_key());
      }
      waiting.push_back(policy.choose());
      seen.note(policy, waiting.back());
      if (waiting.size() <= 3) continue;
      users.answer(policy, Ticket::from_text(waiting.front().text()),
                   rows[static_cast<std::size_t>(waiting.front().number() - 1)]);
      waiting.erase(waiting.begin());
    }
    return seen;
  };
  auto stream = random::SimulationKey(9, "live", "saved", 0).stream(random::Purpose::kDelays);
  std::set<Round> at;
  while (at.size() < 20) at.insert(1 + random::uniform_index(stream, static_cast<int>(kRounds)));
  const Seen whole = play({});
  const Seen interrupted = play(at);
  ASSERT_EQ(whole.actions, interrupted.actions);
  ASSERT_EQ(whole.shown, interrupted.shown);
}

TEST_P(EveryHeldPolicy, ShowsWhatItLearned) {
  live::Setup setup = setup_of(GetParam(), 0);
  constexpr Round kMost = 20000;  // the first epoch of dp-se takes some 6000
  if (setup.horizon) setup.horizon = kMost;
  if (releases_only_who_leads(setup)) GTEST_SKIP() << "knows no arm by itself";
  const random::SimulationKey key(3, setup.policy, "shown", 0);
  Policy policy = Policy::rehearsal(setup, key, Arithmetic::kExact);
  Users users(setup, key, Arithmetic::kExact);
  const auto rows = table_of_outcomes(5);
  const auto knows_of_an_arm = [&] {
    const auto shown = policy.show();
    return std::any_of(shown.begin(), shown.end(), [](const ArmView& arm) { return arm.n > 0; });
  };
  for (std::size_t t = 0; t < kMost && !knows_of_an_arm(); ++t) {
    users.answer(policy, policy.choose(), rows[t % rows.size()]);
  }
  EXPECT_TRUE(knows_of_an_arm()) << "a learner without show()";
}

/// Every way in which a number might lie about in a file.
std::vector<std::string> writings_of(double value) {
  std::vector<std::string> texts;
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", value);
  texts.emplace_back(text, 8);
  StateWriter hex;
  hex(value);
  texts.push_back(hex.text());
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  texts.emplace_back(bytes, sizeof bytes);
  const Sum::Integer units = Sum(Outcome::nearest(value)).steps(Outcome::kFractionBits);
  char words[8];
  std::memcpy(words, &units, sizeof words);
  texts.emplace_back(words, sizeof words);
  return texts;
}

TEST_P(EveryHeldPolicy, LeavesNoSecretInTheClearInWhatItSaves) {
  if (!by_slot(GetParam())) GTEST_SKIP() << "reports are public";
  const live::Setup setup = setup_of(GetParam(), 1000);  // nothing is released
  Policy policy(setup);
  const double odd = 0.731946280317;
  const Ticket ticket = policy.choose();
  policy.report(ticket,
                std::vector<double>(
                    ticket.recorded()[0] == kAllArms ? kArms : ticket.recorded().size(), odd));
  const std::string before = policy.save(sealing_key());
  for (const std::string& writing : writings_of(odd))
    EXPECT_EQ(before.find(writing), std::string::npos);
  // And the state says the same in the clear whether somebody has answered or not.
  const auto in_the_clear = [](const std::string& state) {
    return state.substr(0, state.rfind("\nsealed "));
  };
  Policy again = Policy::restore(setup, before, sealing_key(), policy.releases());
  const std::string unanswered = again.save(sealing_key());
  again.report(ticket,
               std::vector<double>(
                   ticket.recorded()[0] == kAllArms ? kArms : ticket.recorded().size(), 1.0));
  EXPECT_EQ(in_the_clear(again.save(sealing_key())), in_the_clear(unanswered));
  EXPECT_EQ(again.save(sealing_key()).size(), unanswered.size()) << "nor does its length";
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryHeldPolicy, ::testing::ValuesIn(held_variants()),
                         name_of_suite);

}  // namespace
}  // namespace tacit::live
