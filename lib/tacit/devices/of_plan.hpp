// The device of a user that a plan names: one overload for each plan whose outcomes are reported. Its mechanism is
// exact with secure randomness; with simulated randomness it may be idealised.
#pragma once

#include <utility>

#include "tacit/curators/plans.hpp"
#include "tacit/devices/report_device.hpp"
#include "tacit/privacy/gaussian.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/noise_source.hpp"
#include "tacit/privacy/randomized_response.hpp"
#include "tacit/privacy/stop_response.hpp"

namespace tacit::devices {

struct SecureMechanisms {
  static auto response(double epsilon) { return privacy::ExactRandomizedResponse(epsilon); }
  static auto laplace(double scale) { return privacy::ExactLaplace(scale); }
  static auto gaussian(double sigma, double delta) { return privacy::ExactGaussian(sigma, delta); }
  static auto stops(double epsilon, int positions) {
    return privacy::ExactStopResponse(epsilon, positions);
  }
};

struct SimulatedMechanisms {
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

/// Whose reports they are: `Generator` is a SimulationStream, or a reference to a SecureSource.
template <class Generator, class Mechanisms>
struct User {
  Mechanisms by;
  Generator generator;
  accounting::Notes notes;

  template <class Mechanism>
  auto reports(Mechanism mechanism) const {
    return ReportDevice<Mechanism, Generator>(std::move(mechanism), generator, notes);
  }
};

template <class User>
auto device_of(const curators::ExactPlan&, const User& user) {
  return user.reports(ExactReport{});
}
template <class User>
auto device_of(const curators::ExactBitPlan&, const User& user) {
  return user.reports(ExactBit{});
}
template <class User>
auto device_of(const curators::ResponsePlan& plan, const User& user) {
  return user.reports(user.by.response(plan.epsilon));
}
template <class User>
auto device_of(const curators::LaplaceReportPlan& plan, const User& user) {
  return user.reports(user.by.laplace(plan.scale));
}
template <class User>
auto device_of(const curators::GaussianReportPlan& plan, const User& user) {
  return user.reports(user.by.gaussian(plan.sigma, plan.delta));
}
template <class User>
auto device_of(const curators::StopReportPlan& plan, const User& user) {
  auto mechanism = user.by.stops(plan.epsilon, plan.positions);
  return StopDevice<decltype(mechanism), decltype(user.generator)>(std::move(mechanism),
                                                                   user.generator, user.notes);
}
/// Starts from raw outcomes (as_published/): nobody's device.
template <class User>
void device_of(const curators::RawStartPlan&, const User&) = delete;

/// Whether outcomes are reported by users' devices.
template <class Plan, class User>
concept ReportedPlan = requires(const Plan& plan, const User& user) {
  device_of(plan, user);
};

}  // namespace tacit::devices
