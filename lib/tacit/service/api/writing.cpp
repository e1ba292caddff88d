#include "tacit/service/api/writing.hpp"

#include <array>
#include <charconv>
#include <chrono>

#include <fmt/format.h>
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

void add_time(std::string& out, Time time) {
  using namespace std::chrono;  // NOLINT: a calendar
  const sys_time<milliseconds> at{milliseconds(time)};
  const auto day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss clock(at - day);
  fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
                 static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                 static_cast<unsigned>(date.day()), clock.hours().count(), clock.minutes().count(),
                 clock.seconds().count(), clock.subseconds().count());
}

}  // namespace tacit::service::api
