// Policies that a program holds, as Python sees them: what is called twice a round in C++, the rest through tacit/held.py.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <sodium.h>

#include "bindings.hpp"
#include "held.hpp"
#include "tacit/specs/action_sets.hpp"
#include "tacit/specs/values.hpp"

namespace tacit::python {
namespace {

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

py::object arms_of(py::handle self) {
  const Ticket& ticket = made<Ticket>(self);
  py::tuple arms(ticket.arms().size());
  for (std::size_t i = 0; i < arms.size(); ++i) arms[i] = ticket.arms()[i];
  return arms;
}

void bind_tickets(py::module_& m) {
  // Types that no other module asks for are found in one look-up instead of two.
  py::class_<Ticket>(
      m, "Ticket", py::module_local(), py::is_final(),
      "What is kept of a choice until its outcome is known. It holds nothing secret, and "
      "may travel as text.")
      .def_property_readonly(
          "arm",
          [](py::handle self) {
            const Ticket& ticket = made<Ticket>(self);
            if (ticket.arms().size() != 1) {
              throw py::value_error(fmt::format("arm: {} arms were chosen; ticket.arms has them",
                                                ticket.arms().size()));
            }
            return ticket.arm();
          },
          "What is to be shown, where that is one arm.")
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
  py::class_<SealingKey>(m, "Key", py::is_final(),
                         "32 bytes that nobody else knows, under which a policy's secrets are "
                         "kept. Key() is a fresh one.")
      // Whatever it is called with: pybind11 would repeat that in its message.
      .def(py::init([](const py::args& given, const py::kwargs& named) {
        if (!given.empty() || !named.empty()) {
          throw py::type_error(
              "Key(): takes nothing, and is a fresh one; Key.from_text() reads one");
        }
        return SealingKey::fresh();
      }))
      .def_static(
          "from_text",
          [](const py::args& given, const py::kwargs& named) {
            const bool by_name = given.empty() && named.size() == 1 && named.contains("digits");
            if (!by_name && (given.size() != 1 || !named.empty())) {
              throw py::type_error("from_text(digits): takes one text");
            }
            const py::object digits = by_name ? py::object(named["digits"]) : py::object(given[0]);
            if (!py::isinstance<py::str>(digits)) {
              refuse_type("digits", "a text of 64 hexadecimal digits", digits);
            }
            return SealingKey::from_text(digits.cast<std::string>());
          },
          "from_text(digits): from 64 hexadecimal digits, as text() writes them.")
      .def("__eq__",
           [](py::handle self, py::handle other) {
             return PyObject_TypeCheck(other.ptr(), Py_TYPE(self.ptr())) &&
                    sodium_memcmp(made<SealingKey>(self).data(),
                                  made<SealingKey>(other, "other").data(), SealingKey::kBytes) == 0;
           })
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

/// What Python calls without pybind11 between: twice a round, and when something is wrong with a call its message must not repeat
/// what it was called with, as pybind11's would.
PyObject* guarded(const auto& work) {
  try {
    return work().release().ptr();
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const InvalidParameter& error) {
    raise(error);
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

/// The arguments of a call in the order of their names; null where one was not given.
template <std::size_t kCount>
std::array<PyObject*, kCount> arguments_of(const char* call,
                                           const std::array<const char*, kCount>& names,
                                           PyObject* const* given, Py_ssize_t positional,
                                           PyObject* keywords) {
  const auto refuse = [&](const std::string& why) {
    throw py::type_error(fmt::format("{}({}): {}", call, fmt::join(names, ", "), why));
  };
  std::array<PyObject*, kCount> found{};
  if (static_cast<std::size_t>(positional) > kCount) refuse("takes no more arguments");
  std::copy_n(given, positional, found.begin());
  const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
  for (Py_ssize_t i = 0; i < named; ++i) {
    PyObject* const name = PyTuple_GET_ITEM(keywords, i);
    std::size_t at = 0;
    while (at < kCount && PyUnicode_CompareWithASCIIString(name, names[at]) != 0) ++at;
    if (at == kCount) refuse(fmt::format("has no {}", std::string(py::str(name))));
    if (found[at] != nullptr) refuse(fmt::format("was given {} twice", names[at]));
    found[at] = given[positional + i];
  }
  return found;
}

PyObject* choose(PyObject* self, PyObject* const* given, Py_ssize_t positional,
                 PyObject* keywords) {
  return guarded([&]() -> py::object {
    const auto [eligible] = arguments_of<1>("choose", {"eligible"}, given, positional, keywords);
    return py::cast(made<Held>(self).choose(eligible == nullptr ? Py_None : eligible));
  });
}

PyObject* report(PyObject* self, PyObject* const* given, Py_ssize_t positional,
                 PyObject* keywords) {
  return guarded([&]() -> py::object {
    const auto [ticket, outcome] =
        arguments_of<2>("report", {"ticket", "outcome"}, given, positional, keywords);
    if (ticket == nullptr || outcome == nullptr) {
      throw py::type_error("report(ticket, outcome): needs both");
    }
    made<Held>(self).report(ticket, outcome);
    return py::none();
  });
}

void add_method(py::class_<Held>& held, PyMethodDef& method) {
  held.attr(method.ml_name) = py::reinterpret_steal<py::object>(
      PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(held.ptr()), &method));
}

template <PyObject* (*kCalled)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*)>
PyMethodDef method_of(const char* name, const char* doc) {
  // NOLINTNEXTLINE: Python tells by the flags which kind of function it is.
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(kCalled)),
          METH_FASTCALL | METH_KEYWORDS, doc};
}

}  // namespace

