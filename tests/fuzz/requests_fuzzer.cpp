// Bytes of a connection: the same requests come of them in whatever pieces they arrive, each within its limits, and each is read as
// the same when it is written again. The first byte says how the bytes are cut.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "fuzz/property.hpp"
#include "tacit/service/http/request_reader.hpp"

namespace {

using tacit::fuzz::require;
using namespace tacit::service::http;  // NOLINT: a program of its own

constexpr std::size_t kHeader = 1024;
constexpr std::size_t kBody = 512;
constexpr std::size_t kLongBody = 3000;

std::size_t limit_of(std::string_view path) { return path == "/long" ? kLongBody : kBody; }

/// Sizes of pieces, without end.
class Pieces {
 public:
  explicit Pieces(unsigned char kind) : kind_(kind), state_(kind) {}
  std::size_t next() {
    if (kind_ < 2) return kind_ == 0 ? static_cast<std::size_t>(-1) : 1;
    state_ = state_ * 1103515245U + 12345U;
    return 1 + (state_ >> 16U) % (1U + kind_);
  }

 private:
  unsigned kind_;
  unsigned state_;
};

void require_proper(const Request& request) {
  require(request.path().size() <= kHeader && !request.path().empty(), "there is a path");
  require(request.body().size() <= limit_of(request.path()), "a body is within its limit");
  for (const std::string_view text : {request.method(), request.path(), request.query(),
                                      request.header("Authorization"), request.header("Host")}) {
    require(text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos,
            "nothing of a header has an end of a line in it", text);
  }
  require(request.header("Content-Length").empty() || request.header("Transfer-Encoding").empty(),
          "a body has one length");
}

std::string described(const RequestReader& reader) {
  const Request& request = reader.request();
  std::string all(request.method());
  for (const std::string_view text :
       {request.path(), request.query(), request.header("host"), request.header("authorization"),
        request.header("content-type"), request.header("idempotency-key"),
        std::string_view(request.body().data(), request.body().size())}) {
    all += '\n';
    all += text;
  }
  all += reader.keep_alive() ? "\nstays" : "\ngoes";
  all += reader.is_head() ? " head" : "";
  all += reader.is_old() ? " old" : "";
  return all;
}

/// With room for every body.
RequestReader::Step past_header(RequestReader& reader) {
  auto step = reader.advance();
  if (step != RequestReader::Step::kHeader) return step;
  require(reader.request().body().empty(), "a header is looked at before its body");
  reader.allow_body(std::make_shared<BodyBudget>(1 << 20));
  step = reader.advance();
  require(step != RequestReader::Step::kHeader, "a header is looked at once");
  return step;
}

/// As a client would write it who has what was read.
std::string written(const Request& request) {
  std::string text(request.method());
  text += ' ';
  text += request.path();
  if (!request.query().empty()) text += '?' + std::string(request.query());
  text += " HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(request.body().size());
  text += "\r\n\r\n";
  text.append(request.body().data(), request.body().size());
  return text;
}

void require_same_again(const Request& request) {
  // A path that is itself a whole URL is shortened again.
  if (!request.path().starts_with('/')) return;
  const std::string text = written(request);
  RequestReader reader(limit_of, kHeader);
  std::size_t at = 0;
  auto step = RequestReader::Step::kMore;
  while (at < text.size() && step == RequestReader::Step::kMore) {
    const auto room = reader.room();
    if (room.empty()) return;  // its lines are longer than they were
    const std::size_t size = std::min(room.size(), text.size() - at);
    std::memcpy(room.data(), text.data() + at, size);
    reader.add(size);
    at += size;
    step = past_header(reader);
  }
  if (step == RequestReader::Step::kRefused && reader.refusal().status == 431) return;
  require(step == RequestReader::Step::kWhole, "what was read can be written", text);
  const auto view = [](const Request& of) {
    return std::string_view(of.body().data(), of.body().size());
  };
  require(reader.request().path() == request.path() &&
              reader.request().query() == request.query() &&
              view(reader.request()) == view(request),
          "and is read as the same", text);
}

/// What was read, in words that can be compared. What was refused in the end is not in it: what is wrong in two ways may be refused
/// for either, and the sooner the more of it is there.
std::string read(std::string_view bytes, unsigned char kind) {
  std::string story;
  RequestReader reader(limit_of, kHeader);
  Pieces pieces(kind);
  for (;;) {
    const auto step = past_header(reader);
    if (step == RequestReader::Step::kRefused) {
      require(reader.refusal().status >= 400 && reader.refusal().status < 600, "a status");
      tacit::fuzz::require_one_line(reader.refusal().detail);
      return story;
    }
    if (step == RequestReader::Step::kWhole) {
      require_proper(reader.request());
      story += described(reader) + "\n";
      require_same_again(reader.request());
      if (!reader.keep_alive()) return story;
      reader.finish();
      continue;
    }
    reader.must_say_continue();
    if (bytes.empty()) return story;
    const auto room = reader.room();
    if (room.empty()) {
      return story;
    }
    const std::size_t size = std::min({pieces.next(), room.size(), bytes.size()});
    std::memcpy(room.data(), bytes.data(), size);
    reader.add(size);
    bytes.remove_prefix(size);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tacit::fuzz::Choices choices(tacit::fuzz::text_of(data, size));
  const unsigned char kind = choices.byte();
  const std::string_view bytes = choices.rest();
  const std::string whole = read(bytes, 0);
  const std::string in_pieces = read(bytes, std::max<unsigned char>(kind, 1));
  require(in_pieces == whole, "pieces make no difference", whole + "\n---\n" + in_pieces);
  return 0;
}
