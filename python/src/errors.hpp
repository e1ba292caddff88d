// What the library refuses, as Python's exceptions and in Python's words.
#pragma once

#include <string>

#include <pybind11/pybind11.h>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::python {

/// Sets Python's error to tacit.InvalidParameter.
void raise(const InvalidParameter& error);

/// tacit.InvalidParameter for the library's, ValueError for results that cannot be used.
void translate_exceptions();

/// Forgets that something could not be converted, to say it in other words. Whatever else was raised, an interruption too, is
/// thrown.
void clear_type_error();

/// A TypeError: "ticket: must be a Ticket, not str".
[[noreturn]] void refuse_type(const std::string& argument, const std::string& wanted,
                              pybind11::handle given);

}  // namespace tacit::python
