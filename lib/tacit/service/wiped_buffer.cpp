#include "tacit/service/wiped_buffer.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include <sodium.h>

#include "tacit/service/wiped_traces.hpp"

namespace tacit::service {
namespace {

// Not zeroed: a page that nothing was written to costs nothing.
std::unique_ptr<char[]> memory(std::size_t capacity) {
  return std::make_unique_for_overwrite<char[]>(capacity);
}

}  // namespace

WipedBuffer::WipedBuffer(std::size_t capacity) : memory_(memory(capacity)), capacity_(capacity) {}

WipedBuffer::WipedBuffer(WipedBuffer&& other) noexcept
    : memory_(std::move(other.memory_)),
      capacity_(std::exchange(other.capacity_, 0)),
      size_(std::exchange(other.size_, 0)) {}

WipedBuffer::~WipedBuffer() {
  if (memory_) sodium_memzero(data(), size_);
  wipe_traces();
}

void WipedBuffer::add(std::size_t written) noexcept {
  assert(written <= capacity_ - size_);
  size_ += written;
}

void WipedBuffer::need_room(std::size_t size) {
  if (size > room().size()) set_capacity(std::max(size_ + size, 2 * capacity_));
}

void WipedBuffer::append(const void* bytes, std::size_t size) {
  need_room(size);
  if (size > 0) std::memcpy(room().data(), bytes, size);
  add(size);
}

void WipedBuffer::pad_to(std::size_t size) {
  assert(size >= size_);
  const std::size_t zeros = size - size_;
  need_room(zeros);
  std::memset(room().data(), 0, zeros);
  add(zeros);
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

}  // namespace tacit::service
