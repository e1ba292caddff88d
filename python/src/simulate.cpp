// simulate() and identify(): runs as rows of arrays, and what they come to.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <nlohmann/json.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"
#include "json.hpp"
#include "made.hpp"
#include "own_policy.hpp"
#include "problems.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/document.hpp"
#include "tacit/reports/documents/simulation.hpp"
#include "tacit/simulation/in_parallel.hpp"
#include "tacit/simulation/simulate.hpp"
#include "tacit/specs/requests.hpp"
#include "tacit/specs/values.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

using Text = std::optional<std::string>;

Text text_in(const py::dict& values, const char* name) {
  if (!values.contains(name) || values[name].is_none()) return std::nullopt;
  return values[name].cast<std::string>();
}

/// By the names that the command line has.
specs::RequestText request_text(const py::dict& values) {
  specs::RequestText text;
  text.policy = text_in(values, "policy").value_or("");
  text.feedback = text_in(values, "feedback");
  text.epsilon = text_in(values, "epsilon");
  text.delta = text_in(values, "delta");
  text.horizon = text_in(values, "horizon").value_or("");
  text.runs = text_in(values, "runs").value_or("");
  if (const Text seed = text_in(values, "seed")) text.seed = *seed;
  if (const Text given = text_in(values, "checkpoints")) text.checkpoints = *given;
  if (const Text noise = text_in(values, "noise")) text.noise = *noise;
  if (const Text against = text_in(values, "against")) text.against = *against;
  text.delay = text_in(values, "delay");
  text.plain = text_in(values, "plain").has_value();
  text.intervals = text_in(values, "intervals");
  text.error = text_in(values, "error");
  text.budget = text_in(values, "budget");
  text.most = text_in(values, "most");
  text.top = text_in(values, "top");
  if (values.contains("params")) {
    for (const auto& [name, value] : values["params"].cast<py::dict>()) {
      text.parameters.push_back({py::str(name), py::str(value)});
    }
  }
  return text;
}

void set_checkpoints(simulation::Request& request, const std::vector<Round>& checkpoints) {
  Round last = 0;
  for (const Round t : checkpoints) {
    if (t <= last || t > request.horizon) {
      throw InvalidParameter(Option{"checkpoints"}, fmt::format("{}", t),
                             "must be rounds that increase, up to the horizon");
    }
    last = t;
  }
  if (last != request.horizon) {
    throw InvalidParameter(Option{"checkpoints"}, fmt::format("{}", last),
                           fmt::format("the last must be the horizon, {}", request.horizon));
  }
  request.checkpoints = checkpoints;
}

/// What runs fill in, a row each.
class Rows {
 public:
  Rows(const simulation::Request& request, std::int64_t runs)
      : columns_(request.checkpoints.size()),
        arms_(static_cast<std::size_t>(request.problem->arms())),
        top_(request.goal ? static_cast<std::size_t>(request.goal->top) : 0) {
    const auto count = static_cast<std::size_t>(runs);
    regret_ = make_array<double>({count, columns_});
    pulls_ = make_array<std::int64_t>({count, arms_});
    decisions_ = make_array<std::int64_t>({count});
    regret_data_ = regret_.mutable_data();
    pulls_data_ = pulls_.mutable_data();
    decisions_data_ = decisions_.mutable_data();
    if (request.intervals) {
      low_ = make_array<double>({count, columns_, arms_});
      high_ = make_array<double>({count, columns_, arms_});
      missed_ = make_array<bool>({count, arms_});
      differences_.resize(count);
      low_data_ = low_.mutable_data();
      high_data_ = high_.mutable_data();
      missed_data_ = missed_.mutable_data();
    }
    if (request.goal) {
      recommended_ = make_array<Arm>({count, top_});
      stopped_ = make_array<bool>({count});
      recommended_data_ = recommended_.mutable_data();
      stopped_data_ = stopped_.mutable_data();
    }
  }

  /// From any thread, each row once. Touches no Python object.
  void fill(std::size_t row, const simulation::Run& run) {
    std::copy(run.regrets.begin(), run.regrets.end(), regret_data_ + row * columns_);
    std::copy(run.pulls.begin(), run.pulls.end(), pulls_data_ + row * arms_);
    decisions_data_[row] = run.decisions;
    if (run.intervals) fill_intervals(row, *run.intervals);
    if (run.identified) {
      std::fill_n(recommended_data_ + row * top_, top_, -1);
      std::copy(run.identified->recommended.begin(), run.identified->recommended.end(),
                recommended_data_ + row * top_);
      stopped_data_[row] = run.identified->stopped;
    }
  }

