// How a secret leaves memory: as ciphertext, and never otherwise.
//
// XChaCha20-Poly1305 of libsodium under a key that the caller keeps, with a nonce of its own each time. What the
// secret belongs to is bound to it as associated data: a sealed state put beside another public one does not open.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::privacy {

/// 32 bytes that nobody else knows; wiped when it goes.
class SealingKey {
 public:
  static constexpr std::size_t kBytes = 32;

  /// A fresh one, from the operating system.
  static SealingKey fresh();
  /// From 64 hexadecimal digits, as text() writes it. Throws InvalidParameter for anything else.
  static SealingKey from_text(std::string_view digits);
  std::string text() const;

  SealingKey(const SealingKey&) = default;
  SealingKey& operator=(const SealingKey&) = default;
  ~SealingKey();

  const unsigned char* data() const noexcept { return bytes_.data(); }

 private:
  SealingKey() = default;
  std::array<unsigned char, kBytes> bytes_{};
};

/// Collects what is to be sealed; an archive for state() functions of curators.
class SealingWriter {
 public:
  SealingWriter() = default;
  SealingWriter(const SealingWriter&) = delete;
  SealingWriter& operator=(const SealingWriter&) = delete;
  ~SealingWriter();

  template <class... T>
  void operator()(const T&... values) {
    (write(values), ...);
  }
  /// In base64.
  std::string seal(const SealingKey& key, std::string_view belongs_to) const;

 private:
  template <class T>
  requires std::integral<T> || std::floating_point<T>
  void write(const T& value) { raw(&value, sizeof value); }
  void write(const Sum& sum) {
    const Sum::Integer units = sum.steps(Outcome::kFractionBits);
    raw(&units, sizeof units);
  }
  template <class T>
  void write(const Secret<T>& secret) {
    write(Vault::open(secret));
  }
  template <class T>
  void write(const SecretVector<T>& secrets) {
    for (std::size_t i = 0; i < secrets.size(); ++i) write(secrets[i]);
  }
  template <class T>
  requires requires(T& value, SealingWriter& archive) { value.state(archive); }
  void write(const T& value) {
    const_cast<T&>(value).state(
        *this);  // NOLINT: one function reads and writes; this one only reads
  }
  template <class T>
  void write(const std::vector<T>& values) {
    write(values.size());
    for (const T& value : values) write(value);
  }
  void raw(const void* from, std::size_t size);

  std::vector<unsigned char> bytes_;
};

class SealingReader {
 public:
  /// Throws InvalidParameter when the text was not sealed with this key for what it belongs to.
  SealingReader(std::string_view sealed, const SealingKey& key, std::string_view belongs_to);
  SealingReader(const SealingReader&) = delete;
  SealingReader& operator=(const SealingReader&) = delete;
  ~SealingReader();

  template <class... T>
  void operator()(T&... values) {
    (read(values), ...);
  }

 private:
  template <class T>
  requires std::integral<T> || std::floating_point<T>
  void read(T& value) { raw(&value, sizeof value); }
  void read(Sum& sum) {
    Sum::Integer units = 0;
    raw(&units, sizeof units);
    sum = Sum::of_steps(units, Outcome::kFractionBits);
  }
  template <class T>
  void read(Secret<T>& secret) {
    T value{};
    read(value);
    secret = Secret<T>(value);
    privacy::wipe(value);
  }
  template <class T>
  void read(SecretVector<T>& secrets) {
    for (std::size_t i = 0; i < secrets.size(); ++i) {
      Secret<T> secret;
      read(secret);
      secrets.set(i, secret);
    }
  }
  template <class T>
  requires requires(T& value, SealingReader& archive) { value.state(archive); }
  void read(T& value) { value.state(*this); }
  template <class T>
  void read(std::vector<T>& values) {
    std::size_t size = 0;
    read(size);
    if (size > bytes_.size()) refuse();
    values.resize(size);
    for (T& value : values) read(value);
  }
  void raw(void* to, std::size_t size);
  [[noreturn]] static void refuse();

  std::vector<unsigned char> bytes_;
  std::size_t at_ = 0;
};

}  // namespace tacit::privacy
