// A policy that Python holds: one that protects people, or one to rehearse with.
//
// choose() and report() keep the interpreter: they take less than it costs to let go of it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "arms.hpp"
#include "arrays.hpp"
#include "errors.hpp"
#include "json.hpp"
#include "made.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/document.hpp"
#include "tacit/live/policy.hpp"

#include <nlohmann/json.hpp>

namespace tacit::python {

namespace py = pybind11;
using live::Ticket;
using privacy::SealingKey;

/// Overwritten when it goes. A caller's own: what is iterated over may be Python code, and let another thread in.
class Outcomes {
 public:
  Outcomes() = default;
  Outcomes(const Outcomes&) = delete;
  Outcomes& operator=(const Outcomes&) = delete;
  ~Outcomes() {
    for (double& x : numbers_) privacy::wipe(x);
  }

  void push_back(double x) {
    if (numbers_.size() == numbers_.capacity()) grow();
    numbers_.push_back(x);
  }
  void assign(const double* begin, const double* end) { numbers_.assign(begin, end); }
  const std::vector<double>& numbers() const noexcept { return numbers_; }

 private:
  /// What is left behind is wiped.
  void grow() {
    std::vector<double> longer;
    longer.reserve(std::max<std::size_t>(4, 2 * numbers_.size()));
    longer.assign(numbers_.begin(), numbers_.end());
    numbers_.swap(longer);
    for (double& x : longer) privacy::wipe(x);
  }

  std::vector<double> numbers_;
};

/// One number, or a sequence of them.
inline void outcomes_in(py::handle given, const char* argument, std::size_t most,
                        Outcomes& outcomes) {
  const auto add = [&](py::handle one) {
    const double x = PyFloat_AsDouble(one.ptr());
    if (x == -1 && PyErr_Occurred() != nullptr) {
      clear_type_error();
      refuse_type(argument, "a number, or a sequence of numbers", one);
    }
    if (outcomes.numbers().size() == most) {  // what never ends is refused, not followed
      throw InvalidParameter(Option{argument}, Withheld{},
                             fmt::format("must be at most {} numbers", most));
    }
    outcomes.push_back(x);
  };
  if (PyFloat_Check(given.ptr()) || PyLong_Check(given.ptr())) {
    add(given);
  } else if (py::isinstance<py::array>(given) &&
             py::reinterpret_borrow<py::array>(given).ndim() > 1) {
    throw InvalidParameter(Option{argument}, Withheld{}, "must have one dimension");
  } else if (py::isinstance<py::iterable>(given) && !py::isinstance<py::str>(given) &&
             !py::isinstance<py::bytes>(given) &&
             !(py::isinstance<py::array>(given) &&
               py::reinterpret_borrow<py::array>(given).ndim() == 0)) {
    for (const py::handle one : given) add(one);
  } else {
    add(given);
  }
}

class Held {
 public:
  /// What a rehearsal's randomness is a function of.
  struct Rehearsal {
    std::uint64_t seed;
    std::uint64_t run;
  };

  Held(live::Setup setup, live::Policy policy, std::unique_ptr<live::FileStore> store = nullptr,
       std::optional<Rehearsal> rehearsal = std::nullopt)
      : setup_(std::move(setup)),
        store_(std::move(store)),
        policy_(std::move(policy)),
        rehearsal_(rehearsal) {}

  // Arguments are read before the policy is asked for: reading them may run Python code, and let another thread in.

