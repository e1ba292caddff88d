#include "errors.hpp"

#include <exception>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/results.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

/// An argument, as a call has it. Parameters of policies keep their names.
std::string argument_of(const std::string& option) {
  if (option == "param") return "params";
  if (option == "environment-epsilon") return "environment_epsilon";
  if (option == "environment-regret") return "environment_regret";
  return option;
}

py::object errors(const char* name) { return py::module_::import("tacit.errors").attr(name); }

}  // namespace

// Of the argument that a call has for the option; Python says it in its own words.
void raise(const InvalidParameter& error) {
  Refusal said = error.refusal();
  if (auto* option = std::get_if<Option>(&said.about)) option->name = argument_of(option->name);
  if (auto* line = std::get_if<FileLine>(&said.about)) line->option = argument_of(line->option);
  const py::object type = errors("InvalidParameter");
  const py::object words = errors("in_python_words");
  const py::object instance =
      type(said.name(), said.value, words(said.requirement), words(said.sentence()));
  PyErr_SetObject(type.ptr(), instance.ptr());
}

void translate_exceptions() {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const InvalidParameter& error) {
      raise(error);
    } catch (const lab::UnusableResults& error) {
      PyErr_SetObject(PyExc_ValueError, errors("in_python_words")(error.what()).ptr());
    }
  });
}

void clear_type_error() {
  if (PyErr_Occurred() == nullptr) return;
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw py::error_already_set();
  PyErr_Clear();
}

void refuse_type(const std::string& argument, const std::string& wanted, py::handle given) {
  throw py::type_error(
      fmt::format("{}: must be {}, not {}", argument, wanted, Py_TYPE(given.ptr())->tp_name));
}

}  // namespace tacit::python
