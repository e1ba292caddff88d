#include "tacit/service/api/callers.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "tacit/service/api_keys.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service::api {

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

Role role_named(std::string_view name) {
  if (name == "app") return Role::kApp;
  if (name == "client") return Role::kClient;
  if (name == "viewer") return Role::kViewer;
  if (name == "operator") return Role::kOperator;
  return Role::kAnybody;
}

std::string names_of(Role roles) {
  std::string names;
  for (const std::string_view name : kRoles) {
    const auto bit = static_cast<unsigned>(role_named(name));
    if ((static_cast<unsigned>(roles) & bit) == 0) continue;
    if (!names.empty()) names += " or ";
    names += name;
  }
  return names;
}

bool may(Role role, Role who) {
  return (static_cast<unsigned>(role) & static_cast<unsigned>(who)) != 0;
}

namespace {

std::string_view key_text_of(const http::Request& request) {
  constexpr std::string_view kBearer = "Bearer ";
  std::string_view text = request.header("Authorization");
  if (same_letters(text.substr(0, kBearer.size()), kBearer)) {
    text.remove_prefix(kBearer.size());
    while (text.starts_with(' ')) text.remove_prefix(1);
    return text;
  }
  return request.header("X-API-Key");
}

}  // namespace

const ApiKeyRow* find_key(const Directory& directory, const http::Request& header) {
  const std::optional<PresentedKey> presented = parse_api_key(key_text_of(header));
  if (!presented) return nullptr;
  const auto found = directory.keys.find(presented->id);
  if (found == directory.keys.end() || !opens(*presented, found->second)) return nullptr;
  return &found->second;
}

std::string_view address_of(const http::Request& header, bool behind_proxy) {
  std::string_view text = behind_proxy ? header.last_header("X-Forwarded-For") : header.peer();
  // What comes before it was said by who asks.
  if (const std::size_t comma = text.rfind(','); comma != std::string_view::npos) {
    text.remove_prefix(comma + 1);
  }
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text.starts_with("127.") || text == "::1" ? std::string_view() : text;
}

Answer unauthorized(const http::Request& header) {
  const bool shown = !key_text_of(header).empty();
  Answer answer = answer_of(Problem(
      401, "Authorization",
      shown ? "Authorization: this is no key of this service, or it was revoked"
            : "Authorization: must be Bearer and a key (tacit_<role>_<id>_<secret>), or give the "
              "key as X-API-Key"));
  answer.headers.emplace_back(
      "WWW-Authenticate",
      shown ? R"(Bearer realm="tacit", error="invalid_token")" : R"(Bearer realm="tacit")");
  return answer;
}

}  // namespace tacit::service::api
