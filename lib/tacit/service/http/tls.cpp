#include "tacit/service/http/tls.hpp"

#include <openssl/ssl.h>

#include <fstream>
#include <stdexcept>

#include <fmt/format.h>

namespace tacit::service::http {

namespace {

/// OpenSSL's own words do not say it.
void need_readable(const char* what, const std::filesystem::path& path) {
  if (std::ifstream(path).peek() != std::ifstream::traits_type::eof()) return;
  throw std::runtime_error(
      fmt::format("{} {}: is not there, is empty or cannot be read", what, path.string()));
}

}  // namespace

asio::ssl::context tls_context(const std::filesystem::path& certificate,
                               const std::filesystem::path& private_key) {
  need_readable("TLS certificate", certificate);
  need_readable("TLS key", private_key);
  asio::ssl::context context(asio::ssl::context::tls_server);
  ErrorCode error;
  context.use_certificate_chain_file(certificate.string(), error);
  if (error) {
    throw std::runtime_error(
        fmt::format("TLS certificate {}: {}; it must be a PEM file with the whole chain",
                    certificate.string(), error.message()));
  }
  context.use_private_key_file(private_key.string(), asio::ssl::context::pem, error);
  if (error) {
    throw std::runtime_error(fmt::format("TLS key {}: {}; it must be a PEM file with the key of {}",
                                         private_key.string(), error.message(),
                                         certificate.string()));
  }
  SSL_CTX* const native = context.native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  // With ephemeral keys alone, whose end is the end of what they enciphered.
  SSL_CTX_set_cipher_list(native, "ECDHE+AESGCM:ECDHE+CHACHA20");
  SSL_CTX_set_options(native, SSL_OP_CLEANSE_PLAINTEXT | SSL_OP_NO_TICKET |
                                  SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                  SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(native, 0);
  return context;
}

}  // namespace tacit::service::http
