// Pages of other origins that may ask from a browser (the Fetch standard, "CORS protocol"): what a browser must be told, or it keeps
// the answer from the page. It is no protection of the service, which asks for a key whoever knocks.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "tacit/service/answer.hpp"
#include "tacit/service/http/exchange.hpp"

namespace tacit::service::api {

using Origins = std::set<std::string, std::less<>>;

/// "https://shop.example": a scheme, a host and perhaps a port, as a browser says it.
bool is_origin(std::string_view text);

/// The method that a page of one of them wants to send, if that is what a browser asks; "": it asks something else.
std::string_view method_asked_for(const http::Request& request, const Origins& origins);
/// That it may.
Answer preflight(std::string_view origin, std::string_view method);

/// What lets a page of `origin` ("": none) read an answer, if it is one of them. None: nobody knows yet who asks, and what is answered
/// to everybody alike every page may read.
Fields fields_for_pages(const Origins& origins, std::optional<std::string_view> origin);
/// Lets the page read what is answered, if it is of one of them.
http::Respond readable(const http::Request& request, const Origins& origins, http::Respond respond);

}  // namespace tacit::service::api
