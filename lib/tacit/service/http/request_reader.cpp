#include "tacit/service/http/request_reader.hpp"

#include <strings.h>

#include <algorithm>

#include <fmt/format.h>

namespace tacit::service::http {
namespace {

/// Nearly every request fits into it.
constexpr std::size_t kUsual = 4096;
/// What a connection may have without asking: a report of one visitor fits, so that no other's can keep it out.
constexpr std::size_t kFree = 4 * kUsual;
/// What stands around a body: its header is counted for itself, this is for the line of a chunk and what may follow the last.
constexpr std::size_t kAround = 4096;

}  // namespace

RequestReader::RequestReader(const BodyLimit& body_limit, std::size_t header_limit,
                             std::string peer)
    : body_limit_(body_limit),
      header_limit_(header_limit),
      peer_(std::move(peer)),
      buffer_(kUsual) {
  parser_.emplace(body_limit_, header_limit_);
}

std::span<char> RequestReader::room() {
  if (!buffer_.room().empty()) return buffer_.room();
  RequestParser& parser = *parser_;
  const std::size_t body_end = parser.body.at + parser.body.size;
  if (parser.body.size > 0 && taken_ > body_end) {
    buffer_.cut(body_end, taken_);
    taken_ = body_end;
    return buffer_.room();
  }
  const bool in_header = !parser.is_header_done();
  const std::size_t most = header_limit_ + kAround + (in_header ? 0 : parser.allowed());
  // No more than twice of what has come: who only says that much is to come gets no memory for it.
  const std::size_t capacity = std::min(2 * buffer_.capacity(), std::max(most, kUsual));
  if (capacity <= buffer_.capacity()) {
    if (in_header) {
      parser.refuse(431,
                    fmt::format("the request's header is longer than {} bytes", header_limit_));
    } else {
      parser.refuse(413, fmt::format("the body is longer than the {} bytes that this path takes",
                                     parser.allowed()));
    }
    return {};
  }
  if (!grow(capacity)) {
    parser.refuse(503, "too many long bodies are being sent at once: send it again in a second");
    return {};
  }
  return buffer_.room();
}

bool RequestReader::grow(std::size_t capacity) {
  if (capacity > kFree) {
    if (!budget_ || !of_budget_.grow(budget_, capacity - kFree)) return false;
  }
  buffer_.set_capacity(capacity);
  return true;
}

RequestReader::Step RequestReader::advance() {
  if (!parser_->got_some()) {
    // Some clients end a body with a line of its own: RFC 9112, 2.2.
    while (buffer_.size() >= 2 && buffer_.data()[0] == '\r' && buffer_.data()[1] == '\n') {
      buffer_.cut(0, 2);
    }
    if (buffer_.size() == 0 || (buffer_.size() == 1 && buffer_.data()[0] == '\r')) {
      return Step::kMore;
    }
  }
  if (!parser_->is_done() && taken_ < buffer_.size()) {
    taken_ = parser_->parse(buffer_.data(), taken_, buffer_.size());
    if (parser_->failed()) return Step::kRefused;
  }
  if (!parser_->is_header_done()) return Step::kMore;
  if (!std::exchange(told_header_, true)) {
    parser_->eager(true);
    return Step::kHeader;
  }
  return parser_->is_done() ? Step::kWhole : Step::kMore;
}

bool RequestReader::must_say_continue() {
  if (!parser_->is_header_done() || !parser_->expects_continue() || said_continue_) return false;
  said_continue_ = true;
  return buffer_.size() == taken_ && parser_->body.size == 0;  // else it did not wait
}

TakenOfBudget RequestReader::finish() {
  buffer_.cut(0, taken_);
  taken_ = 0;
  told_header_ = said_continue_ = false;
  budget_.reset();
  parser_.emplace(body_limit_, header_limit_);
  if (buffer_.capacity() > kFree) buffer_.set_capacity(std::max(kUsual, buffer_.size()));
  if (buffer_.capacity() <= kFree) return std::move(of_budget_);
  of_budget_.shrink(buffer_.capacity() - kFree);  // for what was read ahead
  return {};
}

void RequestReader::wipe() {
  buffer_.cut(0, buffer_.size());
  if (buffer_.capacity() > kFree) buffer_.set_capacity(kUsual);
  of_budget_.shrink(0);
}

std::string_view RequestReader::method() const { return is_head() ? "GET" : text(parser_->method); }

std::string_view RequestReader::path() const {
  return parser_->path.size == 0 ? "/" : text(parser_->path);
}

std::string_view RequestReader::query() const { return text(parser_->query); }

const RequestParser::Field* RequestReader::find(std::string_view name) const {
  for (const RequestParser::Field& field : parser_->fields()) {
    if (is_named(field, name)) return &field;
  }
  return nullptr;
}

bool RequestReader::is_named(const RequestParser::Field& field, std::string_view name) const {
  return field.name.size == name.size() &&
         strncasecmp(buffer_.data() + field.name.at, name.data(), name.size()) == 0;
}

std::string_view RequestReader::last_header(std::string_view name) const {
  std::string_view last;
  for (const RequestParser::Field& field : parser_->fields()) {
    if (is_named(field, name)) last = text(field.value);
  }
  return last;
}

std::optional<std::string_view> RequestReader::origin() const {
  if (find("Origin") == nullptr && !parser_->is_header_done()) return {};
  return header("Origin");
}

std::string_view RequestReader::header(std::string_view name) const {
  const RequestParser::Field* const field = find(name);
  return field == nullptr ? std::string_view() : text(field->value);
}

std::span<char> RequestReader::body() const {
  return {buffer_.data() + parser_->body.at, parser_->body.size};
}

}  // namespace tacit::service::http
