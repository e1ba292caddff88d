#include "tacit/service/http/request_reader.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tacit::service::http {
namespace {

using Step = RequestReader::Step;

BodyLimit at_most(std::size_t bytes) {
  return [bytes](std::string_view path) { return path == "/batch" ? 4 * bytes : bytes; };
}

/// Past its header, where a budget is given for what follows.
Step advance(RequestReader& reader, const std::shared_ptr<BodyBudget>& budget) {
  Step step = reader.advance();
  if (step == Step::kHeader) {
    reader.allow_body(budget);
    step = reader.advance();
    EXPECT_NE(step, Step::kHeader);
  }
  return step;
}

std::shared_ptr<BodyBudget> budget(std::size_t bytes = 1 << 20) {
  return std::make_shared<BodyBudget>(bytes);
}

/// In pieces of `piece` bytes, until the first request is there or refused.
Step feed(RequestReader& reader, std::string_view text, std::size_t piece = 1 << 20,
          const std::shared_ptr<BodyBudget>& bodies = budget()) {
  Step step = Step::kMore;
  while (!text.empty() && step == Step::kMore) {
    const std::span<char> room = reader.room();
    if (room.empty()) return Step::kRefused;
    const std::size_t size = std::min({piece, room.size(), text.size()});
    std::memcpy(room.data(), text.data(), size);
    reader.add(size);
    text.remove_prefix(size);
    step = advance(reader, bodies);
  }
  return step;
}

std::string body_of(const RequestReader& reader) {
  const std::span<char> body = reader.request().body();
  return {body.data(), body.size()};
}

int refusal_of(std::string_view text) {
  RequestReader reader(at_most(100), 1024);
  return feed(reader, text) == Step::kRefused ? reader.refusal().status : 0;
}

constexpr std::string_view kPost =
    "POST /v1/outcomes?dry=1&x HTTP/1.1\r\nHost: here\r\nX-API-Key:  secret \r\nContent-Length: "
    "5\r\n"
    "\r\nhello";
constexpr std::string_view kChunked =
    "POST /a HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: Chunked\r\n\r\n"
    "5\r\nhello\r\n1;why=not\r\n,\r\n06\r\n world\r\n0\r\nTrailer: yes\r\n\r\n";

TEST(RequestReader, ReadsTheSameHoweverItComes) {
  for (std::size_t piece = 1; piece <= kPost.size(); ++piece) {
    RequestReader reader(at_most(100), 1024);
    ASSERT_EQ(feed(reader, kPost, piece), Step::kWhole) << piece;
    const Request& request = reader.request();
    EXPECT_EQ(request.method(), "POST");
    EXPECT_EQ(request.path(), "/v1/outcomes");
    EXPECT_EQ(request.query(), "dry=1&x");
    EXPECT_EQ(request.header("x-api-key"), "secret");
    EXPECT_EQ(request.header("x-api-ke"), "");
    EXPECT_EQ(body_of(reader), "hello");
    EXPECT_TRUE(reader.keep_alive());
  }
}

TEST(RequestReader, PutsChunksTogetherHoweverTheyCome) {
  for (std::size_t piece = 1; piece <= kChunked.size(); ++piece) {
    RequestReader reader(at_most(100), 1024);
    ASSERT_EQ(feed(reader, kChunked, piece), Step::kWhole) << piece;
    EXPECT_EQ(body_of(reader), "hello, world");
    EXPECT_EQ(reader.request().header("Trailer"), "");
    reader.finish();
    EXPECT_TRUE(reader.empty());
  }
}

TEST(RequestReader, OfNoChunksTheEndMayComeByteByByte) {
  RequestReader reader(at_most(100), 1024);
  const std::string_view text =
      "POST /a HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  ASSERT_EQ(feed(reader, text, 1), Step::kWhole);
  EXPECT_EQ(body_of(reader), "");
}

TEST(RequestReader, ReadsWhatIsLongerThanItsFirstBuffer) {
  std::string text = "POST /batch HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n";
  std::string body;
  for (int i = 0; i < 20000; ++i) {
    const std::string part = std::to_string(i);
    text += std::to_string(part.size()) + "\r\n" + part + "\r\n";
    body += part;
  }
  text += "0\r\n\r\nGET";
  RequestReader reader(at_most(body.size() / 4 + 1), 1024);
  ASSERT_EQ(feed(reader, text, 1000), Step::kWhole);
  EXPECT_EQ(body_of(reader), body);
  EXPECT_EQ(reader.request().path(), "/batch");
}

TEST(RequestReader, KeepsWhatIsAheadAndForgetsWhatIsBehind) {
  RequestReader reader(at_most(100), 1024);
  const std::string two = std::string(kPost) + std::string(kChunked);
  ASSERT_EQ(feed(reader, two), Step::kWhole);
  const char* const begin = reader.request().method().data();
  reader.finish();
  ASSERT_EQ(advance(reader, budget()), Step::kWhole);
  EXPECT_EQ(body_of(reader), "hello, world");
  EXPECT_EQ(reader.request().header("X-API-Key"), "");
  reader.finish();
  EXPECT_TRUE(reader.empty());
  EXPECT_TRUE(std::all_of(begin, begin + two.size(), [](char c) { return c == 0; }));
}

TEST(RequestReader, TakesAWholeUrlAndAHeadForAGet) {
  RequestReader reader(at_most(100), 1024);
  ASSERT_EQ(feed(reader, "HEAD http://tacit.example:80/metrics?a=b HTTP/1.0\r\n\r\n"),
            Step::kWhole);
  EXPECT_EQ(reader.request().method(), "GET");
  EXPECT_TRUE(reader.is_head());
  EXPECT_TRUE(reader.is_old());
  EXPECT_FALSE(reader.keep_alive());
  EXPECT_EQ(reader.request().path(), "/metrics");
  EXPECT_EQ(reader.request().query(), "a=b");
  reader.finish();
  ASSERT_EQ(feed(reader, "\r\nGET https://tacit.example HTTP/1.1\r\nHost: a\r\n\r\n"),
            Step::kWhole);
  EXPECT_EQ(reader.request().path(), "/");
}

TEST(RequestReader, LooksAtAHeaderBeforeItsBody) {
  for (const std::string_view text : {kPost, kChunked}) {
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
      RequestReader reader(at_most(100), 1024);
      std::string_view rest = text;
      Step step = Step::kMore;
      while (step == Step::kMore) {
        const std::string_view next = rest.substr(0, piece);
        std::memcpy(reader.room().data(), next.data(), next.size());
        reader.add(next.size());
        rest.remove_prefix(next.size());
        step = reader.advance();
      }
      ASSERT_EQ(step, Step::kHeader) << piece;
      EXPECT_EQ(reader.request().method(), "POST");
      EXPECT_EQ(reader.request().header("Host"), "here");
      EXPECT_EQ(body_of(reader), "");
    }
  }
}

