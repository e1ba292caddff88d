// TLS 1.2 and later, with what OpenSSL deciphers overwritten as soon as it was read, and with no session that can be taken up
// again: what went over the wire cannot be deciphered from this process's memory once the connection is over.
#pragma once

#include "tacit/service/http/asio.hpp"

#include <boost/asio/ssl/context.hpp>
#include <filesystem>

namespace tacit::service::http {

/// Throws std::runtime_error naming the file that cannot be used.
asio::ssl::context tls_context(const std::filesystem::path& certificate,
                               const std::filesystem::path& private_key);

}  // namespace tacit::service::http
