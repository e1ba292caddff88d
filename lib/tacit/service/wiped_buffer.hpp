// Memory for what comes from a socket, and for keys. Invariant: what lies outside of [data, data + size) is zero or was never
// written, so that nothing that was dropped can be read anywhere, not even after the memory was given back.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace tacit::service {

class WipedBuffer {
 public:
  explicit WipedBuffer(std::size_t capacity = 0);
  /// What is left may only be destroyed.
  WipedBuffer(WipedBuffer&& other) noexcept;
  WipedBuffer(const WipedBuffer&) = delete;
  WipedBuffer& operator=(const WipedBuffer&) = delete;
  ~WipedBuffer();

  char* data() noexcept { return memory_.get(); }
  const char* data() const noexcept { return memory_.get(); }
  std::size_t size() const noexcept { return size_; }
  std::size_t capacity() const noexcept { return capacity_; }
  /// Behind what is there, to be written to and then added.
  std::span<char> room() noexcept { return {data() + size_, capacity_ - size_}; }
  void add(std::size_t written) noexcept;
  // Where there is no room they move to a larger place, as set_capacity() does.
  void append(const void* bytes, std::size_t size);
  void pad_to(std::size_t size);  // with zeros
  /// Takes [from, to) out and closes the gap.
  void cut(std::size_t from, std::size_t to) noexcept;
  /// Moves to another place, which may be smaller if what is there fits. Pointers into the buffer are void then.
  void set_capacity(std::size_t capacity);

 private:
  void need_room(std::size_t size);

  std::unique_ptr<char[]> memory_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

}  // namespace tacit::service
