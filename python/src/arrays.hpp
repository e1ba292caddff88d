// Arrays of numpy that C++ fills and reads.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

#include <pybind11/numpy.h>

namespace tacit::python {

/// C order, converted where it must be.
using Doubles = pybind11::array_t<double, pybind11::array::c_style | pybind11::array::forcecast>;
using Integers =
    pybind11::array_t<std::int64_t, pybind11::array::c_style | pybind11::array::forcecast>;

template <class T>
pybind11::array_t<T> make_array(std::initializer_list<std::size_t> shape) {
  return pybind11::array_t<T>(std::vector<std::size_t>(shape));
}

template <class T>
pybind11::array_t<T> array_of(const std::vector<T>& values) {
  return pybind11::array_t<T>(static_cast<pybind11::ssize_t>(values.size()), values.data());
}

}  // namespace tacit::python
