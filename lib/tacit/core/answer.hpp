// A value, or why there is none: for questions to which "none" is an answer and no mistake.
#pragma once

#include <utility>
#include <variant>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit {

template <class T>
class Answer {
 public:
  Answer(T value) : answer_(std::move(value)) {}            // NOLINT(google-explicit-constructor)
  Answer(Refusal why_not) : answer_(std::move(why_not)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const noexcept { return std::holds_alternative<T>(answer_); }
  /// Only where there is one.
  const T& operator*() const { return std::get<T>(answer_); }
  const T* operator->() const { return &std::get<T>(answer_); }
  /// Throws InvalidParameter where there is none.
  const T& value() const {
    if (const Refusal* none = std::get_if<Refusal>(&answer_)) throw InvalidParameter(*none);
    return std::get<T>(answer_);
  }
  /// Only where there is none.
  const Refusal& why_not() const { return std::get<Refusal>(answer_); }

 private:
  std::variant<T, Refusal> answer_;
};

}  // namespace tacit
