#include "tacit/service/problem.hpp"

#include <nlohmann/json.hpp>

#include "tacit/core/one_line.hpp"

namespace tacit::service {
namespace {

constexpr std::size_t kLongestDetail = 800;

const char* title_of(int status) {
  switch (status) {
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    default: return "Internal Server Error";
  }
}

}  // namespace

Problem::Problem(int status, std::string field, const std::string& detail, int retry_after)
    : std::runtime_error(in_one_line(detail, kLongestDetail)),
      status_(status),
      field_(std::move(field)),
      retry_after_(retry_after) {}

Answer answer_of(const Problem& problem) {
  nlohmann::ordered_json json{{"type", "about:blank"},
                              {"title", title_of(problem.status())},
                              {"status", problem.status()},
                              {"detail", problem.what()}};
  if (!problem.field().empty()) json["field"] = problem.field();
  Answer answer;
  answer.status = problem.status();
  answer.body = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  answer.type = "application/problem+json";
  answer.retry_after = problem.retry_after();
  return answer;
}

}  // namespace tacit::service
