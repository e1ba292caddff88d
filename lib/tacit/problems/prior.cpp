#include "tacit/problems/prior.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/problems/largest_beta.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::problems {
namespace {

class BetaPrior final : public Prior {
 public:
  BetaPrior(double a, double b, int arms) : a_(a), b_(b), arms_(arms) {}

  int arms() const noexcept override { return arms_; }
  std::string name() const override { return fmt::format("beta:{}:{}:{}", a_, b_, arms_); }
  std::vector<double> draw(random::SimulationStream& stream) const override {
    std::vector<double> means(static_cast<std::size_t>(arms_));
    for (double& mean : means) mean = std::clamp(random::beta(stream, a_, b_), 0.0, 1.0);
    return means;
  }
  std::vector<double> expected_means() const override {
    return std::vector<double>(static_cast<std::size_t>(arms_), a_ / (a_ + b_));
  }
  double expected_best() const override { return expected_largest_beta(a_, b_, arms_); }

 private:
  double a_, b_;
  int arms_;
};

class TwoPointPrior final : public Prior {
 public:
  TwoPointPrior(int arms, double gap) : arms_(arms), gap_(gap) {}

  int arms() const noexcept override { return arms_; }
  std::string name() const override { return fmt::format("two-point:{}:{}", arms_, gap_); }
  std::vector<double> draw(random::SimulationStream& stream) const override {
    std::vector<double> means(static_cast<std::size_t>(arms_), kOthers);
    means.front() += gap_;
    const bool another = random::bernoulli(stream, kOthers);
    const int which = 1 + random::uniform_index(stream, arms_ - 1);
    if (another) means[static_cast<std::size_t>(which)] += 2 * gap_;
    return means;
  }
  std::vector<double> expected_means() const override {
    std::vector<double> means(static_cast<std::size_t>(arms_), kOthers + gap_ / (arms_ - 1));
    means.front() = kOthers + gap_;
    return means;
  }
  double expected_best() const override { return kOthers + 1.5 * gap_; }
  std::optional<double> two_point_gap() const override { return gap_; }

 private:
  static constexpr double kOthers = 0.5;
  int arms_;
  double gap_;
};

[[noreturn]] void refuse_to_draw() {
  throw std::logic_error("a prior has no outcomes: draw an environment first");
}

}  // namespace

std::shared_ptr<const Prior> beta_prior(double a, double b, int arms) {
  check::within("beta_prior", "A", a, kSmallestBeta, kLargestBeta);
  check::within("beta_prior", "B", b, kSmallestBeta, kLargestBeta);
  check::at_least("beta_prior", "arms", arms, 1);
  return std::make_shared<BetaPrior>(a, b, arms);
}

std::shared_ptr<const Prior> two_point_prior(int arms, double gap) {
  check::at_least("two_point_prior", "arms", arms, 2);
  check::positive("two_point_prior", "gap", gap);
  if (gap > 0.25) {
    throw InvalidParameter("two_point_prior", "gap", fmt::format("{}", gap),
                           "must be at most 0.25: an arm of mean 1/2 is better by twice as much");
  }
  return std::make_shared<TwoPointPrior>(arms, gap);
}

DrawnEnvironment::DrawnEnvironment(std::shared_ptr<const Prior> prior, Rewards rewards)
    : prior_(std::move(prior)), rewards_(rewards) {
  set_means(prior_->expected_means());
}

std::string DrawnEnvironment::name() const {
  return fmt::format("{} drawn from {}", name_of(rewards_), prior_->name());
}

std::shared_ptr<const Problem> DrawnEnvironment::draw_environment(
    random::SimulationStream& stream) const {
  return std::make_shared<IndependentArms>(prior_->draw(stream), rewards_);
}

privacy::Secret<Outcome> DrawnEnvironment::draw_outcome(Arm, Round,
                                                        random::SimulationStream&) const {
  refuse_to_draw();
}
privacy::Secret<Sum> DrawnEnvironment::draw_sum(Arm, Round, Round,
                                                random::SimulationStream&) const {
  refuse_to_draw();
}
void DrawnEnvironment::draw_all_sums(Round, Round, random::SimulationStream&,
                                     privacy::SecretVector<Sum>&) const {
  refuse_to_draw();
}

privacy::Secret<Stop> DrawnEnvironment::draw_stop(std::span<const Arm>, Round,
                                                  random::SimulationStream&) const {
  refuse_to_draw();
}

}  // namespace tacit::problems
