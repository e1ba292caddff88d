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

/// An outcome rounded to a bit with secure randomness; elsewhere simulated (devices/report_device.hpp).
struct SecureBit {
  static privacy::Loss loss(const privacy::Sensitivity& s) { return privacy::Exact::loss(s); }
  static privacy::Released<double> report(const privacy::Secret<Outcome>& outcome,
                                          random::SecureSource& source) {
    return privacy::Exact::release(privacy::RandomizedRounding::round(outcome, source));
  }
};

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

template <class Generator, class Mechanism>
std::unique_ptr<Reporter> of(Mechanism mechanism, Generator generator,
                             const privacy::Notes& notes) {
  using Device = devices::ReportDevice<Mechanism, Generator>;
  return std::make_unique<ReporterOf<Device, Generator>>(
      Device(std::move(mechanism), static_cast<Generator&&>(generator), notes));
}
template <class Generator, class Mechanism>
std::unique_ptr<Reporter> of_stops(Mechanism mechanism, Generator generator,
                                   const privacy::Notes& notes) {
  using Device = devices::StopDevice<Mechanism, Generator>;
  return std::make_unique<ReporterOf<Device, Generator>>(
      Device(std::move(mechanism), static_cast<Generator&&>(generator), notes));
}

}  // namespace

std::unique_ptr<Reporter> make_reporter(const Plan& plan, random::SecureSource& source,
                                        privacy::Ledger* ledger) {
  using G = random::SecureSource&;
  const privacy::Notes notes(ledger);
  return std::visit(
      [&]<class P>(const P& p) -> std::unique_ptr<Reporter> {
        if constexpr (std::is_same_v<P, ExactPlan>) {
          return of<G>(devices::ExactReport{}, source, notes);
        } else if constexpr (std::is_same_v<P, ExactBitPlan>) {
          return of<G>(SecureBit{}, source, notes);
        } else if constexpr (std::is_same_v<P, ResponsePlan>) {
          return of<G>(privacy::ExactRandomizedResponse(p.epsilon), source, notes);
        } else if constexpr (std::is_same_v<P, LaplaceReportPlan>) {
          return of<G>(privacy::ExactLaplace(p.scale), source, notes);
        } else if constexpr (std::is_same_v<P, GaussianReportPlan>) {
          return of<G>(privacy::ExactGaussian(p.sigma, p.delta), source, notes);
        } else if constexpr (std::is_same_v<P, StopReportPlan>) {
          return of_stops<G>(privacy::ExactStopResponse(p.epsilon, p.positions), source, notes);
        } else {
          return nullptr;
        }
      },
      plan);
}

std::unique_ptr<Reporter> make_reporter(const Plan& plan, const random::SimulationStream& stream,
                                        privacy::Arithmetic arithmetic, privacy::Ledger* ledger) {
  using G = random::SimulationStream;
  const privacy::Notes notes(ledger);
  return std::visit(
      [&]<class P>(const P& p) -> std::unique_ptr<Reporter> {
        if constexpr (std::is_same_v<P, ExactPlan>) {
          return of<G>(devices::ExactReport{}, stream, notes);
        } else if constexpr (std::is_same_v<P, ExactBitPlan>) {
          return of<G>(devices::ExactBit{}, stream, notes);
        } else if constexpr (std::is_same_v<P, ResponsePlan>) {
          return of<G>(privacy::RandomizedResponse(p.epsilon, arithmetic), stream, notes);
        } else if constexpr (std::is_same_v<P, LaplaceReportPlan>) {
          return of<G>(privacy::Laplace(p.scale, arithmetic), stream, notes);
        } else if constexpr (std::is_same_v<P, GaussianReportPlan>) {
          return of<G>(privacy::Gaussian(p.sigma, p.delta, arithmetic), stream, notes);
        } else if constexpr (std::is_same_v<P, StopReportPlan>) {
          return of_stops<G>(privacy::StopResponse(p.epsilon, p.positions, arithmetic), stream,
                             notes);
        } else {
          return nullptr;
        }
      },
      plan);
}

bool answers_with_a_stop(const Plan& plan) { return std::holds_alternative<StopReportPlan>(plan); }

}  // namespace tacit::live
