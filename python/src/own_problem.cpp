#include "own_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include "arrays.hpp"
#include "errors.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace py = pybind11;

namespace tacit::python {

using privacy::Secret;
using privacy::SecretVector;

namespace {

constexpr double kError = 1e-12;  // of a run: of a million together 1e-6
// Means that are rounded to three digits are right.
constexpr double kRounding = 5e-4;

/// Whether the sum of n draws less their mean is beyond what it exceeds at some n with probability at most `error`, where
/// draws are in [0, 1]: the normal mixture bound of Robbins (1970) with Hoeffding's variance, tightest at about 100 draws.
bool is_beyond_chance(double above_mean, double n, double error) {
  constexpr double kVariance = 0.25, kAtFirst = 25;
  const double spread = n * kVariance + kAtFirst;
  const double off = std::max(0.0, std::abs(above_mean) - kRounding * n);
  if (off * off <= spread) return false;  // as good as always
  return off * off > spread * (std::log(spread / kAtFirst) - 2 * std::log(error));
}

}  // namespace

OwnProblem::OwnProblem(py::object drawn_by, std::string name, std::vector<double> means)
    : drawn_by_(std::move(drawn_by)),
      draw_(drawn_by_.attr("draw")),
      draws_many_(py::hasattr(drawn_by_, "draw_many")),
      draws_all_(py::hasattr(drawn_by_, "draw_all")),
      drifts_(py::getattr(drawn_by_, "drifts", py::bool_(false)).cast<bool>()),
      name_(std::move(name)),
      drawn_(means.size()) {
  if (draws_many_) draw_many_ = drawn_by_.attr("draw_many");
  if (draws_all_) draw_all_ = drawn_by_.attr("draw_all");
  set_means(std::move(means));
}

std::shared_ptr<const problems::Problem> OwnProblem::draw_environment(
    random::SimulationStream& stream) const {
  auto own = std::make_shared<OwnProblem>(drawn_by_, name_, means());
  py::list words;
  for (int i = 0; i < 2; ++i) words.append(py::int_(stream()));
  own->generator_ = py::module_::import("numpy.random").attr("default_rng")(words);
  return own;
}

double OwnProblem::outcome_of(py::handle value, const char* method) const {
  const double x = PyFloat_AsDouble(value.ptr());
  if (x == -1 && PyErr_Occurred() != nullptr) {
    clear_type_error();
    refuse_type(fmt::format("{}.{}", name_, method), "an outcome in [0, 1]", value);
  }
  return checked(x, method);
}

double OwnProblem::checked(double x, const char* method) const {
  if (!(x >= 0 && x <= 1)) {
    throw InvalidParameter(name_, method, fmt::format("{}", x), "must give outcomes in [0, 1]");
  }
  return x;
}

void OwnProblem::note(Arm arm, double sum, Round n, const char* method) const {
  if (drifts_) return;
  const auto index = static_cast<std::size_t>(arm);
  const double mean = means()[index];
  Drawn& drawn = drawn_[index];
  drawn.n += n;
  drawn.above_mean += sum - static_cast<double>(n) * mean;
  const auto rounds = static_cast<double>(drawn.n);
  const double error = kError / static_cast<double>(drawn_.size());
  if (!is_beyond_chance(drawn.above_mean, rounds, error)) return;
  throw InvalidParameter(
      name_, method,
      fmt::format("{:.4g} on average of arm {} in {} rounds", mean + drawn.above_mean / rounds, arm,
                  drawn.n),
      fmt::format("must have the mean that means says, {:.4g}, in every round: regret is measured "
                  "by it. A world that changes can be played as a table, with "
                  "Problem.from_outcomes(), against its best arm; or it says drifts = True, and "
                  "regret is by its means all the same",
                  mean));
}

Outcome OwnProblem::draw(Arm arm, Round t) const {
  const double x = outcome_of(draw_(arm, t, generator_), "draw");
  note(arm, x, 1, "draw");
  return Outcome::nearest(x);
}

std::vector<Outcome> OwnProblem::draw_row(Round t) const {
  std::vector<Outcome> row;
  if (!draws_all_) {
    for (Arm arm = 0; arm < arms(); ++arm) row.push_back(draw(arm, t));
    return row;
  }
  std::vector<double> drawn;
  const py::object values = draw_all_(t, generator_);
  for (const py::handle value : values) {
    drawn.push_back(outcome_of(value, "draw_all"));
    if (drawn.size() > means().size()) break;  // and is refused
  }
  if (drawn.size() != means().size()) {
    throw InvalidParameter(name_, "draw_all", fmt::format("{} outcomes", drawn.size()),
                           fmt::format("must give one for each of the {} arms", arms()));
  }
  for (Arm arm = 0; arm < arms(); ++arm) {
    const double x = drawn[static_cast<std::size_t>(arm)];
    note(arm, x, 1, "draw_all");
    row.push_back(Outcome::nearest(x));
  }
  return row;
}

Outcome OwnProblem::of_arm(Arm arm, Round t) const {
  return draws_all_ ? draw_row(t)[static_cast<std::size_t>(arm)] : draw(arm, t);
}

bool OwnProblem::attracts(Outcome outcome) const {
  const double x = outcome.value();
  if (x != 0 && x != 1) {
    throw InvalidParameter(name_, "draw", fmt::format("{}", x),
                           "must be 0 or 1 for an item of a list: it attracts, or it does not");
  }
  return x == 1;
}

double OwnProblem::click_chance(std::span<const Arm> list) const {
  if (draws_all_) {
    throw InvalidParameter(Option{"problem"}, name_,
                           "draws all arms of a round together, so that nobody knows how good a "
                           "ranked list is: lists need draw(arm, t, rng)");
  }
  return Problem::click_chance(list);
}

Secret<Outcome> OwnProblem::draw_outcome(Arm arm, Round t, random::SimulationStream&) const {
  return Secret<Outcome>(of_arm(arm, t));
}

Secret<Sum> OwnProblem::draw_sum(Arm arm, Round t, Round n, random::SimulationStream&) const {
  Sum sum;
  if (draws_many_ && !draws_all_ && n > 1) {
    const Doubles values = Doubles::ensure(draw_many_(arm, t, n, generator_));
    if (!values) throw py::error_already_set();
    if (values.size() != n) {
      throw InvalidParameter(name_, "draw_many", fmt::format("{} outcomes", values.size()),
                             fmt::format("must give as many as it is asked for, {}", n));
    }
    double total = 0;
    for (py::ssize_t i = 0; i < values.size(); ++i) {
      const double x = checked(values.data()[i], "draw_many");
      sum += Sum(Outcome::nearest(x));
      total += x;
    }
    note(arm, total, n, "draw_many");
    return Secret<Sum>(sum);
  }
  for (Round i = 0; i < n; ++i) {
    sum += Sum(of_arm(arm, t + i));
  }
  return Secret<Sum>(sum);
}

void OwnProblem::draw_outcomes(std::span<const Arm> arms, Round t, random::SimulationStream&,
                               SecretVector<Outcome>& outcomes) const {
  const std::vector<Outcome> row = draws_all_ ? draw_row(t) : std::vector<Outcome>{};
  for (std::size_t i = 0; i < arms.size(); ++i) {
    outcomes.set(
        i, Secret<Outcome>(draws_all_ ? row[static_cast<std::size_t>(arms[i])] : draw(arms[i], t)));
  }
}

void OwnProblem::draw_sums(std::span<const Arm> arms, Round t, Round n,
                           random::SimulationStream& stream, SecretVector<Sum>& sums) const {
  if (!draws_all_) {
    for (std::size_t i = 0; i < arms.size(); ++i) sums.set(i, draw_sum(arms[i], t, n, stream));
    return;
  }
  std::vector<Sum> all(arms.size());
  for (Round round = t; round < t + n; ++round) {
    const std::vector<Outcome> row = draw_row(round);
    for (std::size_t i = 0; i < arms.size(); ++i) {
      all[i] += Sum(row[static_cast<std::size_t>(arms[i])]);
    }
  }
  for (std::size_t i = 0; i < arms.size(); ++i) sums.set(i, Secret<Sum>(all[i]));
}

void OwnProblem::draw_all_sums(Round t, Round n, random::SimulationStream& stream,
                               SecretVector<Sum>& sums) const {
  std::vector<Arm> every(means().size());
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = static_cast<Arm>(i);
  draw_sums(every, t, n, stream, sums);
}

Secret<Stop> OwnProblem::draw_stop(std::span<const Arm> list, Round t,
                                   random::SimulationStream&) const {
  int position = 0;
  for (const Arm item : list) {
    if (attracts(draw(item, t))) break;
    ++position;
  }
  return Secret<Stop>(Stop{position});
}

Secret<Outcome> OwnProblem::draw_click(Arm item, Round t, random::SimulationStream&) const {
  return Secret<Outcome>(Outcome::bit(attracts(draw(item, t))));
}

Secret<Sum> OwnProblem::draw_click_sum(Arm item, Round t, Round n,
                                       random::SimulationStream&) const {
  Sum sum;
  for (Round i = 0; i < n; ++i) sum += Sum(Outcome::bit(attracts(draw(item, t + i))));
  return Secret<Sum>(sum);
}

}  // namespace tacit::python
