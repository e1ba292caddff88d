#include "tacit/policies/recipes/as_published/cascade.hpp"

#include <fmt/format.h>

#include "tacit/policies/make_entry.hpp"

namespace tacit::policies {

template <>
Entry entry_of<recipes::CascadeDpHybridAsPublished>() {
  return make_entry<recipes::CascadeDpHybridAsPublished>();
}
template <>
Entry entry_of<recipes::CascadeLdpLaplaceAsPublished>() {
  return make_entry<recipes::CascadeLdpLaplaceAsPublished>();
}
template <>
Entry entry_of<recipes::CascadeLdpGaussianAsPublished>() {
  return make_entry<recipes::CascadeLdpGaussianAsPublished>();
}
template <>
Entry entry_of<recipes::CascadeLdpComposedAsPublished>() {
  Entry entry = make_entry<recipes::CascadeLdpComposedAsPublished>();
  // Besides leaking where users stop, it shares epsilon out by a rule that ends.
  entry.guarantee = [](const Setting& s, const Entry::Given& given,
                       privacy::Arithmetic arithmetic) {
    privacy::Guarantee guarantee =
        make_entry<recipes::CascadeLdpComposedAsPublished>().guarantee(s, given, arithmetic);
    constexpr double kEnds = recipes::CascadeLdpComposedAsPublished::kRuleEnds;
    if (s.epsilon > kEnds) {
      guarantee.because += fmt::format(
          "; and epsilon {} is beyond the {} up to which the rule that it is shared out by is "
          "proved (Kairouz, Oh & Viswanath 2015, Cor. 4.1)",
          *s.epsilon, kEnds);
    }
    return guarantee;
  };
  return entry;
}

}  // namespace tacit::policies
