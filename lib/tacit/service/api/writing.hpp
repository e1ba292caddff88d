// JSON written by hand, where an answer is put together often.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tacit/service/time.hpp"

namespace tacit::service::api {

/// In quotation marks. What is no UTF-8 is written as U+FFFD.
void add_text(std::string& out, std::string_view text);
void add_number(std::string& out, std::int64_t number);
/// RFC 3339 in UTC with milliseconds, without quotation marks: 2026-01-02T03:04:05.678Z.
void add_time(std::string& out, Time time);

}  // namespace tacit::service::api
