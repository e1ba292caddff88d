// A shop that learns which of four banners sells, and not from whom. Visitors come, are shown a banner, and buy or do not,
// some of them much later; the shop is shut and opened again in between.
#include <cstdio>
#include <filesystem>
#include <utility>
#include <vector>

#include "tacit/live/policy.hpp"
#include "tacit/random/secure.hpp"

using namespace tacit;

int main() {
  const live::Setup banners{.policy = "mgf-imed", .arms = 4, .epsilon = 1, .wait = 100};
  const auto key = privacy::SealingKey::fresh();  // in production: SealingKey::from_text()
  const auto folder = std::filesystem::temp_directory_path() / "tacit_shop";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);

  live::FileStore store(folder / "banners");
  live::Policy policy = live::Policy::open(banners, store, key);
  std::printf("%s: %s\n", banners.policy.c_str(), policy.guarantee().because.c_str());

  random::SecureSource visitors;  // stands in for the world
  const double buys[] = {0.05, 0.04, 0.12, 0.06};
  std::vector<std::string> undecided;  // tickets of those who think about it
  const auto answer = [&](const live::Ticket& ticket) {
    const bool bought = static_cast<double>(visitors.word() >> 11) * 0x1p-53 < buys[ticket.arm()];
    policy.report(ticket, bought ? 1 : 0);
  };
  for (int visitor = 0; visitor < 20000; ++visitor) {
    if (visitor == 10000) {  // the night: the program ends, and another takes over
      policy.keep();
      policy = live::Policy::open(banners, store, key);
    }
    const live::Ticket ticket = policy.choose();
    switch (visitors.word() % 4) {
      case 0: break;                                      // leaves, and never tells
      case 1: undecided.push_back(ticket.text()); break;  // answers some time
      default: answer(ticket);
    }
    if (undecided.size() > 50) {
      answer(live::Ticket::from_text(undecided.front()));
      undecided.erase(undecided.begin());
    }
  }
  const auto shown = policy.show();
  for (std::size_t arm = 0; arm < shown.size(); ++arm) {
    std::printf("banner %zu: %6.0f shown, %.3f bought", arm, shown[arm].n, shown[arm].mean);
    const auto between = shown[arm].interval.value_or(std::pair(0.0, 1.0));
    std::printf(", between %.3f and %.3f\n", between.first, between.second);
  }
  const privacy::Guarantee g = policy.guarantee();
  std::printf("epsilon %g, %s noise, %s randomness; %llu releases\n", g.epsilon,
              privacy::name_of(g.arithmetic), privacy::name_of(g.randomness),
              static_cast<unsigned long long>(policy.releases()));
}
