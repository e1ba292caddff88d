// tacit.Problem: what is played on, made of a name, of numbers, of arrays, or of an object of Python's.
#pragma once

#include <optional>
#include <string>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "tacit/specs/problem_catalogue.hpp"

namespace tacit::python {

struct Problem {
  specs::ChosenProblem chosen;
  specs::ProblemText text = {};  // what it was made from, for complaints
  bool calls_python = false;     // then whoever draws from it holds the interpreter
};

void bind_problems(pybind11::module_& m);

}  // namespace tacit::python