std::string post_of(std::size_t size) {
  return fmt::format("POST /a HTTP/1.1\r\nHost: here\r\nContent-Length: {}\r\n\r\n", size) +
         std::string(size, 'x');
}

TEST(RequestReader, TakesLongBodiesOutOfTheirBudget) {
  constexpr std::size_t kLong = 100'000;
  const auto bodies = budget(3 * kLong);
  RequestReader first(at_most(kLong), 1024);
  ASSERT_EQ(feed(first, post_of(kLong), 1000, bodies), Step::kWhole);
  RequestReader second(at_most(kLong), 1024);
  ASSERT_EQ(feed(second, post_of(kLong), 1000, bodies), Step::kWhole);
  RequestReader third(at_most(kLong), 1024);
  ASSERT_EQ(feed(third, post_of(kLong), 1000, bodies), Step::kRefused);
  EXPECT_EQ(third.refusal().status, 503);
  // What one visitor sends fits whatever others send.
  RequestReader small(at_most(kLong), 1024);
  ASSERT_EQ(feed(small, post_of(8000), 1000, budget(0)), Step::kWhole);

  {
    const TakenOfBudget of_an_answer = first.finish();
    RequestReader early(at_most(kLong), 1024);
    ASSERT_EQ(feed(early, post_of(kLong), 1000, bodies), Step::kRefused);
  }
  RequestReader next(at_most(kLong), 1024);
  EXPECT_EQ(feed(next, post_of(kLong), 1000, bodies), Step::kWhole);
  third.wipe();
  second.wipe();
  RequestReader last(at_most(kLong), 1024);
  EXPECT_EQ(feed(last, post_of(kLong), 1000, bodies), Step::kWhole);
}

