// An open file that stays with the process that opened it: a child that is forked would hold its locks too, and may outlive who
// forked it, as a pool's workers do.
//
// Thread safety: made and closed from any thread; one object is one thread's.
#pragma once

namespace tacit::storage {

class UnforkedDescriptor {
 public:
  /// Closed with this object, and at once in every child. Below 0: no file, to which nothing is done.
  explicit UnforkedDescriptor(int number);
  ~UnforkedDescriptor();
  UnforkedDescriptor(UnforkedDescriptor&& other) noexcept;
  UnforkedDescriptor& operator=(UnforkedDescriptor&& other) noexcept;

  int number() const noexcept { return number_; }

 private:
  int number_;
};

}  // namespace tacit::storage
