// Methods of objects that may be half made: Python can make one without calling __init__, and a pointer to it is null.
#pragma once

#include <utility>

namespace tacit::python {

/// A method as a function of a reference, which pybind11 checks: a TypeError instead of a crash.
template <class Result, class Class, class... Arguments>
auto by_reference(Result (Class::*method)(Arguments...)) {
  return [method](Class& self, Arguments... arguments) -> Result {
    return (self.*method)(std::forward<Arguments>(arguments)...);
  };
}
template <class Result, class Class, class... Arguments>
auto by_reference(Result (Class::*method)(Arguments...) const) {
  return [method](const Class& self, Arguments... arguments) -> Result {
    return (self.*method)(std::forward<Arguments>(arguments)...);
  };
}
template <class Result, class Class>
auto by_reference(Result (Class::*method)() const noexcept) {
  return [method](const Class& self) -> Result { return (self.*method)(); };
}

}  // namespace tacit::python