TEST(RequestReader, TakesWhatWasReadAheadOutOfABudgetToo) {
  constexpr std::size_t kLong = 60'000;
  const auto bodies = budget(200'000);
  RequestReader reader(at_most(2 * kLong), 1024);
  ASSERT_EQ(feed(reader, post_of(2 * kLong).substr(0, 90'000), 1000, bodies), Step::kMore);
  ASSERT_EQ(feed(reader, post_of(2 * kLong).substr(90'000) + post_of(kLong).substr(0, 4000),
                 1 << 20, bodies),
            Step::kWhole);
  { const TakenOfBudget all = reader.finish(); }
  EXPECT_TRUE(bodies->take(200'000));  // so little is free
}

TEST(RequestReader, SaysOnceThatItWaitsForTheBody) {
  RequestReader reader(at_most(100), 1024);
  const std::string_view head =
      "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n";
  EXPECT_EQ(feed(reader, head), Step::kMore);
  EXPECT_TRUE(reader.must_say_continue());
  EXPECT_FALSE(reader.must_say_continue());
  EXPECT_EQ(feed(reader, "ab"), Step::kWhole);
  reader.finish();
  EXPECT_EQ(feed(reader, std::string(head) + "a"), Step::kMore);
  EXPECT_FALSE(reader.must_say_continue());  // it did not wait
}

TEST(RequestReader, RefusesWhatIsTooLong) {
  const std::string long_value(2000, 'x');
  EXPECT_EQ(refusal_of("GET /" + long_value + " HTTP/1.1\r\nHost: a\r\n\r\n"), 431);
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\nHost: a\r\nA: " + long_value + "\r\n\r\n"), 431);
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\nHost: a\r\nA: " + long_value), 431);
  std::string many = "GET / HTTP/1.1\r\nHost: a\r\n";
  for (int i = 0; i < 64; ++i) many += "A: b\r\n";
  EXPECT_EQ(refusal_of(many + "\r\n"), 431);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n"), 413);
  EXPECT_EQ(refusal_of("POST /batch HTTP/1.1\r\nHost: a\r\nContent-Length: 401\r\n\r\n"), 413);
  EXPECT_EQ(refusal_of("POST /batch HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n"), 0);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n"),
            413);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;" +
                       std::string(20000, 'x')),
            413);
}

TEST(RequestReader, CountsAHeaderThatTricklesIn) {
  RequestReader reader(at_most(100), 1024);
  std::string text = "GET / HTTP/1.1\r\nHost: a\r\n";
  for (int i = 0; i < 30; ++i) text += "A: " + std::string(50, 'x') + "\r\n";
  EXPECT_EQ(feed(reader, text, 7), Step::kRefused);
  EXPECT_EQ(reader.refusal().status, 431);
}

TEST(RequestReader, CountsAHeaderToItsLastByteHoweverItComes) {
  constexpr std::size_t kLimit = 1024;
  for (const std::string_view end : {"", " ", "\t  ", ": \r\nB:", ": \r\nB:   "}) {
    for (std::size_t size = kLimit - 4; size <= kLimit + 6; ++size) {
      constexpr std::size_t kAround = sizeof "GET / HTTP/1.1\r\nHost: a\r\nA: \r\n\r\n" - 1;
      const std::string value(size - kAround - end.size(), 'x');
      const std::string text =
          fmt::format("GET / HTTP/1.1\r\nHost: a\r\nA: {}{}\r\n\r\n", value, end);
      ASSERT_EQ(text.size(), size);
      for (const std::size_t piece : {1UL, 2UL, 7UL, 26UL, 33UL, 500UL, size - 1, size}) {
        RequestReader reader(at_most(100), kLimit);
        EXPECT_EQ(feed(reader, text, piece), size <= kLimit ? Step::kWhole : Step::kRefused)
            << size << " bytes that end in \"" << end << "\", in pieces of " << piece;
      }
    }
  }
  RequestReader no_fields(at_most(100), 18);
  EXPECT_EQ(feed(no_fields, "GET / HTTP/1.0\r\n\r\n", 99), Step::kWhole);
  RequestReader too_long(at_most(100), 17);
  EXPECT_EQ(feed(too_long, "GET / HTTP/1.0\r\n\r\n", 99), Step::kRefused);
}

TEST(RequestReader, RefusesWhatTwoServersWouldReadDifferently) {
  const auto with = [](const std::string& fields) {
    return refusal_of("POST / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
  };
  EXPECT_EQ(with("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"), 400);
  EXPECT_EQ(with("Transfer-Encoding: chunked\r\nContent-Length: 1\r\n"), 400);
  EXPECT_EQ(with("Content-Length: 1\r\nContent-Length: 2\r\n"), 400);
  EXPECT_EQ(with("Content-Length: -1\r\n"), 400);
  EXPECT_EQ(with("Content-Length: 0x1\r\n"), 400);
  EXPECT_EQ(with("Transfer-Encoding: gzip\r\n"), 501);
  EXPECT_EQ(with("Transfer-Encoding: gzip, chunked\r\n"), 501);
  EXPECT_EQ(with("Transfer-Encoding: chunked, gzip\r\n"), 501);
  EXPECT_EQ(with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 400);
  EXPECT_EQ(with("Host: b\r\n"), 400);
  EXPECT_EQ(with("A: b\r\n c\r\n"), 400);
  EXPECT_EQ(with("A:\r\n c\r\n"), 400);
  EXPECT_EQ(with("A:\r\n \r\n"), 400);
  EXPECT_EQ(with("A: \r\n\tc\r\nB: d\r\n"), 400);
  EXPECT_EQ(with("Transfer-Encoding:\r\n chunked\r\n"), 400);
  EXPECT_EQ(with("Content-Length:\r\n 0\r\n"), 400);
  EXPECT_EQ(with("A:\r\nB: d\r\n"), 0);
  EXPECT_EQ(with("A : b\r\n"), 400);
  EXPECT_EQ(with("Expect: miracles\r\n"), 400);
  EXPECT_EQ(refusal_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\nHost: a\n\n"), 400);
  EXPECT_EQ(refusal_of("GET / HTTP/2.0\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("BREW / HTTP/1.1\r\nHost: a\r\n\r\n"), 501);
  EXPECT_EQ(refusal_of(std::string_view("\x16\x03\x01\x02\x00\x01", 6)),
            400);  // TLS to a plain port
}

TEST(RequestReader, RepeatsNothingOfARequestThatItRefuses) {
  const std::string_view all[] = {
      "seCret / HTTP/1.1\r\n\r\n",
      "GET seCret\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nseCret\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: seCret\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: seCret\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nseCret\r\n"};
  for (const std::string_view text : all) {
    RequestReader reader(at_most(100), 1024);
    ASSERT_EQ(feed(reader, text), Step::kRefused) << text;
    EXPECT_EQ(reader.refusal().detail.find("seCret"), std::string::npos);
    EXPECT_EQ(reader.refusal().detail.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace tacit::service::http
