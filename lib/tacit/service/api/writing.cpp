#include "tacit/service/api/writing.hpp"

#include <array>
#include <charconv>

#include <nlohmann/json.hpp>

namespace tacit::service::api {
namespace {

bool is_plain(std::string_view text) noexcept {
  for (const char c : text) {
    if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f) return false;
  }
  return true;
}

}  // namespace

void add_text(std::string& out, std::string_view text) {
  if (!is_plain(text)) {
    out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return;
  }
  out += '"';
  out += text;
  out += '"';
}

void add_number(std::string& out, std::int64_t number) {
  std::array<char, 20> digits;  // NOLINT: written before it is read
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), end.ptr);
}

}  // namespace tacit::service::api
