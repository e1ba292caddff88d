// Action set "list": the actions are written down one by one.
//
// The reward is the sum of the means. The oracle looks at every action: O(arms in all of them).
// Actions with more scores of +infinity come first, then the larger sum of the others; ties are
// broken uniformly at random.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tacit/actions/action_set.hpp"

namespace tacit::actions {

class ExplicitList final : public ActionSet {
 public:
  /// At least one action, no set twice; each of at least one arm, all distinct and in 0..arms-1.
  ExplicitList(int arms, std::vector<std::vector<Arm>> actions);

  int arms() const noexcept override { return arms_; }
  int size() const noexcept override { return size_; }
  /// list(arms x actions, digest of the actions).
  std::string name() const override { return name_; }
  std::unique_ptr<Oracle> oracle() const override;
  std::span<const std::vector<Arm>> listed() const noexcept override { return *actions_; }

 private:
  int arms_;
  int size_ = 0;
  std::string name_;
  std::shared_ptr<const std::vector<std::vector<Arm>>> actions_;
};

}  // namespace tacit::actions
