#include "tacit/live/device.hpp"

#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "tacit/core/stop.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/devices/of_plan.hpp"

namespace tacit::live {
namespace {

using namespace curators;  // NOLINT: the plans

template <class Device, class Generator>
class ReporterOf final : public Reporter {
 public:
  ReporterOf(Device device) : device_(std::move(device)) {}  // NOLINT: it is what it holds

  Report report(std::span<const Arm> arms, std::span<const double> outcomes) override {
    Report report;
    if constexpr (requires(const privacy::Secret<Stop>& stop) { device_.report(stop); }) {
      const privacy::Secret<Stop> stop(Stop{static_cast<int>(outcomes[0])});
      for (const auto& click : device_.report(stop)) report.push_back(click.value());
    } else {
      for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const privacy::Secret<Outcome> outcome(Outcome::nearest(outcomes[i]));
        const Arm arm = i < arms.size() && arms[0] != kAllArms ? arms[i] : static_cast<Arm>(i);
        report.push_back(device_.report(arm, outcome).value());
      }
    }
    return report;
  }
  void note(std::size_t numbers) const override { device_.note(numbers); }
  std::uint64_t used() const override {
    if constexpr (std::is_same_v<Generator, random::SimulationStream>)
      return device_.generator().used();
    return 0;
  }
  void skip_to(std::uint64_t used) override {
    if constexpr (std::is_same_v<Generator, random::SimulationStream>)
      device_.generator().skip_to(used);
  }

 private:
  Device device_;
};

template <class Generator, class Mechanisms>
std::unique_ptr<Reporter> make(const Plan& plan, const Mechanisms& by, Generator generator,
                               accounting::Ledger* ledger) {
  using User = devices::User<Generator, Mechanisms>;
  const User user{by, generator, accounting::Notes(ledger)};
  return std::visit(
      [&]<class P>(const P& p) -> std::unique_ptr<Reporter> {
        if constexpr (devices::ReportedPlan<P, User>) {
          auto device = devices::device_of(p, user);
          return std::make_unique<ReporterOf<decltype(device), Generator>>(std::move(device));
        } else {
          return nullptr;
        }
      },
      plan);
}

}  // namespace

std::unique_ptr<Reporter> make_reporter(const Plan& plan, random::SecureSource& source,
                                        accounting::Ledger* ledger) {
  return make<random::SecureSource&>(plan, devices::SecureMechanisms{}, source, ledger);
}

std::unique_ptr<Reporter> make_reporter(const Plan& plan, const random::SimulationStream& stream,
                                        privacy::Arithmetic arithmetic,
                                        accounting::Ledger* ledger) {
  return make<random::SimulationStream>(plan, devices::SimulatedMechanisms{arithmetic}, stream,
                                        ledger);
}

std::string why_no_device_says(const Plan& plan, double value) {
  // Noise beyond this has a chance below the smallest double.
  constexpr double kLaplaceReach = 800;
  constexpr double kGaussianReach = 40;
  const auto within = [&](double reach) {
    return value >= -reach && value <= 1 + reach
               ? ""
               : fmt::format("must be from {:.6g} to {:.6g}", -reach, 1 + reach);
  };
  if (std::holds_alternative<ResponsePlan>(plan))
    return value == 0 || value == 1 ? "" : "must be 0 or 1";
  if (const auto* p = std::get_if<LaplaceReportPlan>(&plan))
    return within(kLaplaceReach * p->scale);
  if (const auto* p = std::get_if<GaussianReportPlan>(&plan))
    return within(kGaussianReach * p->sigma);
  if (const auto* p = std::get_if<StopReportPlan>(&plan)) {
    const StopReportPlan::Numbers by = p->numbers();
    const double no = -by.q / by.gap;
    const double yes = (1 - by.q) / by.gap;
    const auto near = [&](double other) {
      return std::abs(value - other) <= 1e-9 * std::abs(other);
    };
    return near(no) || near(yes) ? "" : fmt::format("must be {:.17g} or {:.17g}", no, yes);
  }
  return std::isfinite(value) ? "" : "must be a number";
}

bool answers_with_a_stop(const Plan& plan) { return std::holds_alternative<StopReportPlan>(plan); }

}  // namespace tacit::live
