#include "tacit/core/tournament.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <random>
#include <vector>

namespace tacit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The same by looking at everybody.
class EverybodyLooked {
 public:
  explicit EverybodyLooked(int players) : players_(static_cast<std::size_t>(players)) {}

  struct Player {
    double number;
    bool open;
    bool operator==(const Player&) const = default;
  };
  std::optional<Player>& operator[](int player) {
    return players_[static_cast<std::size_t>(player)];
  }

  static bool less(const Player& a, const Player& b) {
    return a.number < b.number || (a.number == b.number && !a.open && b.open);
  }
  std::optional<Player> best(int without = -1) const {
    std::optional<Player> best;
    for (int i = 0; i < static_cast<int>(players_.size()); ++i) {
      const auto& player = players_[static_cast<std::size_t>(i)];
      if (i != without && player && (!best || less(*best, *player))) best = player;
    }
    return best;
  }
  std::vector<int> all_like(const Player& best) const {
    std::vector<int> all;
    for (int i = 0; i < static_cast<int>(players_.size()); ++i) {
      if (players_[static_cast<std::size_t>(i)] == best) all.push_back(i);
    }
    return all;
  }
  std::vector<int> from(double least) const {
    std::vector<int> all;
    for (int i = 0; i < static_cast<int>(players_.size()); ++i) {
      const auto& player = players_[static_cast<std::size_t>(i)];
      if (player && player->number >= least) all.push_back(i);
    }
    return all;
  }

 private:
  std::vector<std::optional<Player>> players_;
};

void expect_like(Tournament& tournament, const EverybodyLooked& all, int player) {
  const auto best = all.best();
  ASSERT_EQ(tournament.winner().empty(), !best.has_value());
  if (best) {
    const std::vector<int> tied = all.all_like(*best);
    ASSERT_EQ(tournament.winner().number, best->number);
    ASSERT_EQ(tournament.winner().open(), best->open);
    ASSERT_EQ(tournament.winner().player, tied.front());
    ASSERT_EQ(std::abs(tournament.winner().equal), static_cast<int>(tied.size()));
    for (std::size_t k = 0; k < tied.size(); ++k) {
      ASSERT_EQ(tournament.tied_winner(static_cast<int>(k)), tied[k]);
    }
    std::vector<int> found;
    tournament.for_each_from(best->number - 1, [&](int i) { found.push_back(i); });
    ASSERT_EQ(found, all.from(best->number - 1));
  }
  const auto next = all.best(player);
  const Tournament::Entry entry = tournament.winner_without(player);
  ASSERT_EQ(entry.empty(), !next.has_value());
  if (next) {
    ASSERT_EQ(entry.number, next->number);
    ASSERT_EQ(entry.open(), next->open);
  }
}

TEST(Tournament, KnowsWhatLookingAtEverybodyWouldTell) {
  std::mt19937_64 random(5);  // NOLINT: the same every time
  for (const int players : {1, 2, 3, 5, 8, 33, 200}) {
    Tournament tournament(players);
    EverybodyLooked all(players);
    const auto number = [&] {
      const auto word = random() % (players > 100 ? 3 : 8);  // few values, so that many are equal
      return word == 0 ? kInfinity : (word == 1 ? -kInfinity : static_cast<double>(word));
    };
    for (int change = 0; change < 2000; ++change) {
      const int player = static_cast<int>(random() % static_cast<unsigned>(players));
      if (random() % 50 == 0) {  // everybody at once
        for (int i = 0; i < players; ++i) {
          all[i] = EverybodyLooked::Player{number(), random() % 2 == 0};
          tournament.prepare(i, all[i]->number, all[i]->open);
        }
        tournament.settle();
      } else if (random() % 4 == 0) {
        all[player].reset();
        tournament.remove(player);
      } else {
        all[player] = EverybodyLooked::Player{number(), random() % 2 == 0};
        tournament.set(player, all[player]->number, all[player]->open);
      }
      expect_like(tournament, all, player);
    }
  }
}

TEST(Tournament, IsEmptyAtFirst) {
  const Tournament tournament(3);
  EXPECT_TRUE(tournament.winner().empty());
  EXPECT_TRUE(tournament.winner_without(1).empty());
}

}  // namespace
}  // namespace tacit
