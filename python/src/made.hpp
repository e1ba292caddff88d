// Objects that were really made. Python can make one without calling __init__, and pybind11 would lend its methods memory that
// nobody has written.
#pragma once

#include <utility>

#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include "errors.hpp"

namespace tacit::python {

/// What a Python object holds; a TypeError about the argument where it is of another type, or was never made. Cheaper than
/// pybind11's own look-up: the type is known.
template <class T>
T& made(pybind11::handle object, const char* argument = "self") {
  static auto* const type = reinterpret_cast<PyTypeObject*>(pybind11::type::of<T>().ptr());
  if (!PyObject_TypeCheck(object.ptr(), type)) {
    refuse_type(argument, fmt::format("a {}", type->tp_name), object);
  }
  auto held = reinterpret_cast<pybind11::detail::instance*>(object.ptr())->get_value_and_holder();
  if (!held.holder_constructed()) {
    throw pybind11::type_error(fmt::format("{}: this {} was never made: __init__ was not called",
                                           argument, type->tp_name));
  }
  return *static_cast<T*>(held.value_ptr());
}

/// A method, as a function of the object.
template <class Result, class Class, class... Arguments>
auto method(Result (Class::*called)(Arguments...)) {
  return [called](pybind11::handle self, Arguments... arguments) -> Result {
    return (made<Class>(self).*called)(std::forward<Arguments>(arguments)...);
  };
}
template <class Result, class Class, class... Arguments>
auto method(Result (Class::*called)(Arguments...) const) {
  return [called](pybind11::handle self, Arguments... arguments) -> Result {
    return (made<Class>(self).*called)(std::forward<Arguments>(arguments)...);
  };
}
template <class Result, class Class>
auto method(Result (Class::*called)() const noexcept) {
  return [called](pybind11::handle self) -> Result { return (made<Class>(self).*called)(); };
}

}  // namespace tacit::python