  Ticket choose(py::handle eligible) {
    if (eligible.is_none()) return mine().choose();
    const std::vector<Arm> arms =
        arms_in(eligible, "eligible", static_cast<std::size_t>(setup_.arms));
    return mine().choose(arms);
  }
  void report(py::handle ticket, py::handle outcome) {
    Outcomes outcomes;
    outcomes_in(outcome, "outcome", most_outcomes(), outcomes);
    mine().report(made<Ticket>(ticket, "ticket"), outcomes.numbers());
  }
  void take(py::handle ticket, py::handle report) {
    Outcomes numbers;
    outcomes_in(report, "report", most_outcomes(), numbers);
    mine().take(made<Ticket>(ticket, "ticket"), numbers.numbers());
  }
  py::array_t<double> device_report(py::handle ticket, py::handle outcome) {
    Outcomes outcomes;
    outcomes_in(outcome, "outcome", most_outcomes(), outcomes);
    return array_of(report_of_device(made<Ticket>(ticket, "ticket"), outcomes.numbers()));
  }
  void advance() { mine().advance(); }
  void keep() { mine().keep(); }
  /// Kept, where it lives in a file, and let go of.
  void close() {
    if (!policy_) return;
    if (store_) mine().keep();
    policy_.reset();
    store_.reset();
  }

  /// One round for every row: row[a] is what arm a would have given. Returns what was played.
  py::array_t<Arm> replay(const py::object& table) {
    const Doubles rows = Doubles::ensure(table);
    if (!rows) {
      if (PyErr_ExceptionMatches(PyExc_ValueError) != 0) PyErr_Clear();
      clear_type_error();
      refuse_type("table", "an array of outcomes, a row a round and a column an arm", table);
    }
    if (rows.ndim() != 2 || rows.shape(1) != setup_.arms) {
      throw InvalidParameter(
          Option{"table"},
          rows.ndim() == 2 ? fmt::format("{} columns", rows.shape(1))
                           : fmt::format("{} dimensions", rows.ndim()),
          fmt::format("must have two: a row a round, and {} columns, one an arm", setup_.arms));
    }
    // A copy, which nobody changes meanwhile. All of it is looked at first: a policy that has learned half a table cannot be told
    // the rest.
    Outcomes copy;
    copy.assign(rows.data(), rows.data() + rows.size());
    for (const double x : copy.numbers()) {
      if (x >= 0 && x <= 1) continue;
      throw InvalidParameter(Option{"table"}, Withheld{}, "every outcome must be in [0, 1]");
    }
    const auto count = static_cast<std::size_t>(rows.shape(0));
    const auto size = static_cast<std::size_t>(setup_.actions ? setup_.actions->size() : 1);
    auto played = setup_.actions ? make_array<Arm>({count, size}) : make_array<Arm>({count});
    std::fill_n(played.mutable_data(), count * size, -1);
    live::Policy& policy = mine();
    if (policy.card().trust == policies::Trust::kLocal) {
      throw InvalidParameter(Option{"policy"}, setup_.policy,
                             "has local privacy: outcomes stay on users' devices. To try it, "
                             "tacit.simulate() plays it on tacit.Problem.from_outcomes()");
    }
    const Busy busy(busy_);
    replay_rows(policy, copy.numbers().data(), count, size, played.mutable_data());
    return played;
  }

