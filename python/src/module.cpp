// tacit._core: the compiled half of the Python package. Thin on purpose: numbers, arrays, dicts and exceptions; what users
// see is made of it in python/tacit.
#include "bindings.hpp"
#include "errors.hpp"
#include "tacit/core/version.hpp"

PYBIND11_MODULE(_core, m) {
  using namespace tacit::python;
  m.attr("__version__") = tacit::kVersion;
  translate_exceptions();
  bind_problems(m);
  bind_catalogue(m);
  bind_simulate(m);
  bind_live(m);
  bind_lab(m);
}
