// JSON documents of the library as Python objects, and Python values as the text that the library reads.
#pragma once

#include <pybind11/pybind11.h>

#include "tacit/lab/json.hpp"

namespace tacit::python {

/// Dicts, lists, numbers, strings, None.
pybind11::object to_python(const lab::Json& json);

}  // namespace tacit::python
