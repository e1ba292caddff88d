#include "tacit/specs/requests.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/problems/environment_private.hpp"
#include "tacit/simulation/checkpoints.hpp"
#include "tacit/specs/values.hpp"

namespace tacit::specs {
namespace {

privacy::Arithmetic read_noise(const std::string& text) {
  if (text == "ideal") return privacy::Arithmetic::kIdealised;
  if (text == "exact") return privacy::Arithmetic::kExact;
  throw InvalidParameter(Option{"noise"}, text, "must be ideal (doubles) or exact (integers)");
}

simulation::Against read_against(const std::string& text) {
  for (const auto against : {simulation::Against::kOracle, simulation::Against::kBest}) {
    if (text == simulation::name_of(against)) return against;
  }
  throw InvalidParameter(
      Option{"against"}, text,
      "must be oracle (what the search for sets promises) or best (the best set there is)");
}

void check_feedback(const RequestText& text, const policies::Card& card) {
  if (!text.feedback || read_feedback(*text.feedback) == card.feedback) return;
  throw InvalidParameter(
      Option{"feedback"}, *text.feedback,
      fmt::format("{} needs feedback {}", card.name, feedback::name_of(card.feedback)));
}

/// With its horizon: the budget, or the most samples.
void read_goal(const RequestText& text, simulation::Request& request) {
  if (text.error && text.budget) {
    throw InvalidParameter(Option{"budget"}, *text.budget,
                           "a budget is played to its end, whatever --error is: give one of them");
  }
  if (text.most && text.budget) {
    throw InvalidParameter(Option{"most"}, *text.most,
                           "a budget is played to its end: leave it out");
  }
  const Round least = request.problem->arms();
  simulation::Goal goal;
  if (text.top) {
    goal.top =
        static_cast<int>(read_integer(Option{"top"}, *text.top, 1, std::max<Round>(least - 1, 1)));
  }
  if (text.budget) {
    goal.budget = true;
    request.horizon = read_integer(Option{"budget"}, *text.budget, least, kLastRound);
  } else {
    goal.error = read_share(Option{"error"}, *text.error);
    request.horizon =
        text.most ? read_integer(Option{"most"}, *text.most, least, kLastRound) : kLastRound;
  }
  request.goal = goal;
  request.checkpoints = {1,
                         request.horizon};  // two numbers a run: whether it is wrong, its samples
}

const policies::Card& card_of(const RequestText& text) {
  return text.own_entry ? text.own_entry->card : policies::find_policy(text.policy).card;
}

simulation::Request read_values(const RequestText& text, const policies::Card& card,
                                const ChosenProblem& chosen) {
  simulation::Request request;
  request.arithmetic = read_noise(text.noise);
  request.against = read_against(text.against);
  request.runs = read_integer(Option{"runs"}, text.runs, 1, 100000000);
  request.seed = static_cast<std::uint64_t>(read_integer(Option{"seed"}, text.seed, 0, kLastRound));
  request.problem = chosen.problem;
  request.actions = chosen.actions;
  request.environment_epsilon = chosen.environment_epsilon;
  // What is played back is looked back on: against the best, whatever an oracle promises.
  if (chosen.problem->playback() != nullptr) request.against = simulation::Against::kBest;
  if (text.error || text.budget) {
    read_goal(text, request);
  } else {
    request.horizon = read_integer(Option{"horizon"}, text.horizon, 1, kLastRound);
    request.checkpoints = simulation::parse_checkpoints(text.checkpoints, request.horizon);
  }
  if (text.intervals) request.intervals = read_share(Option{"intervals"}, *text.intervals);
  request.pace = text.plain ? policies::Pace::kPlain : policies::Pace::kSkipping;
  if (text.delay) request.delay = simulation::Delay::parse(*text.delay);
  if (text.epsilon) request.epsilon = read_positive(Option{"epsilon"}, *text.epsilon);
  if (text.delta) request.delta = read_share(Option{"delta"}, *text.delta);
  check_feedback(text, card);
  request.policy = text.policy;
  request.own_entry = text.own_entry;
  request.parameters = text.parameters;
  if (card.trust == policies::Trust::kNone) request.epsilon.reset();
  if (!card.takes_delta) request.delta.reset();
  return request;
}

}  // namespace

ReadRequest RequestReader::read(const RequestText& text) {
  card_of(text);  // what is wrong with the policy is said first: a problem may take long to read
  auto found = problems_.find(text.problem);
  if (found == problems_.end()) {
    found = problems_.emplace(text.problem, problem(text.problem)).first;
  }
  return request_on(found->second, text);
}

ReadRequest request_on(const ChosenProblem& chosen, const RequestText& text) {
  ReadRequest read{read_values(text, card_of(text), chosen), chosen.actions_text,
                   chosen.environment, chosen.arm_names};
  if (const auto& epsilon = read.request.environment_epsilon) {
    read.environment =
        problems::guarantee_of_runs(*read.request.problem, *epsilon, read.request.runs);
  }
  try {
    simulation::prepare(read.request);
  } catch (const actions::UnfitActions& error) {
    refuse_actions(text.problem, error);
  }
  return read;
}

ReadRequest request(const RequestText& text) { return RequestReader().read(text); }

}  // namespace tacit::specs
