// kill -9 under load, at random moments and at every point of a commit and of a release: no sum is wrong, no slot is released
// twice, and no outcome that was acknowledged is lost.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include <fmt/format.h>

#include "service/kill_trial.hpp"

namespace tacit::service {
namespace {

using std::chrono::milliseconds;

/// How a life ends.
struct Death {
  std::string how;
  Trial::Words words;    // by itself
  milliseconds after{};  // else, by us: so long after it was started
};

class Deaths {
 public:
  Death next() {
    // Points that come once a batch, and those that come once a tick.
    const int which = any(100);
    if (which < 35) return at("committed", 60);
    if (which < 48) return at("written", 60);
    if (which < 52) return at("answered", 60);
    if (which < 57) return at("drawn", 4);
    if (which < 61) return at("released", 4);
    if (which < 65) return at("published", 4);
    if (which < 77) return {"at a write", {"--disk", fmt::format("kill:{}", 1 + any(1500))}};
    return {"at random", {}, milliseconds(1 + any(350))};
  }

 private:
  int any(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  Death at(const std::string& point, int most) {
    return {point, {"--kill-at", fmt::format("{}:{}", point, 1 + any(most))}};
  }
  std::mt19937_64 random_{9};
};

void kill_often(int times, std::size_t least_exact, Durability durability = Durability::kStrict) {
  const Folder folder;
  Trial trial(folder.path(), durability);
  Deaths deaths;
  std::map<std::string, int> hits;
  for (int i = 0; i < times && !testing::Test::HasFailure(); ++i) {
    Death death = deaths.next();
    death.words.insert(death.words.end(), {"--rotate", "500"});
    const auto begun = std::chrono::steady_clock::now();
    const bool ready = trial.start(death.words);
    if (ready) trial.open_doors();
    bool by_itself = false;
    if (death.after == milliseconds{}) {
      constexpr milliseconds kPatience{10000};  // for a point that this life does not come to
      by_itself = trial.service().await_end(kPatience) || !ready;
    } else {
      std::this_thread::sleep_until(begun + death.after);
    }
    trial.close_doors();
    ASSERT_TRUE(trial.service().was_killed())
        << death.how << ": " << trial.service().end() << ": " << trial.said();
    // Before it is ready nobody waits for an answer.
    const bool hit = by_itself || death.after > milliseconds{};
    ++hits[hit ? death.how + (ready ? "" : ", at the start") : "in the end"];
  }
  for (const auto& [how, many] : hits) fmt::print("  {}: {} times\n", how, many);
  EXPECT_EQ(trial.counts().refused, 0U)
      << "a decision was answered " << trial.counts().refused_with;
  // What is durable, and not acknowledged. (A few kills may be few there, too.)
  EXPECT_GE(hits["committed"] * 10, times > 20 ? times : 10);
  trial.finish(least_exact);
}

TEST(Killed, AFewTimesLosesNothing) { kill_often(12, 20); }
TEST(Killed, OftenLosesNothing) { kill_often(120, 100); }
TEST(Killed, OftenLosesNoOutcomeOfADecisionThatIsDurable) { kill_often(60, 60, Durability::kFast); }
TEST(Killed, AThousandTimesLosesNothing) { kill_often(1000, 600); }

}  // namespace
}  // namespace tacit::service
