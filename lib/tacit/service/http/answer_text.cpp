#include "tacit/service/http/answer_text.hpp"

#include <strings.h>

#include <algorithm>
#include <array>
#include <boost/beast/http/status.hpp>
#include <chrono>
#include <stdexcept>

#include <fmt/format.h>

namespace tacit::service::http {
namespace {

std::string_view reason(int status) {
  const auto text =
      boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(status));
  return {text.data(), text.size()};
}

bool is_in_line(std::string_view value) {
  return std::none_of(value.begin(), value.end(),
                      [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

bool has(const Answer& answer, std::string_view name) {
  return std::any_of(answer.headers.begin(), answer.headers.end(), [&](const auto& header) {
    return header.first.size() == name.size() &&
           strncasecmp(header.first.data(), name.data(), name.size()) == 0;
  });
}

void append_field(std::string& text, std::string_view name, std::string_view value) {
  if (!is_in_line(name) || !is_in_line(value)) {
    throw std::logic_error("a header of an answer has more than one line");
  }
  text.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

std::string text_of_date(std::int64_t seconds_since_1970) {
  using namespace std::chrono;  // NOLINT: of dates
  const sys_seconds at{seconds(seconds_since_1970)};
  const auto day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss time(at - day);
  static constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kDays[weekday(day).c_encoding()],
                     static_cast<unsigned>(date.day()),
                     kMonths[static_cast<unsigned>(date.month()) - 1],
                     static_cast<int>(date.year()), time.hours().count(), time.minutes().count(),
                     time.seconds().count());
}

void append_answer(std::string& text, const Answer& answer, Form form) {
  const bool has_body = answer.status >= 200 && answer.status != 204 && answer.status != 304;
  text.append("HTTP/1.1 ").append(fmt::format_int(answer.status).c_str()).append(" ");
  text.append(reason(answer.status)).append("\r\n");
  if (!form.date.empty()) append_field(text, "Date", form.date);
  if (has_body) {
    append_field(text, "Content-Type", answer.type);
    if (!answer.stream) {
      text.append("Content-Length: ")
          .append(fmt::format_int(answer.body.size()).c_str())
          .append("\r\n");
    }
  }
  if (!answer.etag.empty()) append_field(text, "ETag", answer.etag);
  if (answer.retry_after > 0) {
    text.append("Retry-After: ").append(fmt::format_int(answer.retry_after).c_str()).append("\r\n");
  }
  for (const auto& [name, value] : answer.headers) append_field(text, name, value);
  if (answer.headers.empty() || !has(answer, "Cache-Control")) {
    text.append("Cache-Control: no-store\r\n");
  }
  text.append("X-Content-Type-Options: nosniff\r\n");
  if (form.tls) text.append("Strict-Transport-Security: max-age=31536000\r\n");
  if (!form.keep_alive) {
    text.append("Connection: close\r\n");
  } else if (form.old) {
    text.append("Connection: keep-alive\r\n");
  }
  text.append("\r\n");
  if (has_body && !form.head) text.append(answer.body);
}

}  // namespace tacit::service::http