  py::dict arrays() const {
    py::dict all;
    all["regret"] = regret_;
    all["pulls"] = pulls_;
    all["decisions"] = decisions_;
    if (low_data_ != nullptr) {
      all["low"] = low_;
      all["high"] = high_;
      all["missed"] = missed_;
      all["differences_missed"] = differences();
    }
    if (stopped_data_ != nullptr) {
      all["recommended"] = recommended_;
      all["stopped"] = stopped_;
    }
    return all;
  }

 private:
  void fill_intervals(std::size_t row, const simulation::RunIntervals& run) {
    std::size_t at = row * columns_ * arms_;
    for (const auto& checkpoint : run.at) {
      for (const evidence::Interval& interval : checkpoint) {
        low_data_[at] = interval.low;
        high_data_[at++] = interval.high;
      }
    }
    std::copy(run.missed.begin(), run.missed.end(), missed_data_ + row * arms_);
    differences_[row] = run.difference_missed;
  }
  py::array_t<bool> differences() const {
    const std::size_t pairs = differences_.empty() ? 0 : differences_[0].size();
    auto array = make_array<bool>({differences_.size(), pairs});
    bool* out = array.mutable_data();
    for (const auto& row : differences_) out = std::copy(row.begin(), row.end(), out);
    return array;
  }

  std::size_t columns_, arms_, top_;
  py::array_t<double> regret_, low_, high_;
  py::array_t<std::int64_t> pulls_, decisions_;
  py::array_t<bool> missed_, stopped_;
  py::array_t<Arm> recommended_;
  double *regret_data_ = nullptr, *low_data_ = nullptr, *high_data_ = nullptr;
  std::int64_t *pulls_data_ = nullptr, *decisions_data_ = nullptr;
  bool *missed_data_ = nullptr, *stopped_data_ = nullptr;
  Arm* recommended_data_ = nullptr;
  std::vector<std::vector<char>> differences_;
};

/// A checked request. What is slow and not always wanted is found out when it is asked for.
class Job {
 public:
  Job(const py::dict& values, py::handle given, const py::object& guest,
      const std::optional<std::vector<Round>>& checkpoints) {
    const auto& problem = made<Problem>(given, "problem");
    calls_python_ = problem.calls_python || !guest.is_none();
    specs::RequestText text = request_text(values);
    text.problem = problem.text;
    text.own_entry = own_entry(guest);
    if (text.own_entry) text.policy = text.own_entry->card.name;
    job_ = specs::request_on(problem.chosen, text);
    if (checkpoints) set_checkpoints(job_.request, *checkpoints);
  }

  /// Runs first..first+runs-1 of the request.
  py::dict play(std::int64_t first, const Text& threads) {
    const simulation::Request& request = job_.request;
    // Asking how many cores there are takes longer than short runs do.
    const bool alone = calls_python_ || (is_short() && !threads);
    const int workers = alone ? 1 : specs::read_threads(threads);
    Rows rows(request, request.runs);
    double seconds = 0;
    const auto play_all = [&](const std::atomic<bool>* stop) {
      simulation::Request stoppable = request;
      stoppable.stop = stop;
      const auto simulator = simulation::prepare(stoppable);
      seconds = simulation::in_parallel(request.runs, workers, [&](std::int64_t i) {
        rows.fill(static_cast<std::size_t>(i),
                  simulator->run(static_cast<std::uint64_t>(first + i), nullptr));
      });
      guarantee_ = simulator->guarantee();
      if (!request.goal) {
        benchmark_ = {simulator->benchmark(), simulator->benchmark_is_proven()};
      }
    };
    if (calls_python_) {  // which looks for signals by itself
      play_all(nullptr);
    } else {
      const auto work = [&](const std::atomic<bool>& stop) { play_all(&stop); };
      is_short() ? without_python(work) : interruptibly(work);
    }
    py::dict result = rows.arrays();
    result["seconds"] = seconds;
    result["benchmark"] = benchmark_.value;
    result["benchmark_proven"] = benchmark_.proven;
    result["checkpoints"] = array_of(request.checkpoints);
    return result;
  }

  py::object header() const {
    return to_python(job_.request.goal ? reports::sought_json(job_, guarantee_)
                                       : reports::played_json(job_, guarantee_));
  }

 private:
  /// About a tenth of a second at the most. A round of sets may take long, and so may evidence; means that are drawn may be
  /// many.
  bool is_short() const {
    constexpr double kMost = 1e6;
    constexpr double kOfARun = 100;
    const simulation::Request& r = job_.request;
    return !r.actions && !r.intervals && !r.goal && r.problem->prior() == nullptr &&
           (static_cast<double>(r.horizon) * r.problem->arms() + kOfARun) *
                   static_cast<double>(r.runs) <
               kMost;
  }

  bool calls_python_ = false;
  specs::ReadRequest job_;
  privacy::Guarantee guarantee_;
  lab::Benchmark benchmark_;
};

