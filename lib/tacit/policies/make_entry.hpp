// A catalogue entry made of a recipe. A recipe is a struct with
//   kCard                             name, title, paper, feedback, trust, what the paper promises
//   Parameters                        with fields() (setting.hpp), and anytime() where that depends on them
//   plan(setting, parameters)         its curator, or its users' devices, as numbers (curators/plans.hpp)
//   learner(setting, parameters, dice)  its public half (learner.hpp); or with_learner(..., use), which calls
//                                     use(learner), where the learner's class depends on a parameter
//   kErrorParameter                   only who identifies: the parameter that its recommendation's error is
#pragma once

#include <utility>
#include <vector>

#include "tacit/policies/catalogue.hpp"

namespace tacit::policies {

/// use(learner) of the recipe, whatever its class.
template <class Recipe, class Use>
auto with_learner(const Setting& s, const typename Recipe::Parameters& p, const random::Dice& dice,
                  Use use) {
  if constexpr (requires { Recipe::with_learner(s, p, dice, use); }) {
    return Recipe::with_learner(s, p, dice, use);
  } else {
    return use(Recipe::learner(s, p, dice));
  }
}

template <class Recipe>
curators::Movement movement_of(const Setting& s, const typename Recipe::Parameters& p) {
  return with_learner<Recipe>(s, p, random::Dice::numbered(0), [](const auto& learner) {
    using Feedback = typename std::remove_cvref_t<decltype(learner)>::Feedback;
    static_assert(Feedback::kKind == Recipe::kCard.feedback, "the card says something else");
    return curators::Movement{Feedback::sensitivity(learner.recorded()),
                              Feedback::moves(learner.recorded())};
  });
}

template <class Recipe>
typename Recipe::Parameters parameters_of(const Entry::Given& given) {
  return read_parameters<typename Recipe::Parameters>(Recipe::kCard.name, given);
}

template <class Recipe>
Entry make_entry() {
  using Parameters = typename Recipe::Parameters;
  using Given = Entry::Given;
  bool raw = false;
  if constexpr (requires { typename Recipe::Learner; })
    raw = kStartsFromRawOutcomes<typename Recipe::Learner>;
  const char* error = nullptr;
  if constexpr (requires { Recipe::kErrorParameter; }) error = Recipe::kErrorParameter;
  return {.card = Recipe::kCard,
          .starts_from_raw_outcomes = raw,
          .error_parameter = error,
          .guarantee =
              [](const Setting& s, const Given& given, privacy::Arithmetic arithmetic) {
                const Parameters p = parameters_of<Recipe>(given);
                return Recipe::plan(s, p).guarantee(movement_of<Recipe>(s, p), arithmetic);
              },
          .anytime =
              [](const Given& given) {
                const Parameters p = parameters_of<Recipe>(given);
                if constexpr (requires { p.anytime(); }) {
                  return p.anytime();
                } else {
                  return Recipe::kCard.anytime;
                }
              },
          .parameters =
              [](const Given& given) { return list_parameters(parameters_of<Recipe>(given)); },
          .plan =
              [](const Setting& s, const Given& given) {
                return curators::Plan(Recipe::plan(s, parameters_of<Recipe>(given)));
              },
          .learner =
              [](const Setting& s, const Given& given, const random::Dice& dice) {
                return with_learner<Recipe>(s, parameters_of<Recipe>(given), dice,
                                            [](auto learner) -> std::unique_ptr<Learner> {
                                              return held(std::move(learner));
                                            });
              }};
}

}  // namespace tacit::policies
