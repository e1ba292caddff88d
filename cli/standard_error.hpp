// What people are told beside the output. What cannot be written there is lost: the exit code says how it went.
#pragma once

#include <string_view>

namespace tacit::cli {

void to_standard_error(std::string_view text) noexcept;

}  // namespace tacit::cli
