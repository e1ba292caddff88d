#include "tacit/live/device.hpp"

#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>

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

bool answers_with_a_stop(const Plan& plan) { return std::holds_alternative<StopReportPlan>(plan); }

}  // namespace tacit::live
