// What `tacit serve` is measured against: the least that Boost.Beast with coroutines can do, in one thread. It reads a request
// and answers the same few bytes of JSON to whatever it is asked.
//
// echo [PORT]: prints the port and serves until it is killed.
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr const char* kAnswer =
    R"({"event":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8","action":3})";

asio::awaitable<void> serve(tcp::socket socket) {
  socket.set_option(tcp::no_delay(true));
  beast::tcp_stream stream(std::move(socket));
  beast::flat_buffer buffer;
  try {
    for (bool more = true; more;) {
      http::request_parser<http::string_body> parser;
      parser.header_limit(8 * 1024);
      parser.body_limit(64 * 1024);
      stream.expires_after(std::chrono::seconds(5));
      co_await http::async_read(stream, buffer, parser, asio::use_awaitable);
      http::response<http::string_body> response(http::status::ok, parser.get().version());
      more = parser.get().keep_alive();
      response.keep_alive(more);
      response.set(http::field::content_type, "application/json");
      response.body() = kAnswer;
      response.prepare_payload();
      co_await http::async_write(stream, response, asio::use_awaitable);
    }
  } catch (const std::exception&) {
    // The client has gone.
  }
}

asio::awaitable<void> listen(tcp::acceptor& acceptor) {
  for (;;) {
    tcp::socket socket = co_await acceptor.async_accept(asio::use_awaitable);
    asio::co_spawn(acceptor.get_executor(), serve(std::move(socket)), asio::detached);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto port = static_cast<std::uint16_t>(argc > 1 ? std::stoi(argv[1]) : 0);
    asio::io_context io(1);
    tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), port});
    std::printf("%d\n", acceptor.local_endpoint().port());
    std::fflush(stdout);
    asio::co_spawn(io, listen(acceptor), asio::detached);
    io.run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "echo: %s\n", error.what());
    return 1;
  }
}
