// One of two policies, chosen by a parameter when it is built.
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

#include "tacit/estimators/estimate.hpp"
#include "tacit/policies/decision.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::policies {

template <class A, class B>
class EitherPolicy {
 public:
  using Feedback = typename A::Feedback;
  using Input = typename A::Input;
  static_assert(std::is_same_v<Feedback, typename B::Feedback> &&
                std::is_same_v<Input, typename B::Input>);

  EitherPolicy(A policy) : policy_(std::move(policy)) {}  // NOLINT(google-explicit-constructor)
  EitherPolicy(B policy) : policy_(std::move(policy)) {}  // NOLINT(google-explicit-constructor)

  SetDecision decide(Round t) {
    return std::visit([&](auto& policy) { return policy.decide(t); }, policy_);
  }
  void learn(const SetDecision& decision, Round n, const privacy::SecretVector<Input>& inputs) {
    std::visit([&](auto& policy) { policy.learn(decision, n, inputs); }, policy_);
  }
  estimators::Estimate estimate(Arm arm) const {
    return std::visit([&](const auto& policy) { return policy.estimate(arm); }, policy_);
  }
  double index(Arm arm, Round t) const {
    return std::visit([&](const auto& policy) { return policy.index(arm, t); }, policy_);
  }
  privacy::Guarantee guarantee() const {
    return std::visit([](const auto& policy) { return policy.guarantee(); }, policy_);
  }

 private:
  std::variant<A, B> policy_;
};

}  // namespace tacit::policies
