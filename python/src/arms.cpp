#include "arms.hpp"

#include <string_view>

#include <fmt/format.h>

#include "errors.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace py = pybind11;

namespace tacit::python {

Arm arm_in(py::handle given, const char* argument) {
  const bool is_bool =
      PyBool_Check(given.ptr()) || std::string_view(Py_TYPE(given.ptr())->tp_name) == "numpy.bool_";
  const py::object index =
      is_bool ? py::object() : py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
  if (!index) {
    clear_type_error();
    refuse_type(argument, "an arm, a whole number", given);
  }
  int overflow = 0;
  const long arm = PyLong_AsLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0 || arm != static_cast<Arm>(arm)) {
    throw InvalidParameter(Option{argument}, py::str(given), "must be an arm, counted from 0");
  }
  return static_cast<Arm>(arm);
}

std::vector<Arm> arms_in(py::handle given, const char* argument, std::size_t most) {
  if (!py::isinstance<py::iterable>(given) || py::isinstance<py::str>(given)) {
    refuse_type(argument, "a sequence of arms", given);
  }
  std::vector<Arm> arms;
  for (const py::handle one : given) {
    if (arms.size() == most) {
      throw InvalidParameter(Option{argument}, "", fmt::format("must be at most {} arms", most));
    }
    arms.push_back(arm_in(one, argument));
  }
  return arms;
}

}  // namespace tacit::python
