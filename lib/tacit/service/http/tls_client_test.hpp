// TLS for tests: a certificate that is made on the spot, and a client that accepts it.
#pragma once

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "tacit/service/http/raw_client_test.hpp"

namespace tacit::service::http {

struct SelfSigned {
  std::filesystem::path certificate;
  std::filesystem::path private_key;
};

/// Of the name "localhost", with this number.
inline SelfSigned make_self_signed(const std::filesystem::path& folder, long number = 1) {
  // Tests run side by side.
  const std::string name_of_process = "tacit_test_" + std::to_string(getpid());
  const SelfSigned files{folder / (name_of_process + "_certificate.pem"),
                         folder / (name_of_process + "_key.pem")};
  EVP_PKEY* const key = EVP_EC_gen("P-256");
  X509* const certificate = X509_new();
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), number);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  X509_NAME* const name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  X509_sign(certificate, key, EVP_sha256());
  std::FILE* file = std::fopen(files.certificate.c_str(), "w");
  PEM_write_X509(file, certificate);
  std::fclose(file);
  file = std::fopen(files.private_key.c_str(), "w");
  PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(file);
  X509_free(certificate);
  EVP_PKEY_free(key);
  return files;
}

class TlsClient {
 public:
  explicit TlsClient(std::uint16_t port, int latest = 0) : raw_(port) {
    SSL_CTX_set_max_proto_version(context_.get(), latest);
    SSL_CTX_set_security_level(context_.get(), 0);
    ssl_.reset(SSL_new(context_.get()));
    SSL_set_fd(ssl_.get(), raw_.descriptor());
    connected_ = SSL_connect(ssl_.get()) == 1;
    ERR_clear_error();
  }

  bool connected() const { return connected_; }
  std::string version() const { return SSL_get_version(ssl_.get()); }
  bool send(std::string_view text) {
    return SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size())) ==
           static_cast<int>(text.size());
  }
  /// Until it has read this, or the other side closes.
  std::string read_until(std::string_view end) {
    std::string text;
    while (text.find(end) == std::string::npos) {
      char piece[4096];
      const int size = SSL_read(ssl_.get(), piece, sizeof piece);
      if (size <= 0) {
        closed_properly_ = SSL_get_error(ssl_.get(), size) == SSL_ERROR_ZERO_RETURN;
        break;
      }
      text.append(piece, static_cast<std::size_t>(size));
    }
    return text;
  }
  bool closed_properly() const { return closed_properly_; }
  /// Of the certificate.
  long number() const {
    X509* const certificate = SSL_get1_peer_certificate(ssl_.get());
    const long number = ASN1_INTEGER_get(X509_get_serialNumber(certificate));
    X509_free(certificate);
    return number;
  }
  bool has_ticket() const { return SSL_SESSION_has_ticket(SSL_get_session(ssl_.get())) == 1; }

 private:
  struct Free {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(SSL* ssl) const { SSL_free(ssl); }
  };

  RawClient raw_;
  std::unique_ptr<SSL_CTX, Free> context_{SSL_CTX_new(TLS_client_method())};
  std::unique_ptr<SSL, Free> ssl_;
  bool connected_ = false;
  bool closed_properly_ = false;
};

}  // namespace tacit::service::http
