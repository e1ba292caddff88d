#include "tacit/service/problem.hpp"

#include <nlohmann/json.hpp>

namespace tacit::service {
namespace {

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

std::string in_one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

std::string in_short(std::string_view given) {
  constexpr std::size_t kMost = 60;
  std::string text(given.substr(0, kMost));
  if (given.size() > kMost) {
    // No half of a character.
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0U) == 0x80) {
      text.pop_back();
    }
    if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0x80) text.pop_back();
    text += "...";
  }
  return in_one_line(std::move(text));
}

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
