// From bytes to requests, one after the other, without a socket: what a connection reads, and what a fuzzer feeds.
//
// Beast's parser runs over one WipedBuffer and copies nothing: names, values and the body are places in that buffer. A body that
// comes in chunks is moved together where it lies. finish() overwrites all of the request at once and leaves what was read ahead.
#pragma once

#include <utility>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// Beast 1.74 asserts that more than a byte comes after the last of no chunks, and goes on well without it: clients decide that, and
// they must not end a program that has its assertions.
#define BOOST_DISABLE_ASSERTS
#include <boost/assert.hpp>
#include <boost/beast/http/basic_parser.hpp>
#undef BOOST_DISABLE_ASSERTS
#include <boost/assert.hpp>  // NOLINT: once more, as it was

#include "tacit/service/http/exchange.hpp"
#include "tacit/service/wiped_buffer.hpp"

namespace tacit::service::http {

/// Of a body, in bytes, by the path.
using BodyLimit = std::function<std::size_t(std::string_view path)>;

struct Refusal {
  int status = 0;
  std::string detail;
};

/// Beast's parser, whose findings are places behind the first byte of a message.
class RequestParser final : public boost::beast::http::basic_parser<true> {
 public:
  struct Place {
    std::size_t at = 0;
    std::size_t size = 0;
  };
  struct Field {
    Place name;
    Place value;
  };
  static constexpr std::size_t kFields = 64;

  RequestParser(const BodyLimit& body_limit, std::size_t header_limit);

  /// `begin` is where the message lies now; `taken` bytes of it have been parsed. Returns how many there are then.
  std::size_t parse(char* begin, std::size_t taken, std::size_t size);

  bool failed() const noexcept { return refusal_.has_value(); }
  const Refusal& refusal() const { return *refusal_; }
  void refuse(int status, std::string detail);

  Place method, path, query, body;
  std::span<const Field> fields() const { return std::span(fields_).first(count_); }
  std::size_t allowed() const noexcept { return allowed_; }  // of the body
  bool expects_continue() const noexcept { return expects_continue_; }
  bool is_head() const noexcept { return head_; }
  bool is_old() const noexcept { return old_; }

 private:
  using string_view = boost::beast::string_view;
  using error_code = boost::beast::error_code;

  void on_request_impl(boost::beast::http::verb, string_view, string_view, int,
                       error_code&) override;
  void on_response_impl(int, string_view, int, error_code&) override {}
  void on_field_impl(boost::beast::http::field, string_view, string_view, error_code&) override;
  void on_header_impl(error_code&) override;
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(string_view, error_code&) override;
  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view, error_code&) override;
  void on_finish_impl(error_code&) override {}

  Place place(string_view text) const;
  /// The value of the field of this name, on another line.
  bool goes_on(string_view name) const;
  /// With the empty line that ends it.
  std::size_t header_size() const;
  void fail(int status, const char* detail, error_code&);
  void refuse_for(const error_code&);

  const BodyLimit& limit_of_;
  std::size_t header_limit_;
  char* begin_ = nullptr;
  std::size_t message_size_ = 0;
  std::size_t allowed_ = 0;
  std::array<Field, kFields> fields_;  // the first count_ are written
  std::size_t count_ = 0;
  std::size_t hosts_ = 0;
  bool in_header_ = true;
  bool head_ = false;
  bool old_ = false;
  bool expects_continue_ = false;
  std::optional<Refusal> refusal_;
};

class RequestReader final : private Request {
 public:
  RequestReader(const BodyLimit& body_limit, std::size_t header_limit, std::string peer = "");

  /// Where to write what comes next. Empty: there was no place left, and the request is refused.
  std::span<char> room();
  void add(std::size_t written) { buffer_.add(written); }
  /// Nothing has come of a next request.
  bool empty() const noexcept { return buffer_.size() == 0; }

  /// kHeader: once a request, before anything behind its header is looked at.
  enum class Step { kMore, kHeader, kWhole, kRefused };
  Step advance();

  // As soon as the header is there. request() has no body yet.
  /// Its body may take as much of this as the path allows. Until then there is room for what has come with the header alone.
  void allow_body(std::shared_ptr<BodyBudget> budget) { budget_ = std::move(budget); }
  /// The client waits for a word before it sends the body; true once.
  bool must_say_continue();
  // When the request is whole.
  const Request& request() const noexcept { return *this; }
  bool keep_alive() const { return parser_->keep_alive(); }
  bool is_head() const noexcept { return parser_->is_head(); }
  /// HTTP/1.0.
  bool is_old() const noexcept { return parser_->is_old(); }
  // When it is refused.
  const Refusal& refusal() const { return parser_->refusal(); }
  /// None: nobody knows yet what it has.
  std::optional<std::string_view> origin() const;

  /// Overwrites the request, and goes on with the next. What it took of a budget is the caller's, who may have made something of it.
  TakenOfBudget finish();
  /// Overwrites all there is.
  void wipe();

 private:
  std::string_view method() const override;
  std::string_view path() const override;
  std::string_view query() const override;
  std::string_view header(std::string_view name) const override;
  bool has(std::string_view header) const override { return find(header) != nullptr; }
  std::string_view last_header(std::string_view name) const override;
  std::string_view peer() const override { return peer_; }
  std::span<char> body() const override;
  bool is_named(const RequestParser::Field& field, std::string_view name) const;
  /// Null: it is not there.
  const RequestParser::Field* find(std::string_view name) const;
  bool grow(std::size_t capacity);
  std::string_view text(RequestParser::Place place) const {
    return {buffer_.data() + place.at, place.size};
  }

  BodyLimit body_limit_;
  std::size_t header_limit_;
  std::string peer_;
  mutable WipedBuffer buffer_;
  std::optional<RequestParser> parser_;
  std::size_t taken_ = 0;
  std::shared_ptr<BodyBudget> budget_;
  TakenOfBudget of_budget_;
  bool told_header_ = false;
  bool said_continue_ = false;
};

}  // namespace tacit::service::http
