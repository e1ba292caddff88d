#include "tacit/simulation/any_channel.hpp"

#include <variant>

#include "tacit/simulation/any_channel_of.hpp"

namespace tacit::simulation {

std::unique_ptr<AnyChannel> any_channel(const curators::Plan& plan, int arms, const Backstage& b) {
  return std::visit(
      [&](const auto& p) -> std::unique_ptr<AnyChannel> {
        using Channel = decltype(channel(p, arms, b));
        return std::make_unique<AnyChannelOf<Channel>>(channel(p, arms, b));
      },
      plan);
}

}  // namespace tacit::simulation