  py::dict show(double coverage) {
    const std::vector<live::ArmView> views = mine().show(coverage);
    const std::size_t arms = views.size();
    auto mean = make_array<double>({arms}), low = make_array<double>({arms});
    auto high = make_array<double>({arms}), n = make_array<double>({arms});
    auto under_way = make_array<std::int64_t>({arms});
    for (std::size_t i = 0; i < arms; ++i) {
      mean.mutable_data()[i] = views[i].mean;
      n.mutable_data()[i] = views[i].n;
      under_way.mutable_data()[i] = views[i].under_way;
      low.mutable_data()[i] = views[i].interval ? views[i].interval->first : NAN;
      high.mutable_data()[i] = views[i].interval ? views[i].interval->second : NAN;
    }
    py::dict all;
    all["mean"] = mean;
    all["low"] = low;
    all["high"] = high;
    all["n"] = n;
    all["under_way"] = under_way;
    return all;
  }
  std::optional<std::pair<double, double>> difference(py::handle a, py::handle b, double coverage) {
    const Arm one = arm_in(a, "a");
    const Arm other = arm_in(b, "b");
    return mine().difference(one, other, coverage);
  }
  std::vector<Arm> best(int top, double error) { return mine().best(top, error); }
  std::vector<Arm> verdict() { return mine().verdict(); }
  py::object guarantee() { return to_python(lab::guarantee_json(mine().guarantee())); }
  py::list ledger() {
    py::list rows;
    for (const accounting::LedgerEntry& entry : mine().ledger().entries()) {
      py::dict row;
      row["when"] = entry.when;
      row["arm"] = entry.arm == kAllArms ? py::object(py::none()) : py::object(py::int_(entry.arm));
      row["first"] = entry.first;
      row["last"] = entry.last;
      row["epsilon"] = entry.cost.epsilon;
      row["delta"] = entry.cost.delta;
      row["mechanism"] = entry.cost.mechanism;
      rows.append(row);
    }
    return rows;
  }
  Round choices() { return mine().choices(); }
  std::uint64_t releases() { return mine().releases(); }
  std::string save(py::handle key) { return mine().save(made<SealingKey>(key, "key")); }
  void load(const std::string& state, py::handle key) {
    mine().load(state, made<SealingKey>(key, "key"));
  }

 private:
  /// While it lives another thread that comes along is refused, not let in.
  class Busy {
   public:
    explicit Busy(std::atomic<bool>& flag) : flag_(flag) { flag_ = true; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    ~Busy() { flag_ = false; }

   private:
    std::atomic<bool>& flag_;
  };

  /// That answer a choice, or a report on it: one an arm.
  std::size_t most_outcomes() const { return static_cast<std::size_t>(setup_.arms); }
  live::Policy& mine() {
    if (busy_) throw std::runtime_error("the policy is replaying in another thread");
    if (!policy_) throw std::runtime_error("the policy was closed");
    return *policy_;
  }
  live::Report report_of_device(const Ticket& ticket, const std::vector<double>& outcomes) {
    if (!rehearsal_) return mine().device_report(ticket, outcomes, source_);
    // A device of its own for every user, named by the ticket: nothing to remember, and copies agree.
    const random::SimulationKey key(rehearsal_->seed, setup_.policy,
                                    fmt::format("devices of run {}", rehearsal_->run),
                                    static_cast<std::uint64_t>(ticket.number()));
    return mine().device_report(ticket, outcomes, key.stream(random::Purpose::kRounding));
  }
  void replay_rows(live::Policy& policy, const double* row, std::size_t count, std::size_t size,
                   Arm* played) const {
    constexpr std::size_t kBetweenLooks = 1 << 16;
    const py::gil_scoped_release without_python;
    const auto arms = static_cast<std::size_t>(setup_.arms);
    std::vector<double> outcomes;  // of one row at a time
    for (std::size_t t = 0; t < count; ++t, row += arms, played += size) {
      if (t % kBetweenLooks == kBetweenLooks - 1) {
        const py::gil_scoped_acquire with_python;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      }
      const Ticket ticket = policy.choose();
      std::copy(ticket.arms().begin(), ticket.arms().end(), played);
      if (ticket.slots().size() == 1 && ticket.slots()[0].arm == kAllArms) {
        policy.report(ticket, std::span(row, arms));
        continue;
      }
      outcomes.clear();
      for (const Slot& slot : ticket.slots()) {
        outcomes.push_back(row[static_cast<std::size_t>(slot.arm)]);
      }
      policy.report(ticket, outcomes);
    }
  }

  live::Setup setup_;
  std::unique_ptr<live::FileStore> store_;  // outlives the policy
  std::optional<live::Policy> policy_;      // none: it was closed
  std::optional<Rehearsal> rehearsal_;
  random::SecureSource source_;  // of devices
  std::atomic<bool> busy_{false};
};

}  // namespace tacit::python
