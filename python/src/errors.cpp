#include "errors.hpp"

#include <exception>
#include <regex>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/results.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

/// An argument, as a call has it.
std::string argument_of(std::string option) {
  if (option == "param") return "params";
  for (char& c : option) {
    if (c == '-') c = '_';
  }
  return option;
}

std::string repeatedly(const std::string& text, const std::regex& pattern,
                       const std::function<std::string(const std::smatch&)>& say) {
  std::string said;
  auto rest = text.cbegin();
  for (std::sregex_iterator found(text.begin(), text.end(), pattern), end; found != end; ++found) {
    said.append(rest, (*found)[0].first).append(say(*found));
    rest = (*found)[0].second;
  }
  return said.append(rest, text.cend());
}

/// tacit.InvalidParameter(parameter, value, requirement, message).
void raise(const InvalidParameter& error) {
  const py::object type = py::module_::import("tacit.errors").attr("InvalidParameter");
  Refusal said = error.refusal();
  if (auto* option = std::get_if<Option>(&said.about)) option->name = argument_of(option->name);
  if (auto* line = std::get_if<FileLine>(&said.about)) line->option = argument_of(line->option);
  const py::object instance =
      type(said.name(), said.value, in_python_words(said.requirement), in_python_words(said.sentence()));
  PyErr_SetObject(type.ptr(), instance.ptr());
}

}  // namespace

std::string in_python_words(const std::string& text) {
  static const std::regex kProblems("`?tacit list --problems`?");
  static const std::regex kPolicies("`?tacit list`?");
  static const std::regex kFlags("--(exact|replay|plain)\\b");
  static const std::regex kOptions("--([a-z][a-z-]*)(?: ([A-Z][A-Za-z0-9,.]*|[a-z]+:[A-Z]+))?");
  std::string said = std::regex_replace(text, kProblems, "tacit.problems()");
  said = std::regex_replace(said, kPolicies, "tacit.policies()");
  said = std::regex_replace(said, kFlags, "$1=True");
  return repeatedly(said, kOptions, [](const std::smatch& found) {
    return argument_of(found[1].str()) + "=" + found[2].str();
  });
}

void translate_exceptions() {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const InvalidParameter& error) {
      raise(error);
    } catch (const lab::UnusableResults& error) {
      PyErr_SetString(PyExc_ValueError, in_python_words(error.what()).c_str());
    }
  });
}

void refuse_type(const std::string& argument, const std::string& wanted, py::handle given) {
  throw py::type_error(
      fmt::format("{}: must be {}, not {}", argument, wanted, Py_TYPE(given.ptr())->tp_name));
}

}  // namespace tacit::python
