// A simulation as people write it down, on the command line, in an experiment or in a request to a service, and
// how it becomes one that can be run:
//
//   specs::request({.problem = {.name = "hu-linear"},
//                   .policy = "anytime-lazy-ucb",
//                   .epsilon = "0.5",
//                   .horizon = "1e6",
//                   .runs = "40"})
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/simulation/simulate.hpp"
#include "tacit/specs/problem_catalogue.hpp"

namespace tacit::specs {

/// Every value as text, by the name that the command line gives it.
struct RequestText {
  ProblemText problem = {};
  std::string policy = {};
  std::vector<policies::ParameterValue> parameters = {};
  std::optional<std::string> feedback = {};  // the policy's own, or it is refused
  std::optional<std::string> epsilon = {};   // needed by private policies, dropped by others
  std::optional<std::string> delta = {};     // dropped by policies that have no use for it
  std::string horizon = {};
  std::string runs = {};
  std::string seed = "1";
  std::string checkpoints = "log:50";
  std::string noise = "ideal";            // or exact
  std::string against = "oracle";         // what regret on sets is measured against; or best
  std::optional<std::string> delay = {};  // of answers: N, geometric:N or geometric:N:WAIT rounds
  bool plain = false;
  std::optional<std::string> intervals = {};  // alpha: how often one may ever miss
  /// To identify the best arms: the error that a recommendation may have, or a budget of rounds; then there is no horizon.
  std::optional<std::string> error = {}, budget = {};
  std::optional<std::string> most = {};  // samples after which it gives up; none unless given
  std::optional<std::string> top = {};   // how many arms are to be found; 1 unless given
  /// A policy that is in no catalogue, in the place of what is found there by the policy's name.
  std::shared_ptr<const policies::Entry> own_entry = nullptr;
};

/// What was read, and what a request does not remember.
struct ReadRequest {
  simulation::Request request;  // with one thread
  std::string actions;          // as given
  std::optional<privacy::Guarantee> environment = {};
  std::vector<std::string> arm_names = {};  // empty: they have numbers
};

/// Reads requests one after the other. A problem that several share is made once: a file may be large, and a
/// released environment must be the same for all that play on it.
class RequestReader {
 public:
  /// Throws InvalidParameter that names the option. What passes can be simulated.
  ReadRequest read(const RequestText& text);

 private:
  std::map<ProblemText, ChosenProblem> problems_;
};

/// One alone.
ReadRequest request(const RequestText& text);
/// On a problem that is made already; text.problem is what it was made from, for complaints.
ReadRequest request_on(const ChosenProblem& chosen, const RequestText& text);

}  // namespace tacit::specs
