// A channel behind the virtual door of any_channel.hpp.
#pragma once

#include <stdexcept>
#include <utility>

#include "tacit/curators/release.hpp"
#include "tacit/simulation/any_channel.hpp"

namespace tacit::simulation {

template <class Channel>
class AnyChannelOf final : public AnyChannel {
  using Secrets = privacy::SecretVector<Sum>;
  using Report = std::vector<privacy::Released<double>>;

 public:
  explicit AnyChannelOf(Channel channel) : channel_(std::move(channel)) {}

  bool keeps_sums() const override { return kKeepsSums; }
  bool takes_stops() const override { return kTakesStops || kTakesListsAndStops; }

  void add(Slot slot, std::span<const privacy::Secret<Sum>> sums) override {
    if constexpr (curators::OfAllArms<Channel>) {
      Secrets all(sums.size());
      for (std::size_t i = 0; i < sums.size(); ++i) all.set(i, sums[i]);
      channel_.add(slot, all);
    } else if constexpr (kKeepsSums) {
      channel_.add(slot, sums[0]);
    } else {
      refuse();
    }
  }
  curators::ReleasedSlot release(Slot slot, Round n) override {
    if constexpr (kKeepsSums) {
      return curators::release_slot(channel_, slot, n);
    } else {
      refuse();
    }
  }
  privacy::Released<double> open(Arm arm, const privacy::Secret<Outcome>& outcome) override {
    if constexpr (requires { channel_.open(arm, outcome); }) {
      return channel_.open(arm, outcome);
    } else {
      refuse();
    }
  }
  privacy::Released<double> report(Arm arm, const privacy::Secret<Outcome>& outcome) override {
    if constexpr (requires { channel_.report(arm, outcome); }) {
      return channel_.report(arm, outcome);
    } else {
      refuse();
    }
  }
  privacy::Released<double> report_sum_of_one(Arm arm, const privacy::Secret<Sum>& sum) override {
    if constexpr (requires { channel_.report_sum_of_one(arm, sum); }) {
      return channel_.report_sum_of_one(arm, sum);
    } else {
      refuse();
    }
  }
  Report report(std::span<const Arm> list, const privacy::Secret<Stop>& stop) override {
    if constexpr (kTakesListsAndStops) {
      return channel_.report(list, stop);
    } else if constexpr (kTakesStops) {
      return channel_.report(stop);
    } else {
      refuse();
    }
  }

  Channel& inside() noexcept { return channel_; }

 private:
  static constexpr bool kKeepsSums = curators::BySlot<Channel>;
  static constexpr bool kTakesStops =
      requires(Channel & channel, const privacy::Secret<Stop>& stop) {
    channel.report(stop);
  };
  static constexpr bool kTakesListsAndStops =
      requires(Channel & channel, std::span<const Arm> list, const privacy::Secret<Stop>& stop) {
    channel.report(list, stop);
  };

  [[noreturn]] static void refuse() { throw std::logic_error("not what this channel takes"); }

  Channel channel_;
};

}  // namespace tacit::simulation
