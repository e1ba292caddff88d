#include "problems.hpp"

#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "made.hpp"
#include "own_problem.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/problems/replay_matrix.hpp"
#include "tacit/problems/table.hpp"
#include "tacit/specs/action_sets.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

using Text = std::optional<std::string>;

Problem of_text(const Text& name, const Text& means, const Text& prior, const Text& rewards,
                const Text& actions, const Text& environment_epsilon,
                const Text& environment_regret) {
  const specs::ProblemText text{.name = name,
                                .means = means,
                                .prior = prior,
                                .rewards = rewards,
                                .actions = actions,
                                .environment_epsilon = environment_epsilon,
                                .environment_regret = environment_regret};
  const py::gil_scoped_release without_python;  // a file may be long
  return {specs::problem(text), text};
}

Problem with_actions(std::shared_ptr<const problems::Problem> problem, const Text& actions) {
  Problem made{{.problem = std::move(problem)}, {.actions = actions}};
  made.text.name = made.chosen.problem->name();
  if (actions) {
    made.chosen.actions = specs::action_set(*actions, made.chosen.problem->arms());
    made.chosen.actions_text = *actions;
  }
  return made;
}

/// Rows x arms, every number checked by `allowed`.
template <class Allowed>
void check_table(const char* argument, const Doubles& table, const char* requirement,
                 Allowed allowed) {
  if (table.ndim() != 2 || table.shape(0) == 0 || table.shape(1) == 0) {
    throw InvalidParameter(Option{argument}, fmt::format("{} dimensions", table.ndim()),
                           "must be a table: a row a round or user, a column an arm");
  }
  for (py::ssize_t i = 0; i < table.shape(0); ++i) {
    for (py::ssize_t j = 0; j < table.shape(1); ++j) {
      if (allowed(table.at(i, j))) continue;
      throw InvalidParameter(Option{argument}, fmt::format("row {}, column {}", i, j), requirement);
    }
  }
}

Problem of_outcomes(const Doubles& outcomes, const Text& actions) {
  check_table("outcomes", outcomes, "outcomes must be in [0, 1]",
              [](double x) { return x >= 0 && x <= 1; });
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(outcomes.shape(0)));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double* row = outcomes.data(static_cast<py::ssize_t>(i), 0);
    rows[i].assign(row, row + outcomes.shape(1));
  }
  return with_actions(std::make_shared<problems::Table>(rows), actions);
}

Problem of_users(const Doubles& bits, const Text& actions) {
  check_table("users", bits, "must be 0 or 1", [](double x) { return x == 0 || x == 1; });
  problems::BitMatrix matrix(static_cast<int>(bits.shape(0)), static_cast<int>(bits.shape(1)));
  for (py::ssize_t i = 0; i < bits.shape(0); ++i) {
    for (py::ssize_t j = 0; j < bits.shape(1); ++j) {
      if (bits.at(i, j) == 1) matrix.set(static_cast<int>(i), static_cast<int>(j));
    }
  }
  return with_actions(std::make_shared<problems::ReplayMatrix>(std::move(matrix)), actions);
}

Problem of_object(const py::object& object, const std::string& name,
                  const std::vector<double>& means, const Text& actions) {
  Problem made = with_actions(std::make_shared<OwnProblem>(object, name, means), actions);
  made.calls_python = true;
  return made;
}

}  // namespace

void bind_problems(py::module_& m) {
  py::class_<Problem>(m, "Problem", py::is_final())
      .def_static("of_text", of_text, py::arg("name"), py::arg("means"), py::arg("prior"),
                  py::arg("rewards"), py::arg("actions"), py::arg("environment_epsilon"),
                  py::arg("environment_regret"))
      .def_static("of_outcomes", of_outcomes, py::arg("outcomes"), py::arg("actions"))
      .def_static("of_users", of_users, py::arg("users"), py::arg("actions"))
      .def_static("of_object", of_object, py::arg("object"), py::arg("name"), py::arg("means"),
                  py::arg("actions"))
      .def_property_readonly("name",
                             [](py::handle p) { return made<Problem>(p).chosen.problem->name(); })
      .def_property_readonly("arms",
                             [](py::handle p) { return made<Problem>(p).chosen.problem->arms(); })
      .def_property_readonly("actions",
                             [](py::handle p) { return made<Problem>(p).chosen.actions_text; })
      .def_property_readonly("arm_names",
                             [](py::handle p) { return made<Problem>(p).chosen.arm_names; })
      .def_property_readonly("means", [](py::handle p) {
        const std::vector<double>& means = made<Problem>(p).chosen.problem->means();
        return py::array_t<double>(static_cast<py::ssize_t>(means.size()), means.data());
      });
}

}  // namespace tacit::python
