// What the library refuses, as Python's exceptions and in Python's words.
#pragma once

#include <string>

#include <pybind11/pybind11.h>

namespace tacit::python {

/// tacit.InvalidParameter for the library's, ValueError for results that cannot be used.
void translate_exceptions();

/// A TypeError: "ticket: must be a Ticket, not str".
[[noreturn]] void refuse_type(const std::string& argument, const std::string& wanted,
                              pybind11::handle given);

}  // namespace tacit::python
