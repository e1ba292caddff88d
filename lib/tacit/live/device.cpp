#include "tacit/live/device.hpp"

#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>

#include "tacit/core/stop.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/devices/report_device.hpp"
#include "tacit/privacy/gaussian.hpp"
#include "tacit/privacy/laplace.hpp"

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

template <template <class, class> class Device, class Generator, class Mechanism>
std::unique_ptr<Reporter> of(Mechanism mechanism, Generator generator,
                             const privacy::Notes& notes) {
  using Made = Device<Mechanism, Generator>;
  return std::make_unique<ReporterOf<Made, Generator>>(
      Made(std::move(mechanism), static_cast<Generator&&>(generator), notes));
}

/// The mechanisms of reports with secure randomness, which are exact.
struct Secure {
  static auto response(double epsilon) { return privacy::ExactRandomizedResponse(epsilon); }
  static auto laplace(double scale) { return privacy::ExactLaplace(scale); }
  static auto gaussian(double sigma, double delta) { return privacy::ExactGaussian(sigma, delta); }
  static auto stops(double epsilon, int positions) {
    return privacy::ExactStopResponse(epsilon, positions);
  }
};

/// The same with simulated randomness, exact or idealised.
struct Simulated {
  privacy::Arithmetic arithmetic;
  auto response(double epsilon) const { return privacy::RandomizedResponse(epsilon, arithmetic); }
  auto laplace(double scale) const { return privacy::Laplace(scale, arithmetic); }
  auto gaussian(double sigma, double delta) const {
    return privacy::Gaussian(sigma, delta, arithmetic);
  }
  auto stops(double epsilon, int positions) const {
    return privacy::StopResponse(epsilon, positions, arithmetic);
  }
};

template <class G, class Mechanisms>
std::unique_ptr<Reporter> make(const Plan& plan, const Mechanisms& by, G generator,
                               privacy::Ledger* ledger) {
  using devices::ReportDevice;
  const privacy::Notes notes(ledger);
  return std::visit(
      [&]<class P>(const P& p) -> std::unique_ptr<Reporter> {
        if constexpr (std::is_same_v<P, ExactPlan>) {
          return of<ReportDevice, G>(devices::ExactReport{}, generator, notes);
        } else if constexpr (std::is_same_v<P, ExactBitPlan>) {
          return of<ReportDevice, G>(devices::ExactBit{}, generator, notes);
        } else if constexpr (std::is_same_v<P, ResponsePlan>) {
          return of<ReportDevice, G>(by.response(p.epsilon), generator, notes);
        } else if constexpr (std::is_same_v<P, LaplaceReportPlan>) {
          return of<ReportDevice, G>(by.laplace(p.scale), generator, notes);
        } else if constexpr (std::is_same_v<P, GaussianReportPlan>) {
          return of<ReportDevice, G>(by.gaussian(p.sigma, p.delta), generator, notes);
        } else if constexpr (std::is_same_v<P, StopReportPlan>) {
          return of<devices::StopDevice, G>(by.stops(p.epsilon, p.positions), generator, notes);
        } else {
          return nullptr;
        }
      },
      plan);
}

}  // namespace

std::unique_ptr<Reporter> make_reporter(const Plan& plan, random::SecureSource& source,
                                        privacy::Ledger* ledger) {
  return make<random::SecureSource&>(plan, Secure{}, source, ledger);
}

std::unique_ptr<Reporter> make_reporter(const Plan& plan, const random::SimulationStream& stream,
                                        privacy::Arithmetic arithmetic, privacy::Ledger* ledger) {
  return make<random::SimulationStream>(plan, Simulated{arithmetic}, stream, ledger);
}

bool answers_with_a_stop(const Plan& plan) { return std::holds_alternative<StopReportPlan>(plan); }

}  // namespace tacit::live
