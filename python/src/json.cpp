#include "json.hpp"

#include <cstdint>

#include <nlohmann/json.hpp>

namespace py = pybind11;

namespace tacit::python {

py::object to_python(const lab::Json& json) {
  using Type = nlohmann::detail::value_t;
  switch (json.type()) {
    case Type::boolean: return py::bool_(json.get<bool>());
    case Type::number_integer: return py::int_(json.get<std::int64_t>());
    case Type::number_unsigned: return py::int_(json.get<std::uint64_t>());
    case Type::number_float: return py::float_(json.get<double>());
    case Type::string: {
      // Names of files need not be UTF-8.
      const auto& text = json.get_ref<const std::string&>();
      return py::reinterpret_steal<py::object>(
          PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace"));
    }
    case Type::array: {
      py::list list(json.size());
      for (std::size_t i = 0; i < json.size(); ++i) list[i] = to_python(json[i]);
      return list;
    }
    case Type::object: {
      py::dict dict;
      for (const auto& [name, value] : json.items()) dict[py::str(name)] = to_python(value);
      return dict;
    }
    case Type::null:
    case Type::binary:
    case Type::discarded: break;
  }
  return py::none();
}

}  // namespace tacit::python