simulation::Measured measured_of(const Doubles& regret, const Integers& pulls,
                                 const Integers& decisions) {
  simulation::Measurement measurement;
  const auto columns = static_cast<std::size_t>(regret.shape(1));
  for (py::ssize_t run = 0; run < regret.shape(0); ++run) {
    measurement.add_run({regret.data(run, 0), columns});
  }
  std::vector<double> row;
  for (py::ssize_t i = 0; i < pulls.shape(0); ++i) {
    row.assign(pulls.data(i, 0), pulls.data(i, 0) + pulls.shape(1));
    measurement.add_pulls(row);
  }
  for (py::ssize_t i = 0; i < decisions.size(); ++i) measurement.add_decisions(decisions.data()[i]);
  return std::move(measurement).finish();
}

std::vector<Round> rounds_of(const Integers& checkpoints) {
  return {checkpoints.data(), checkpoints.data() + checkpoints.size()};
}

/// As the command line says it of as many runs.
py::object measurement(const Doubles& regret, const Integers& pulls, const Integers& decisions,
                       const Integers& checkpoints, double benchmark, bool proven) {
  return to_python(lab::measurement_json(measured_of(regret, pulls, decisions),
                                         rounds_of(checkpoints), {benchmark, proven}));
}

py::object found(const Doubles& wrong_and_samples, const Integers& pulls, const Integers& decisions,
                 std::int64_t stopped) {
  simulation::GoalSummary goal{.stopped = stopped};
  for (py::ssize_t run = 0; run < wrong_and_samples.shape(0); ++run) {
    goal.wrong += wrong_and_samples.at(run, 0) > 0 ? 1 : 0;
  }
  return to_python(reports::found_json(measured_of(wrong_and_samples, pulls, decisions), goal));
}

using Bits = py::array_t<bool, py::array::c_style | py::array::forcecast>;

py::object intervals(double alpha, const Doubles& low, const Doubles& high, const Bits& missed,
                     const Bits& differences, const Integers& checkpoints) {
  simulation::IntervalSummary summary;
  for (py::ssize_t run = 0; run < low.shape(0); ++run) {
    simulation::RunIntervals one;
    for (py::ssize_t c = 0; c < low.shape(1); ++c) {
      one.at.emplace_back();
      for (py::ssize_t arm = 0; arm < low.shape(2); ++arm) {
        one.at.back().push_back({low.at(run, c, arm), high.at(run, c, arm)});
      }
    }
    for (py::ssize_t arm = 0; arm < missed.shape(1); ++arm) {
      one.missed.push_back(missed.at(run, arm) ? 1 : 0);
    }
    for (py::ssize_t pair = 0; pair < differences.shape(1); ++pair) {
      one.difference_missed.push_back(differences.at(run, pair) ? 1 : 0);
    }
    summary.add(one);
  }
  summary.alpha = alpha;
  return to_python(reports::intervals_json(summary, rounds_of(checkpoints)));
}

/// Of every checkpoint: the mean, and half the width of its 95% interval.
py::tuple curve(const Doubles& regret) {
  const auto columns = static_cast<std::size_t>(regret.shape(1));
  auto means = make_array<double>({columns});
  auto halves = make_array<double>({columns});
  for (std::size_t c = 0; c < columns; ++c) {
    simulation::Moments moments;
    for (py::ssize_t run = 0; run < regret.shape(0); ++run) {
      moments.add(regret.at(run, static_cast<py::ssize_t>(c)));
    }
    means.mutable_data()[c] = moments.mean();
    halves.mutable_data()[c] = moments.half_width95();
  }
  return py::make_tuple(means, halves);
}

}  // namespace

void bind_simulate(py::module_& m) {
  py::class_<Job>(m, "Job", py::is_final())
      .def(py::init<const py::dict&, py::handle, const py::object&,
                    const std::optional<std::vector<Round>>&>(),
           py::arg("values"), py::arg("problem"), py::arg("guest"), py::arg("checkpoints"))
      .def("play", method(&Job::play), py::arg("first_run"), py::arg("threads"))
      .def("header", method(&Job::header));
  m.def("measurement", measurement, py::arg("regret"), py::arg("pulls"), py::arg("decisions"),
        py::arg("checkpoints"), py::arg("benchmark"), py::arg("benchmark_proven"));
  m.def("found", found, py::arg("wrong_and_samples"), py::arg("pulls"), py::arg("decisions"),
        py::arg("stopped"));
  m.def("intervals", intervals, py::arg("alpha"), py::arg("low"), py::arg("high"),
        py::arg("missed"), py::arg("differences"), py::arg("checkpoints"));
  m.def("curve", curve, py::arg("regret"));
}

}  // namespace tacit::python
