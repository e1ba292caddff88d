// An A/B/n test that ends when it knows who wins: three variants of a page are shown to visitors, and what any one of them
// did cannot be told from what it says. It may be looked at as often as anybody likes: what it says holds at any time.
#include <cstdio>

#include "tacit/live/policy.hpp"
#include "tacit/random/secure.hpp"

using namespace tacit;

namespace {

const char* const kNames[] = {"A", "B", "C"};

void print(const live::Policy& policy) {
  std::printf("%6lld visitors:", static_cast<long long>(policy.choices()));
  const auto shown = policy.show();
  for (std::size_t arm = 0; arm < shown.size(); ++arm) {
    const auto [low, high] = *shown[arm].interval;  // mgf-tt has them
    std::printf("  %s %.3f in [%.3f, %.3f]", kNames[arm], shown[arm].mean, low, high);
  }
  std::printf("\n");
}

}  // namespace

int main() {
  live::Policy policy(
      {.policy = "mgf-tt", .arms = 3, .epsilon = 0.5, .parameters = {{"error", "0.05"}}});
  std::printf("%s\n", policy.guarantee().because.c_str());

  random::SecureSource visitors;  // stands in for the world
  const double signs_up[] = {0.10, 0.16, 0.12};
  Round next_look = 1000;
  while (policy.verdict().empty()) {
    const live::Ticket ticket = policy.choose();
    const bool signed_up =
        static_cast<double>(visitors.word() >> 11) * 0x1p-53 < signs_up[ticket.arm()];
    policy.report(ticket, signed_up ? 1 : 0);
    if (policy.choices() < next_look) continue;
    print(policy);
    next_look *= 2;
  }
  print(policy);
  const Arm winner = policy.verdict()[0];
  if (winner != 0) {
    const auto ahead = *policy.difference(winner, 0);
    std::printf("%s is ahead of A by %.3f to %.3f\n", kNames[winner], ahead.first, ahead.second);
  }
  std::printf("%s won: at most 5%% to be wrong, epsilon %g, after %lld visitors\n", kNames[winner],
              policy.guarantee().epsilon, static_cast<long long>(policy.choices()));
}
