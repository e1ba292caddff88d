// How a server listens and what it puts up with.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tacit/service/answer.hpp"

namespace tacit::service::http {

using Duration = std::chrono::milliseconds;

struct Settings {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;             // 0: any that is free
  std::filesystem::path unix_socket;  // if not empty: instead of host and port
  std::filesystem::path certificate;  // if not empty: TLS; PEM, the whole chain
  std::filesystem::path private_key;  // PEM

  std::size_t header_limit = 8 * 1024;  // bytes
  /// Bytes, by the path.
  std::function<std::size_t(std::string_view path)> body_limit = [](std::string_view) {
    return std::size_t{64} * 1024;
  };
  /// From a request's first byte to its last. Times are looked at now and then: a twentieth of the shortest may be added.
  Duration request_time = std::chrono::seconds(5);
  Duration idle_time = std::chrono::seconds(75);   // between two requests
  Duration write_time = std::chrono::seconds(20);  // for a client to take its answer
  /// For a client to take note that it was cut off: if we closed while it still sent, it would never read why.
  Duration farewell_time = std::chrono::seconds(2);
  /// Whoever comes beyond that is told 503 and closed, which says more than being left waiting in the system's queue, and lets
  /// a health check see it.
  std::size_t connections = 4096;
  std::size_t stream_backlog =
      64 * 1024;  // bytes that a listener may lag behind before it is cut off
  Duration heartbeat = std::chrono::seconds(20);  // of streams in which nothing happens
  unsigned threads = 1;
  /// Milliseconds since 1970, for the header Date; null: the machine's.
  std::function<std::int64_t()> now = nullptr;
  /// More fields for what is refused before a handler knows of it: those that let the page of this Origin ("": none) read it. None:
  /// too little of the request was read to know.
  std::function<Fields(std::optional<std::string_view> origin)> refusal_fields =
      [](std::optional<std::string_view>) { return Fields(); };
};

}  // namespace tacit::service::http
