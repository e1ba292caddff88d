// A law over environments: every run draws its own. The mean regret of such runs is Bayesian regret (Basu, Dimitrakakis &
// Tossou, arXiv:1905.12298, section 5.2).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacit/problems/independent_arms.hpp"

namespace tacit::problems {

/// Immutable, shared by threads.
class Prior {
 public:
  virtual ~Prior() = default;
  Prior() = default;
  Prior(const Prior&) = delete;
  Prior& operator=(const Prior&) = delete;

  virtual int arms() const noexcept = 0;
  /// A line that identifies it.
  virtual std::string name() const = 0;
  /// The means of one environment.
  virtual std::vector<double> draw(random::SimulationStream& stream) const = 0;
  /// Expected over environments: of every arm, and of the best arm of each.
  virtual std::vector<double> expected_means() const = 0;
  virtual double expected_best() const = 0;
  /// Of two_point_prior(); others have none.
  virtual std::optional<double> two_point_gap() const { return std::nullopt; }
};

/// Means that are independent Beta(a, b), one arm or more. a and b are in [1e-6, 1e9]: beyond, a law is a point or two to
/// within what doubles tell apart, and neither draws nor integrals are right.
inline constexpr double kSmallestBeta = 1e-6;
inline constexpr double kLargestBeta = 1e9;
std::shared_ptr<const Prior> beta_prior(double a, double b, int arms);

/// That of the proofs of minimax lower bounds, which so are bounds on Bayesian regret: all arms have mean 1/2 but the first,
/// which is better by `gap`; and with probability 1/2 another one, each as likely, is better by twice as much.
/// Two arms or more, gap in (0, 1/4].
std::shared_ptr<const Prior> two_point_prior(int arms, double gap);

/// A problem of which every run is another: ask draw_environment() for that of a run. It has no outcomes of its own, and
/// throws std::logic_error when asked for some. Its means are the prior's.
class DrawnEnvironment final : public Problem {
 public:
  DrawnEnvironment(std::shared_ptr<const Prior> prior, Rewards rewards);

  int arms() const noexcept override { return prior_->arms(); }
  std::string name() const override;
  Dependence dependence() const noexcept override { return Dependence::kDrawn; }
  const Prior* prior() const noexcept override { return prior_.get(); }
  std::shared_ptr<const Problem> draw_environment(random::SimulationStream& stream) const override;

  privacy::Secret<Outcome> draw_outcome(Arm arm, Round t,
                                        random::SimulationStream& stream) const override;
  privacy::Secret<Sum> draw_sum(Arm arm, Round t, Round n,
                                random::SimulationStream& stream) const override;
  void draw_all_sums(Round t, Round n, random::SimulationStream& stream,
                     privacy::SecretVector<Sum>& sums) const override;
  privacy::Secret<Stop> draw_stop(std::span<const Arm> list, Round t,
                                  random::SimulationStream& stream) const override;

 private:
  std::shared_ptr<const Prior> prior_;
  Rewards rewards_;
};

}  // namespace tacit::problems
