// The parts of tacit._core, each in a file of its own.
#pragma once

#include <pybind11/pybind11.h>

namespace tacit::python {

void bind_catalogue(pybind11::module_& m);  // policies, problems, bounds, guarantees, audits
void bind_problems(pybind11::module_& m);
void bind_simulate(pybind11::module_& m);
void bind_live(pybind11::module_& m);
void bind_lab(pybind11::module_& m);

}  // namespace tacit::python
