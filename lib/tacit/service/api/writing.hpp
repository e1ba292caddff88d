// JSON written by hand, where an answer is put together often.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tacit::service::api {

/// In quotation marks. What is no UTF-8 is written as U+FFFD.
void add_text(std::string& out, std::string_view text);
void add_number(std::string& out, std::int64_t number);

}  // namespace tacit::service::api
