// A refusal as it is sent (RFC 9457): {type, title, status, detail, field?}.
#pragma once

#include <string_view>

#include "tacit/service/answer.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service::api {

inline constexpr std::string_view kProblemType = "application/problem+json";

Answer answer_of(const Problem& problem);
/// "Unprocessable Content".
std::string_view title_of(int status) noexcept;

}  // namespace tacit::service::api
