// A learner: the public half of a policy. It chooses, is told which slots its choices filled, and gets what a
// curator released or users' devices reported. It owns public dice and cannot name a Secret: no header of this
// room, nor of indices, actions and estimators, reaches privacy/secret.hpp (tests/layers).
//
// The contract, which every class called ...Learner keeps:
//   start    takes every arm's raw outcome before the first round: only who says kStartsFromRawOutcomes
//   choose   answers for round t with arms that are eligible, up to `until` (t, where it does not skip); the
//            answer's slots are where its outcomes belong
//   assign   n choices took this slot: how many it holds when they fill it, else 0. Who counts phases counts
//            them here, by choices, never by answers
//   seal     ends a slot early: how many it holds, or 0 when it is empty or gone. Optional: budgets
//            that end ask for it
//   deliver  a full slot came out, of an arm in order, each once
//   take     the reports on a choice came in, in any order
//   show     what is known of an arm in public; who has a book shows the book's
//   verdict  the arms that it found best, once it is as sure as it was asked to be; from then on it plays the first of them.
//            Empty before. Optional: who identifies has one
//   Feedback, recorded()   what a round contains, and how many outcomes of it are recorded at most
//   state    the public state, to be written or read
// A learner has assign() and deliver(), or take(), as its plan (curators/plans.hpp) says.
// Simulation loops over the concrete class, so that nothing is virtual there; who holds a policy by name (live/)
// holds this one.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "tacit/core/state.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/privacy/released.hpp"

namespace tacit::policies {

using Values = std::span<const privacy::Released<double>>;

/// What is known of an arm in public.
struct View {
  double sum = 0;       // released, with its noise
  double n = 0;         // observations behind it
  int noises = 0;       // noise terms in it
  Round under_way = 0;  // choices in full slots that are not released yet
};

/// Of a book.
template <class Book>
View view_of(const Book& book, Arm arm) {
  const auto& released = book.released(arm);
  return {released.sum, released.n, released.noises, book.under_way(arm)};
}

/// Whether it begins with every arm's outcome of a user before the first, as it is.
template <class Learner>
inline constexpr bool kStartsFromRawOutcomes = requires {
  Learner::kStartsFromRawOutcomes;
};

class Learner {
 public:
  virtual ~Learner() = default;
  virtual bool starts_from_raw_outcomes() const = 0;
  virtual void start(Arm arm, const privacy::Released<double>& outcome) = 0;
  virtual void choose(const Situation& situation, Choice& choice) = 0;
  virtual Round assign(Slot slot, Round n) = 0;
  virtual Round seal(Slot slot) = 0;
  virtual void deliver(Slot slot, Values values, Round n, int noises) = 0;
  virtual void take(const Choice& choice, Values reports) = 0;
  virtual int recorded() const = 0;
  virtual View show(Arm arm) const = 0;
  virtual std::span<const Arm> verdict() const { return {}; }
  virtual void save(StateWriter& writer) const = 0;
  virtual void load(StateReader& reader) = 0;
};

template <class Concrete>
concept FillsSlots = requires(Concrete& learner, Slot slot, Values values) {
  learner.assign(slot, Round{1});
  learner.deliver(slot, values, Round{1}, 1);
};
template <class Concrete>
concept TakesReports = requires(Concrete& learner, const Choice& choice, Values reports) {
  learner.take(choice, reports);
};

template <class Concrete>
class LearnerOf final : public Learner {
  static_assert(tacit::detail::HasState<Concrete, StateWriter>,
                "a learner has state(archive): core/state.hpp");
  static_assert(FillsSlots<Concrete> || TakesReports<Concrete>,
                "a learner has assign() and deliver(), or take(): the contract above");

 public:
  explicit LearnerOf(Concrete learner) : learner_(std::move(learner)) {}

  bool starts_from_raw_outcomes() const override { return kStartsFromRawOutcomes<Concrete>; }
  void start(Arm arm, const privacy::Released<double>& outcome) override {
    if constexpr (kStartsFromRawOutcomes<Concrete>) learner_.start(arm, outcome);
  }
  void choose(const Situation& situation, Choice& choice) override {
    learner_.choose(situation, choice);
  }
  Round assign(Slot slot, Round n) override {
    if constexpr (requires { learner_.assign(slot, n); }) return learner_.assign(slot, n);
    return 0;
  }
  Round seal(Slot slot) override {
    if constexpr (requires { learner_.seal(slot); }) return learner_.seal(slot);
    return 0;
  }
  void deliver(Slot slot, Values values, Round n, int noises) override {
    if constexpr (requires { learner_.deliver(slot, values, n, noises); }) {
      learner_.deliver(slot, values, n, noises);
    }
  }
  void take(const Choice& choice, Values reports) override {
    if constexpr (requires { learner_.take(choice, reports); }) learner_.take(choice, reports);
  }
  int recorded() const override { return learner_.recorded(); }
  View show(Arm arm) const override {
    if constexpr (requires { learner_.show(arm); }) return learner_.show(arm);
    return {};
  }
  std::span<const Arm> verdict() const override {
    if constexpr (requires { learner_.verdict(); }) return learner_.verdict();
    return {};
  }
  void save(StateWriter& writer) const override { writer(learner_); }
  void load(StateReader& reader) override { reader(learner_); }

 private:
  Concrete learner_;
};

template <class Concrete>
std::unique_ptr<Learner> held(Concrete learner) {
  return std::make_unique<LearnerOf<Concrete>>(std::move(learner));
}

}  // namespace tacit::policies