void bind_live(py::module_& m) {
  bind_tickets(m);
  bind_keys(m);
  py::class_<live::Setup>(m, "Setup", py::is_final())
      .def(py::init(&setup_of), py::arg("policy"), py::arg("arms"), py::arg("epsilon"),
           py::arg("delta"), py::arg("horizon"), py::arg("actions"), py::arg("params"),
           py::arg("wait"), py::arg("missing"));
  py::class_<Held> held(m, "Held", py::module_local());
  static PyMethodDef choosing = method_of<choose>(
      "choose",
      "choose($self, eligible=None)\n--\n\nA Ticket; ticket.arm is what to show. `eligible`: among "
      "these arms alone.");
  static PyMethodDef reporting = method_of<report>(
      "report",
      "report($self, ticket, outcome)\n--\n\nWhat came of a choice: a number in [0, 1], or one for "
      "each of ticket.recorded. In any order, late or never; the first answer counts.");
  add_method(held, choosing);
  add_method(held, reporting);
  held.def(py::init([](py::handle given) {
             const auto& setup = made<live::Setup>(given, "setup");
             return new Held(setup, live::Policy(setup));
           }),
           py::arg("setup"))
      .def(py::init([](py::handle given, const std::string& file, py::handle key) {
             const auto& setup = made<live::Setup>(given, "setup");
             auto store = std::make_unique<live::FileStore>(file);
             live::Policy policy = live::Policy::open(setup, *store, made<SealingKey>(key, "key"));
             return new Held(setup, std::move(policy), std::move(store));
           }),
           py::arg("setup"), py::arg("file"), py::arg("key"))
      .def(py::init([](py::handle given, const std::string& state, py::handle key,
                       std::uint64_t releases) {
             const auto& setup = made<live::Setup>(given, "setup");
             return new Held(setup, live::Policy::restore(setup, state,
                                                          made<SealingKey>(key, "key"), releases));
           }),
           py::arg("setup"), py::arg("state"), py::arg("key"), py::arg("releases"))
      .def(py::init([](py::handle given, std::uint64_t seed, std::uint64_t run, bool exact) {
             const auto& setup = made<live::Setup>(given, "setup");
             const random::SimulationKey key(seed, setup.policy, "held", run);
             live::Policy policy = live::Policy::rehearsal(
                 setup, key, exact ? privacy::Arithmetic::kExact : privacy::Arithmetic::kIdealised);
             return new Held(setup, std::move(policy), nullptr, Held::Rehearsal{seed, run});
           }),
           py::arg("setup"), py::arg("seed"), py::arg("run"), py::arg("exact"))
      .def("_take", method(&Held::take), py::arg("ticket"), py::arg("report"))
      .def("_device_report", method(&Held::device_report), py::arg("ticket"), py::arg("outcome"))
      .def("_advance", method(&Held::advance))
      .def("_keep", method(&Held::keep))
      .def("_close", method(&Held::close))
      .def("_replay", method(&Held::replay), py::arg("table"))
      .def("_show", method(&Held::show), py::arg("coverage"))
      .def("_difference", method(&Held::difference), py::arg("a"), py::arg("b"),
           py::arg("coverage"))
      .def("_best", method(&Held::best), py::arg("top"), py::arg("error"))
      .def_property_readonly(
          "verdict", method(&Held::verdict),
          "What a policy that identifies found best, by its own rule; [] before.")
      .def_property_readonly("guarantee", method(&Held::guarantee), "What is promised, and why.")
      .def("_ledger", method(&Held::ledger))
      .def_property_readonly("choices", method(&Held::choices), "How many were made.")
      .def_property_readonly("releases", method(&Held::releases), "How many were made.")
      .def("_save", method(&Held::save), py::arg("key"))
      .def("_load", method(&Held::load), py::arg("state"), py::arg("key"));
}

}  // namespace tacit::python
