// What there is, what theory says of it, what it promises, and whether that is so.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>
#include <nlohmann/json.hpp>

#include "bindings.hpp"
#include "interruptible.hpp"
#include "json.hpp"
#include "own_policy.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/document.hpp"
#include "tacit/reports/audits/environment_audit.hpp"
#include "tacit/reports/audits/policy_audit.hpp"
#include "tacit/reports/documents/bounds.hpp"
#include "tacit/reports/documents/listing.hpp"
#include "tacit/specs/action_sets.hpp"
#include "tacit/specs/instances.hpp"
#include "tacit/specs/values.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

using Text = std::optional<std::string>;
using Values = std::vector<std::pair<std::string, std::string>>;

py::object bounds(const Text& name, const Text& means, const Text& prior, const Text& actions,
                  const Text& feedback, const Text& epsilon, const Text& delta,
                  const Text& steepness, const std::string& horizon) {
  return to_python(reports::bounds_json(specs::instance(
      {.problem = {.name = name, .means = means, .prior = prior, .actions = actions},
       .feedback = feedback,
       .epsilon = epsilon,
       .delta = delta,
       .steepness = steepness,
       .horizon = horizon})));
}

py::object guarantee(const std::string& policy, int arms, const Text& epsilon, const Text& delta,
                     const std::string& horizon, const Text& actions, const Values& params,
                     bool exact) {
  const policies::Entry& entry = policies::find_policy(policy);
  policies::Setting setting{
      .arms = arms,
      .epsilon = std::nullopt,
      .delta = std::nullopt,
      .horizon = specs::read_integer(Option{"horizon"}, horizon, 1, kLastRound)};
  if (arms < 1) throw InvalidParameter(Option{"arms"}, std::to_string(arms), "must be at least 1");
  if (epsilon) setting.epsilon = specs::read_positive(Option{"epsilon"}, *epsilon);
  if (delta) setting.delta = specs::read_share(Option{"delta"}, *delta);
  if (actions) setting.actions = specs::action_set(*actions, arms);
  std::vector<policies::ParameterValue> given;
  for (const auto& [name, value] : params) given.push_back({name, value});
  return to_python(lab::guarantee_json(entry.guarantee(
      setting, given, exact ? privacy::Arithmetic::kExact : privacy::Arithmetic::kIdealised)));
}

py::object audit(const Text& policy, const py::object& guest, const std::string& epsilon,
                 const Text& delta, const Text& notion, const Text& samples, const Text& rounds,
                 const std::string& seed, const Text& threads,
                 const std::vector<std::string>& params, bool exact, bool replay) {
  reports::AuditText text{.policy = policy.value_or(""),
                          .epsilon = epsilon,
                          .notion = notion.value_or(""),
                          .seed = seed,
                          .delta = delta,
                          .samples = samples,
                          .rounds = rounds,
                          .threads = threads,
                          .params = params,
                          .exact = exact,
                          .replay = replay,
                          .own_entry = own_entry(guest)};
  if (text.own_entry) {
    text.threads = "1";
    return to_python(reports::audit_json(reports::audit_policy(text)));
  }
  lab::Json found;
  interruptibly([&](const std::atomic<bool>& stop) {
    text.stop = &stop;
    found = text.notion == "environment" ? reports::audit_json(reports::audit_environment(text))
                                         : reports::audit_json(reports::audit_policy(text));
  });
  return to_python(found);
}

}  // namespace

void bind_catalogue(py::module_& m) {
  m.def("policies", [] { return to_python(reports::policies_json()); });
  m.def("problems", [] { return to_python(reports::problems_json()); });
  m.def("bounds", bounds, py::arg("name"), py::arg("means"), py::arg("prior"), py::arg("actions"),
        py::arg("feedback"), py::arg("epsilon"), py::arg("delta"), py::arg("steepness"),
        py::arg("horizon"));
  m.def("guarantee", guarantee, py::arg("policy"), py::arg("arms"), py::arg("epsilon"),
        py::arg("delta"), py::arg("horizon"), py::arg("actions"), py::arg("params"),
        py::arg("exact"));
  m.def("audit", audit, py::arg("policy"), py::arg("guest"), py::arg("epsilon"), py::arg("delta"),
        py::arg("notion"), py::arg("samples"), py::arg("rounds"), py::arg("seed"),
        py::arg("threads"), py::arg("params"), py::arg("exact"), py::arg("replay"));
}

}  // namespace tacit::python
