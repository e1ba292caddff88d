// A recipe, ready to run: what every file of loops/ instantiates for its own.
#pragma once

#include <cstdint>
#include <type_traits>
#include <variant>

#include "tacit/policies/make_entry.hpp"
#include "tacit/simulation/channel.hpp"
#include "tacit/simulation/engine.hpp"
#include "tacit/simulation/prepared.hpp"

namespace tacit::simulation {

template <class Recipe>
class SimulatorOf final : public Prepared {
  using Rule = std::conditional_t<Recipe::kCard.plays_sets(), ValueOfSets, PullsTimesGap>;

 public:
  /// The entry of a recipe that is in no catalogue is made by policies::make_entry().
  explicit SimulatorOf(const Request& request,
                       const policies::Entry& entry = policies::entry_of<Recipe>())
      : Prepared(request, entry),
        parameters_(policies::parameters_of<Recipe>(request.parameters)) {}

 private:
  std::int64_t play(const Backstage& behind, const Stage& stage,
                    AnyRecorder recorder) const override {
    auto between = channel(Recipe::plan(setting(), parameters_), stage.problem.arms(), behind);
    return policies::with_learner<Recipe>(
        setting(), parameters_, random::Dice(behind.key), [&](auto learner) {
          return Engine(learner, between, stage).play(*std::get<Recorder<Rule>*>(recorder));
        });
  }

  typename Recipe::Parameters parameters_;
};

}  // namespace tacit::simulation
