// Policies that a program holds: one that protects people, and one to rehearse with.
//
// choose() and report() keep the interpreter: they take less than it costs to let go of it.
#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "json.hpp"
#include "made.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/document.hpp"
#include "tacit/live/policy.hpp"
#include "tacit/specs/action_sets.hpp"
#include "tacit/specs/values.hpp"

#include <nlohmann/json.hpp>

namespace py = pybind11;

namespace tacit::python {
namespace {

using live::Ticket;
using privacy::SealingKey;
using Text = std::optional<std::string>;
using Values = std::vector<std::pair<std::string, std::string>>;

live::Setup setup_of(const std::string& policy, int arms, const Text& epsilon, const Text& delta,
                     const Text& horizon, const Text& actions, const Values& params, Round wait,
                     double missing) {
  if (arms < 1)
    throw InvalidParameter(Option{"arms"}, fmt::format("{}", arms), "must be at least 1");
  live::Setup setup{.policy = policy, .arms = arms, .wait = wait, .missing = missing};
  if (epsilon) setup.epsilon = specs::read_positive(Option{"epsilon"}, *epsilon);
  if (delta) setup.delta = specs::read_share(Option{"delta"}, *delta);
  if (horizon) setup.horizon = specs::read_integer(Option{"horizon"}, *horizon, 1, kLastRound);
  for (const auto& [name, value] : params) setup.parameters.push_back({name, value});
  if (actions) setup.actions = specs::action_set(*actions, arms);
  return setup;
}

Arm arm_in(py::handle given, const char* argument) {
  const py::object index = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
  if (!index) {
    PyErr_Clear();
    refuse_type(argument, "an arm, a whole number", given);
  }
  int overflow = 0;
  const long arm = PyLong_AsLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0 || arm != static_cast<Arm>(arm)) {
    throw InvalidParameter(Option{argument}, py::str(given), "must be an arm, counted from 0");
  }
  return static_cast<Arm>(arm);
}

std::vector<Arm> arms_in(py::handle given, const char* argument) {
  if (!py::isinstance<py::iterable>(given) || py::isinstance<py::str>(given)) {
    refuse_type(argument, "a sequence of arms", given);
  }
  std::vector<Arm> arms;
  for (const py::handle one : given) arms.push_back(arm_in(one, argument));
  return arms;
}

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
void outcomes_in(py::handle given, const char* argument, Outcomes& outcomes) {
  const auto add = [&](py::handle one) {
    const double x = PyFloat_AsDouble(one.ptr());
    if (x == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      refuse_type(argument, "a number, or a sequence of numbers", one);
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

  Ticket choose(const py::object& eligible) {
    live::Policy& policy = mine();
    if (eligible.is_none()) return policy.choose();
    const std::vector<Arm> arms = arms_in(eligible, "eligible");
    return policy.choose(arms);
  }
  void report(py::handle ticket, py::handle outcome) {
    Outcomes outcomes;
    outcomes_in(outcome, "outcome", outcomes);
    mine().report(made<Ticket>(ticket, "ticket"), outcomes.numbers());
  }
  void take(py::handle ticket, py::handle report) {
    Outcomes numbers;
    outcomes_in(report, "report", numbers);
    mine().take(made<Ticket>(ticket, "ticket"), numbers.numbers());
  }
  py::array_t<double> device_report(py::handle ticket, py::handle outcome) {
    Outcomes outcomes;
    outcomes_in(outcome, "outcome", outcomes);
    return array_of(report_of_device(made<Ticket>(ticket, "ticket"), outcomes.numbers()));
  }
  void advance() { mine().advance(); }
  void keep() { mine().keep(); }

  /// One round for every row: row[a] is what arm a would have given. Returns what was played.
  py::array_t<Arm> replay(const py::object& table) {
    live::Policy& policy = mine();
    const Doubles rows = Doubles::ensure(table);
    if (!rows) {
      PyErr_Clear();
      refuse_type("table", "an array of outcomes, a row a round and a column an arm", table);
    }
    if (rows.ndim() != 2 || rows.shape(1) != setup_.arms) {
      throw InvalidParameter(Option{"table"}, fmt::format("{} dimensions", rows.ndim()),
                             fmt::format("must have a row a round and {} columns", setup_.arms));
    }
    if (policy.card().trust == policies::Trust::kLocal) {
      throw InvalidParameter(Option{"policy"}, setup_.policy,
                             "has local privacy: outcomes stay on users' devices. To try it, "
                             "tacit.simulate() plays it on tacit.Problem.from_outcomes()");
    }
    // All of it is looked at first: a policy that has learned half a table cannot be told the rest.
    const double* end = rows.data() + rows.size();
    if (std::find_if(rows.data(), end, [](double x) { return !(x >= 0 && x <= 1); }) != end) {
      throw InvalidParameter(Option{"table"}, Withheld{}, "every outcome must be in [0, 1]");
    }
    const auto count = static_cast<std::size_t>(rows.shape(0));
    const auto size = static_cast<std::size_t>(setup_.actions ? setup_.actions->size() : 1);
    auto played = setup_.actions ? make_array<Arm>({count, size}) : make_array<Arm>({count});
    std::fill_n(played.mutable_data(), count * size, -1);
    const Busy busy(busy_);
    replay_rows(policy, rows.data(), count, size, played.mutable_data());
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
    return mine().difference(arm_in(a, "a"), arm_in(b, "b"), coverage);
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

  live::Policy& mine() {
    if (busy_) throw std::runtime_error("the policy is replaying in another thread");
    return policy_;
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
    const py::gil_scoped_release without_python;
    const auto arms = static_cast<std::size_t>(setup_.arms);
    std::vector<double> outcomes;
    for (std::size_t t = 0; t < count; ++t, row += arms, played += size) {
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
  live::Policy policy_;
  std::optional<Rehearsal> rehearsal_;
  random::SecureSource source_;  // of devices
  std::atomic<bool> busy_{false};
};

py::object arms_of(py::handle self) {
  const Ticket& ticket = made<Ticket>(self);
  py::tuple arms(ticket.arms().size());
  for (std::size_t i = 0; i < arms.size(); ++i) arms[i] = ticket.arms()[i];
  return arms;
}

void bind_tickets(py::module_& m) {
  // Types that no other module asks for are found in one look-up instead of two.
  py::class_<Ticket>(
      m, "Ticket", py::module_local(),
      "What is kept of a choice until its outcome is known. It holds nothing secret, and "
      "may travel as text.")
      .def_property_readonly("arm", method(&Ticket::arm),
                             "What is to be shown; of a set, its first arm.")
      .def_property_readonly("arms", arms_of, "What is to be shown, in order.")
      .def_property_readonly(
          "recorded",
          [](py::handle self) -> py::object {
            const std::vector<Arm> recorded = made<Ticket>(self).recorded();
            if (recorded.size() == 1 && recorded[0] == kAllArms) return py::str("all");
            return py::tuple(py::cast(recorded));
          },
          "The arms whose outcomes are asked for, in the order in which they are to be reported; "
          "\"all\": of every arm.")
      .def_property_readonly("number", method(&Ticket::number), "1 for a policy's first choice.")
      .def("text", method(&Ticket::text),
           "Printable, for a link or a form; Ticket.from_text() reads it.")
      .def_static("from_text", &Ticket::from_text, py::arg("text"))
      .def("__reduce__",
           [](py::handle self) {
             // What is compiled cannot be pickled by its name.
             return py::make_tuple(py::module_::import("tacit.held").attr("ticket_from_text"),
                                   py::make_tuple(made<Ticket>(self).text()));
           })
      .def("__eq__",
           [](py::handle a, const py::object& b) -> py::object {
             if (!py::isinstance<Ticket>(b)) {
               return py::reinterpret_borrow<py::object>(Py_NotImplemented);
             }
             return py::bool_(made<Ticket>(a).text() == made<Ticket>(b, "other").text());
           })
      .def("__hash__", [](py::handle self) { return py::hash(py::str(made<Ticket>(self).text())); })
      .def("__repr__", [](py::handle self) {
        const Ticket& ticket = made<Ticket>(self);
        return fmt::format("<tacit.Ticket {}: arm {}>", ticket.number(),
                           fmt::join(ticket.arms().begin(), ticket.arms().end(), ", "));
      });
}

void bind_keys(py::module_& m) {
  py::class_<SealingKey>(m, "Key",
                         "32 bytes that nobody else knows, under which a policy's secrets are "
                         "kept. Key() is a fresh one.")
      .def(py::init(&SealingKey::fresh))
      .def_static("from_text", &SealingKey::from_text, py::arg("digits"),
                  "From 64 hexadecimal digits, as text() writes them.")
      .def("text", method(&SealingKey::text),
           "64 hexadecimal digits: keep them where only you look.")
      .def("__reduce__",
           [](py::handle) -> py::object {
             throw py::type_error(
                 "a Key is not pickled, so that it is not written down by accident: text() gives "
                 "it");
           })
      .def("__repr__", [](py::handle) { return "<tacit.Key>"; });
}

}  // namespace

void bind_live(py::module_& m) {
  bind_tickets(m);
  bind_keys(m);
  py::class_<live::Setup>(m, "Setup")
      .def(py::init(&setup_of), py::arg("policy"), py::arg("arms"), py::arg("epsilon"),
           py::arg("delta"), py::arg("horizon"), py::arg("actions"), py::arg("params"),
           py::arg("wait"), py::arg("missing"));
  py::class_<Held>(m, "Held", py::module_local())
      .def(py::init([](const live::Setup& setup) { return new Held(setup, live::Policy(setup)); }),
           py::arg("setup"))
      .def(py::init([](const live::Setup& setup, const std::string& file, py::handle key) {
             auto store = std::make_unique<live::FileStore>(file);
             live::Policy policy = live::Policy::open(setup, *store, made<SealingKey>(key, "key"));
             return new Held(setup, std::move(policy), std::move(store));
           }),
           py::arg("setup"), py::arg("file"), py::arg("key"))
      .def(py::init([](const live::Setup& setup, const std::string& state, py::handle key,
                       std::uint64_t releases) {
             return new Held(setup, live::Policy::restore(setup, state,
                                                          made<SealingKey>(key, "key"), releases));
           }),
           py::arg("setup"), py::arg("state"), py::arg("key"), py::arg("releases"))
      .def(
          py::init([](const live::Setup& setup, std::uint64_t seed, std::uint64_t run, bool exact) {
            const random::SimulationKey key(seed, setup.policy, "held", run);
            live::Policy policy = live::Policy::rehearsal(
                setup, key, exact ? privacy::Arithmetic::kExact : privacy::Arithmetic::kIdealised);
            return new Held(setup, std::move(policy), nullptr, Held::Rehearsal{seed, run});
          }),
          py::arg("setup"), py::arg("seed"), py::arg("run"), py::arg("exact"))
      .def("choose", method(&Held::choose), py::arg("eligible") = py::none(),
           "A Ticket; ticket.arm is what to show. `eligible`: among these arms alone.")
      .def("report", method(&Held::report), py::arg("ticket"), py::arg("outcome"),
           "What came of a choice: a number in [0, 1], or one for each of ticket.recorded. In any "
           "order, late or never; the first answer counts.")
      .def("take", method(&Held::take), py::arg("ticket"), py::arg("report"),
           "What the user's own device reports, for policies with local privacy.")
      .def("device_report", method(&Held::device_report), py::arg("ticket"), py::arg("outcome"),
           "What a user's device says of this outcome, with randomness of its own: for take(). "
           "Once a ticket: two reports cost two epsilons.")
      .def("advance", method(&Held::advance), "Releases what the next choice would release first.")
      .def("keep", method(&Held::keep),
           "Puts all of it into the file of Policy.open() now: what was answered since the last "
           "release would not survive a crash.")
      .def("replay", method(&Held::replay), py::arg("table"),
           "Plays a row a round, row[a] being what arm a would have given, at the speed of C++. "
           "Returns the arms that were played.")
      .def("_show", method(&Held::show), py::arg("coverage"))
      .def("difference", method(&Held::difference), py::arg("a"), py::arg("b"),
           py::arg("coverage") = 0.95,
           "(low, high) of mean a - mean b, at any time; None where releases do not say what a "
           "mean is.")
      .def("best", method(&Held::best), py::arg("top") = 1, py::arg("error") = 0.05,
           "The `top` arms of largest means once they are known but for this error; [] before.")
      .def_property_readonly(
          "verdict", method(&Held::verdict),
          "What a policy that identifies found best, by its own rule; [] before.")
      .def_property_readonly("guarantee", method(&Held::guarantee), "What is promised, and why.")
      .def("ledger", method(&Held::ledger),
           "What was released: when, of which arm, with which noise, at what cost.")
      .def_property_readonly("choices", method(&Held::choices), "How many were made.")
      .def_property_readonly("releases", method(&Held::releases), "How many were made.")
      .def("_save", method(&Held::save), py::arg("key"))
      .def("_load", method(&Held::load), py::arg("state"), py::arg("key"));
}

}  // namespace tacit::python
