#include "tacit/service/http/wiped_buffer.hpp"

#include <cassert>
#include <cstring>
#include <utility>

#include <sodium.h>

#include "tacit/service/http/wiped_traces.hpp"

namespace tacit::service::http {
namespace {

// Not zeroed: a page that nothing was written to costs nothing.
std::unique_ptr<char[]> memory(std::size_t capacity) {
  return std::make_unique_for_overwrite<char[]>(capacity);
}

}  // namespace

WipedBuffer::WipedBuffer(std::size_t capacity) : memory_(memory(capacity)), capacity_(capacity) {}

WipedBuffer::~WipedBuffer() {
  sodium_memzero(data(), size_);
  wipe_traces();
}

void WipedBuffer::add(std::size_t written) noexcept {
  assert(written <= capacity_ - size_);
  size_ += written;
}

void WipedBuffer::cut(std::size_t from, std::size_t to) noexcept {
  assert(from <= to && to <= size_);
  const std::size_t left = size_ - (to - from);
  if (to < size_) std::memmove(data() + from, data() + to, size_ - to);
  sodium_memzero(data() + left, size_ - left);
  size_ = left;
  wipe_traces();
}

void WipedBuffer::set_capacity(std::size_t capacity) {
  assert(capacity >= size_);
  std::unique_ptr<char[]> other = memory(capacity);
  std::memcpy(other.get(), data(), size_);
  sodium_memzero(data(), size_);
  memory_ = std::move(other);
  capacity_ = capacity;
}

}  // namespace tacit::service::http
