#include "tacit/service/api/cross_origin.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

namespace tacit::service::api {
namespace {

bool is_host(std::string_view text) {
  const bool numbers = text.starts_with('[') && text.ends_with(']');  // IPv6
  if (numbers) text = text.substr(1, text.size() - 2);
  const auto is_letter_or_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  };
  return std::any_of(text.begin(), text.end(), is_letter_or_digit) &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return is_letter_or_digit(c) || c == '.' || c == '-' || (numbers && c == ':');
         });
}

bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, port);
  return read.ec == std::errc{} && read.ptr == end && !text.starts_with('0');
}

}  // namespace

bool is_origin(std::string_view text) {
  constexpr std::string_view kMiddle = "://";
  const std::size_t at = text.find(kMiddle);
  if (at == std::string_view::npos) return false;
  const std::string_view scheme = text.substr(0, at);
  const std::string_view host = text.substr(at + kMiddle.size());
  if (scheme != "https" && scheme != "http") return false;
  const std::size_t colon = host.ends_with(']') ? std::string_view::npos : host.rfind(':');
  if (colon == std::string_view::npos) return is_host(host);
  const std::string_view port = host.substr(colon + 1);
  // A browser leaves out the port that its scheme has anyway.
  const std::string_view own = scheme == "https" ? "443" : "80";
  return is_host(host.substr(0, colon)) && is_port(port) && port != own;
}

std::string_view method_asked_for(const http::Request& request, const Origins& origins) {
  if (request.method() != "OPTIONS" || !origins.contains(request.header("Origin"))) return {};
  const std::string_view method = request.header("Access-Control-Request-Method");
  return method == "HEAD" ? "GET" : method;  // which is asked for in the same words
}

Answer preflight(std::string_view origin, std::string_view method) {
  Answer answer{.status = 204, .body = {}};
  answer.headers = {
      {"Access-Control-Allow-Origin", std::string(origin)},
      {"Access-Control-Allow-Methods", std::string(method)},
      // With those by which OpenTelemetry follows a request, which are not looked at.
      {"Access-Control-Allow-Headers",
       "Authorization, Baggage, Content-Type, If-None-Match, Traceparent, Tracestate, X-API-Key"},
      {"Access-Control-Max-Age", "600"},
      {"Vary", "Origin"}};
  return answer;
}

Fields fields_for_pages(const Origins& origins, std::optional<std::string_view> origin) {
  if (origins.empty()) return {};
  // What is kept of an answer to nobody in particular is not for a page, to which it does not say that it may be read.
  Fields fields{{"Vary", "Origin"}};
  if (origin && !origins.contains(*origin)) return fields;
  fields.emplace_back("Access-Control-Allow-Origin", origin.value_or("*"));
  fields.emplace_back("Access-Control-Expose-Headers", "ETag, Retry-After");
  return fields;
}

http::Respond readable(const http::Request& request, const Origins& origins,
                       http::Respond respond) {
  if (origins.empty()) return respond;
  return [fields = fields_for_pages(origins, request.header("Origin")),
          respond = std::move(respond)](Answer&& answer) {
    answer.headers.insert(answer.headers.end(), fields.begin(), fields.end());
    respond(std::move(answer));
  };
}

}  // namespace tacit::service::api
