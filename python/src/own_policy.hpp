// A policy that is a Python class, as an entry that the library can play and audit. It is handed outcomes as they are.
//
// Thread safety: none; whoever plays it holds the interpreter.
#pragma once

#include <memory>

#include <pybind11/pybind11.h>

#include "tacit/policies/catalogue.hpp"

namespace tacit::python {

/// `guest` is tacit.own.Guest: name, feedback, central, make(arms, seed, epsilon, delta, horizon, size). None: null.
std::shared_ptr<const policies::Entry> own_entry(const pybind11::object& guest);

}  // namespace tacit::python
