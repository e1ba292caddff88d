#include "own_policy.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "arms.hpp"
#include "errors.hpp"
#include "tacit/core/check.hpp"
#include "tacit/specs/values.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

using feedback::Kind;

py::array_t<double> numbers_of(policies::Values values) {
  py::array_t<double> array(static_cast<py::ssize_t>(values.size()));
  double* out = array.mutable_data();
  for (const auto& value : values) *out++ = value.value();
  return array;
}

/// One run's.
class OwnLearner final : public policies::Learner {
 public:
  OwnLearner(py::object policy, std::string name, Kind feedback, const policies::Setting& setting)
      : policy_(std::move(policy)),
        choose_(policy_.attr("choose")),
        learn_(policy_.attr("learn")),
        name_(std::move(name)),
        feedback_(feedback),
        arms_(setting.arms),
        size_(setting.actions ? setting.actions->size() : 1),
        any_k_(setting.actions && setting.actions->structure() == actions::Structure::kAnyK),
        actions_(setting.actions) {}

  bool starts_from_raw_outcomes() const override { return false; }
  void start(Arm, const privacy::Released<double>&) override {}

  void choose(const policies::Situation& situation, policies::Choice& choice) override {
    const py::object answer = choose_(situation.t);
    if (feedback_ == Kind::kBandit || feedback_ == Kind::kFull) {
      const Arm arm = arm_of(answer);
      choice.one(arm, {feedback_ == Kind::kFull ? kAllArms : arm, 0}, situation.t);
      return;
    }
    const std::vector<Arm> arms =
        arms_in(answer, (name_ + ".choose").c_str(), static_cast<std::size_t>(arms_));
    for (const Arm arm : arms) check_arm(arm);
    check_set(arms);
    choice.set(arms, situation.t);
    for (const Arm arm : arms) choice.record({arm, 0});
  }
  Round assign(Slot, Round) override { return 0; }
  Round seal(Slot) override { return 0; }
  void deliver(Slot, policies::Values, Round, int) override {}
  void take(const policies::Choice& choice, policies::Values reports) override {
    switch (feedback_) {
      case Kind::kBandit: learn_(choice.arm(), reports[0].value()); return;
      case Kind::kFull: learn_(choice.arm(), numbers_of(reports)); return;
      case Kind::kSemi:
      case Kind::kCascade: break;
    }
    learn_(py::array_t<Arm>(static_cast<py::ssize_t>(choice.arms().size()), choice.arms().data()),
           numbers_of(reports));
  }
  int recorded() const override { return feedback_ == Kind::kFull ? arms_ : size_; }
  policies::View show(Arm) const override { return {}; }
  void save(StateWriter&) const override {}
  void load(StateReader&) override {}

 private:
  Arm arm_of(py::handle given) const {
    const Arm arm = arm_in(given, (name_ + ".choose").c_str());
    check_arm(arm);
    return arm;
  }
  void check_arm(Arm arm) const {
    if (arm >= 0 && arm < arms_) return;
    throw InvalidParameter(name_, "choose", fmt::format("{}", arm),
                           fmt::format("must answer with an arm from 0 to {}", arms_ - 1));
  }
  void check_set(const std::vector<Arm>& arms) const {
    std::vector<Arm> sorted = arms;
    std::sort(sorted.begin(), sorted.end());
    const bool distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    const auto size = static_cast<std::size_t>(size_);
    if (distinct && (any_k_ ? arms.size() == size : may_be_played(sorted))) return;
    throw InvalidParameter(
        name_, "choose", fmt::format("{}", fmt::join(arms, ",")),
        any_k_ ? fmt::format("must answer with {} different arms", size_)
               : fmt::format("must answer with a set that may be played: {}", actions_->name()));
  }
  /// As far as that is known: where sets can be gone through.
  bool may_be_played(const std::vector<Arm>& sorted) const {
    constexpr std::size_t kMost = 100000;
    if (!sets_known_) {
      for (std::vector<Arm> set : actions_->all(kMost)) {
        std::sort(set.begin(), set.end());
        sets_.push_back(std::move(set));
      }
      std::sort(sets_.begin(), sets_.end());
      sets_known_ = true;
    }
    if (sets_.empty()) return !sorted.empty() && sorted.size() <= static_cast<std::size_t>(size_);
    return std::binary_search(sets_.begin(), sets_.end(), sorted);
  }

  py::object policy_, choose_, learn_;
  std::string name_;
  Kind feedback_;
  int arms_;
  int size_;
  bool any_k_;
  std::shared_ptr<const actions::ActionSet> actions_;
  mutable bool sets_known_ = false;
  mutable std::vector<std::vector<Arm>> sets_;
};

/// The entry, and what its card points to.
struct Guest {
  py::object make;
  std::string name;
  policies::Entry entry;
};

/// Its arithmetic is its own affair, and nobody here vouches for it.
privacy::Guarantee guarantee_of(const std::string& name, bool central,
                                const policies::Setting& setting) {
  if (!central) return {.because = "none claimed"};
  return {.notion = privacy::Notion::kCentral,
          .epsilon = policies::required_epsilon(name, setting),
          .because = "its author says so; nothing of it was computed"};
}

}  // namespace

std::shared_ptr<const policies::Entry> own_entry(const py::object& guest) {
  if (guest.is_none()) return nullptr;
  auto own = std::make_shared<Guest>();
  own->make = guest.attr("make");
  own->name = guest.attr("name").cast<std::string>();
  const Kind kind = specs::read_feedback(guest.attr("feedback").cast<std::string>());
  const bool central = guest.attr("central").cast<bool>();
  policies::Card card = central ? policies::central(own->name.c_str(), "", "a class in Python")
                                : policies::baseline(own->name.c_str(), "", "a class in Python");
  card.feedback = kind;
  Guest* const held = own.get();  // who has the entry has the guest
  own->entry = policies::Entry{
      .card = card,
      .starts_from_raw_outcomes = false,
      .error_parameter = nullptr,
      .guarantee = [held, central](
                       const policies::Setting& s, const policies::Entry::Given&,
                       privacy::Arithmetic) { return guarantee_of(held->name, central, s); },
      .anytime = [](const policies::Entry::Given&) { return true; },
      .parameters =
          [held](const policies::Entry::Given& given) -> std::vector<policies::ParameterInfo> {
        if (given.empty()) return {};
        throw InvalidParameter(Option{"param"}, given[0].name,
                               held->name +
                                   " is a class: give its parameters to it, with "
                                   "functools.partial");
      },
      .plan = [kind](const policies::Setting&, const policies::Entry::Given&) -> curators::Plan {
        if (kind == Kind::kCascade) return curators::OpenStopPlan{};
        return curators::ExactPlan{};
      },
      .learner = [held, kind](const policies::Setting& s, const policies::Entry::Given&,
                              const random::Dice& dice) -> std::unique_ptr<policies::Learner> {
        random::Dice own_dice = dice;
        const std::uint64_t seed = own_dice.decisions()();
        return std::make_unique<OwnLearner>(held->make(s.arms, seed, s.epsilon, s.delta, s.horizon,
                                                       s.actions ? s.actions->size() : 1),
                                            held->name, kind, s);
      },
      .is_its_own_curator = true};
  return {own, &own->entry};
}

}  // namespace tacit::python
