#include <strings.h>

#include <algorithm>
#include <cstring>

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>

#include <fmt/format.h>
#include <sodium.h>

#include "tacit/service/http/request_reader.hpp"

namespace tacit::service::http {
namespace {

namespace beast_http = boost::beast::http;

/// More than Beast's functions take.
constexpr std::size_t kFoldedStack = 16 * 1024;

bool same(boost::beast::string_view a, const char* b) { return boost::beast::iequals(a, b); }

}  // namespace

RequestParser::RequestParser(const BodyLimit& body_limit, std::size_t header_limit)
    : limit_of_(body_limit), header_limit_(header_limit) {
  this->header_limit(static_cast<std::uint32_t>(header_limit));
}

std::size_t RequestParser::parse(char* begin, std::size_t taken, std::size_t size) {
  begin_ = begin;
  message_size_ = size;
  error_code error;
  taken += put(boost::asio::const_buffer(begin + taken, size - taken), error);
  // Beast puts a value that goes on on the next line together on the stack: no such header comes to its end.
  if (in_header_) sodium_stackzero(kFoldedStack);
  if (error && error != beast_http::error::need_more && !refusal_) refuse_for(error);
  return taken;
}

void RequestParser::refuse(int status, std::string detail) {
  if (!refusal_) refusal_ = Refusal{status, std::move(detail)};
}

void RequestParser::refuse_for(const error_code& error) {
  using E = beast_http::error;
  const auto malformed = [&](const char* what) {
    refuse(400, fmt::format("the request's {}", what));
  };
  if (error == E::header_limit) {
    refuse(431, fmt::format("the request's header is longer than {} bytes", header_limit_));
  } else if (error == E::body_limit) {
    refuse(413, fmt::format("the body is longer than the {} bytes that this path takes", allowed_));
  } else if (error == E::bad_version) {
    refuse(400, "the request's version is neither HTTP/1.1 nor HTTP/1.0");
  } else if (error == E::bad_method) {
    malformed("first line does not begin with a method, like GET or POST");
  } else if (error == E::bad_target) {
    malformed("first line has no target, like /v1/outcomes, after the method");
  } else if (error == E::bad_content_length) {
    malformed("Content-Length must be one whole number, without Transfer-Encoding beside it");
  } else if (error == E::bad_transfer_encoding) {
    malformed("Transfer-Encoding must be chunked, once, without Content-Length beside it");
  } else if (error == E::bad_chunk || error == E::bad_chunk_extension) {
    malformed("body is not in chunks as RFC 9112 has them, with hexadecimal sizes");
  } else {
    malformed("header is not made of lines \"Name: value\" that end with CR LF");
  }
}

void RequestParser::fail(int status, const char* detail, error_code& error) {
  refuse(status, detail);
  error = make_error_code(beast_http::error::bad_value);
}

RequestParser::Place RequestParser::place(string_view text) const {
  return {static_cast<std::size_t>(text.data() - begin_), text.size()};
}

void RequestParser::on_request_impl(beast_http::verb verb, string_view method_text,
                                    string_view target, int version, error_code& error) {
  if (place(target).at + target.size() > header_limit_) {
    error = make_error_code(beast_http::error::header_limit);
    return;
  }
  if (verb == beast_http::verb::unknown) {
    fail(501, "the request's method is none that this server knows; see /openapi.json", error);
    return;
  }
  head_ = verb == beast_http::verb::head;
  old_ = version < 11;
  method = place(method_text);
  // Proxies may ask with the whole URL: RFC 9112, 3.2.2.
  if (target.size() >= 4 && same(target.substr(0, 4), "http")) {
    const std::size_t scheme = target.find("://");
    if (scheme != string_view::npos) {
      const std::size_t slash = target.find_first_of("/?", scheme + 3);
      target = slash == string_view::npos ? target.substr(target.size()) : target.substr(slash);
    }
  }
  const std::size_t mark = target.find('?');
  path = place(target.substr(0, mark));
  if (mark != string_view::npos) query = place(target.substr(mark + 1));
  allowed_ = limit_of_({begin_ + path.at, path.size});
  body_limit(allowed_);
}

void RequestParser::on_field_impl(beast_http::field name, string_view name_text, string_view value,
                                  error_code& error) {
  if (!in_header_) return;  // of what stands behind the chunks nothing is used
  if (goes_on(name_text)) {
    fail(400, "the request's header has a value on two lines, which HTTP no longer knows", error);
    return;
  }
  const Place value_place = value.empty() ? Place{} : place(value);
  if (count_ == kFields || value_place.at + value_place.size + 2 > header_limit_) {
    if (count_ == kFields) refuse(431, fmt::format("the request has more than {} fields", kFields));
    error = make_error_code(beast_http::error::header_limit);
    return;
  }
  fields_[count_++] = {place(name_text), value_place};
  switch (name) {
    case beast_http::field::host: ++hosts_; break;
    case beast_http::field::transfer_encoding:
      // What Beast takes for no body at all, others take for one: that is how requests are smuggled.
      if (old_) {
        fail(400, "HTTP/1.0 has no Transfer-Encoding; send Content-Length", error);
      } else if (!same(value, "chunked")) {
        fail(501, "of all codings only Transfer-Encoding: chunked is known", error);
      }
      break;
    case beast_http::field::expect:
      if (old_) break;
      if (!same(value, "100-continue")) {
        fail(400, "in Expect nothing but 100-continue is known", error);
        break;
      }
      expects_continue_ = true;
      break;
    default: break;
  }
}

bool RequestParser::goes_on(string_view name) const {
  const char* const begin = name.data() + name.size();
  const string_view rest(begin, static_cast<std::size_t>(begin_ + message_size_ - begin));
  // The whole header is there, with the empty line that ends it.
  const char next = rest[rest.find("\r\n") + 2];
  return next == ' ' || next == '\t';
}

std::size_t RequestParser::header_size() const {
  // Behind the last thing that was read there may be spaces.
  std::size_t read = path.at + path.size;
  if (count_ > 0) {
    const Field& last = fields_[count_ - 1];
    read = std::max(last.name.at + last.name.size, last.value.at + last.value.size);
  }
  const string_view rest(begin_ + read, message_size_ - read);
  constexpr string_view kEnd = "\r\n\r\n";
  return read + rest.find(kEnd) + kEnd.size();
}

void RequestParser::on_header_impl(error_code& error) {
  in_header_ = false;
  // Beast counts from where it was when the last piece came: this is the same for all pieces.
  if (header_size() > header_limit_) {
    error = make_error_code(beast_http::error::header_limit);
    return;
  }
  if (hosts_ > 1 || (hosts_ == 0 && !old_)) {
    fail(400, "a request of HTTP/1.1 has one field Host", error);
  }
}

std::size_t RequestParser::on_body_impl(string_view piece, error_code&) {
  if (piece.empty()) return 0;
  const std::size_t at = place(piece).at;
  if (body.size == 0) body.at = at;
  const std::size_t to = body.at + body.size;
  if (to != at) std::memmove(begin_ + to, begin_ + at, piece.size());
  body.size += piece.size();
  return piece.size();
}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t, string_view piece, error_code& error) {
  return on_body_impl(piece, error);
}

}  // namespace tacit::service::http
