// The largest of many numbers, kept up to date while they change one by one: every inner node of a tree knows the winner
// of the leaves below it. A change costs O(log n), the winner nothing. Many that are tied are listed besides, so that one of
// them is found at once; who joins or leaves them costs as much as the list is moved by.
//
// A number is open or closed. Closed ones are known exactly, open ones are upper bounds of something that is not: among
// equal numbers an open one wins, so that a closed winner has nothing above it that it could turn out to tie with but
// other closed ones, which are counted.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <vector>

namespace tacit {

class Tournament {
 public:
  /// Small, since a choice walks through many: the sign of `equal` says whether they are open.
  struct Entry {
    double number = -std::numeric_limits<double>::infinity();
    int player = -1;
    int equal = 0;  // how many below are as good, negative when they are open; 0: nobody is there

    bool empty() const noexcept { return equal == 0; }
    bool open() const noexcept { return equal < 0; }
  };

  explicit Tournament(int players)
      : leaves_(std::bit_ceil(static_cast<std::size_t>(players))), nodes_(2 * leaves_) {}

  const Entry& winner() const noexcept { return nodes_[1]; }
  const Entry& of(int player) const noexcept {
    return nodes_[leaves_ + static_cast<std::size_t>(player)];
  }

  void set(int player, double number, bool open) { put(player, {number, player, open ? -1 : 1}); }
  /// Takes a player out until the next set().
  void remove(int player) { put(player, {}); }
  /// Changes a number without playing the matches; all are played by settle().
  void prepare(int player, double number, bool open) noexcept {
    nodes_[leaves_ + static_cast<std::size_t>(player)] = {number, player, open ? -1 : 1};
  }
  void settle() noexcept {
    listed_number_ = kNone;
    for (std::size_t i = leaves_ - 1; i > 0; --i) {
      nodes_[i] = better(nodes_[2 * i], nodes_[2 * i + 1]);
    }
  }

  /// The winner among all others.
  Entry winner_without(int player) const noexcept {
    Entry best;
    for (std::size_t i = leaves_ + static_cast<std::size_t>(player); i > 1; i /= 2) {
      best = better(best, nodes_[i ^ 1U]);
    }
    return best;
  }
  /// Of those that are as good as the winner the one that comes `skip`-th.
  int tied_winner(int skip) {
    constexpr int kFew = 32;
    if (nodes_[1].open() || nodes_[1].equal < kFew) return find_tied_winner(skip);
    if (nodes_[1].number != listed_number_) list_equal();
    return listed_[static_cast<std::size_t>(skip)];
  }
  /// Calls f(player) for all whose number is `least` or more.
  template <class F>
  void for_each_from(double least, F f) const {
    visit(1, least, f);
  }

 private:
  static Entry better(const Entry& a, const Entry& b) noexcept {
    if (b.empty() || a.number > b.number) return a;
    if (a.empty() || b.number > a.number) return b;
    if (a.open() != b.open()) return a.open() ? a : b;
    return {a.number, a.player, a.equal + b.equal};
  }
  bool as_good(const Entry& entry) const noexcept {
    return !entry.empty() && entry.number == nodes_[1].number && entry.open() == nodes_[1].open();
  }

  int find_tied_winner(int skip) const noexcept {
    std::size_t i = 1;
    while (i < leaves_) {
      i *= 2;
      const int here = as_good(nodes_[i]) ? std::abs(nodes_[i].equal) : 0;
      if (skip >= here) {
        skip -= here;
        ++i;
      }
    }
    return nodes_[i].player;
  }

  bool is_listed(const Entry& leaf) const noexcept {
    return leaf.equal > 0 && leaf.number == listed_number_;
  }
  void list_equal() {
    listed_number_ = nodes_[1].number;
    listed_.clear();
    for (std::size_t i = leaves_; i < nodes_.size(); ++i) {
      if (is_listed(nodes_[i])) listed_.push_back(nodes_[i].player);
    }
  }
  void update_list(int player, const Entry& before, const Entry& after) {
    if (is_listed(before) == is_listed(after)) return;
    const auto place = std::lower_bound(listed_.begin(), listed_.end(), player);
    if (is_listed(after)) {
      listed_.insert(place, player);
    } else {
      listed_.erase(place);
    }
  }

  void put(int player, const Entry& entry) {
    std::size_t i = leaves_ + static_cast<std::size_t>(player);
    update_list(player, nodes_[i], entry);
    nodes_[i] = entry;
    for (i /= 2; i > 0; i /= 2) nodes_[i] = better(nodes_[2 * i], nodes_[2 * i + 1]);
  }

  template <class F>
  void visit(std::size_t node, double least, F& f) const {
    if (nodes_[node].empty() || nodes_[node].number < least) return;
    if (node >= leaves_) {
      f(nodes_[node].player);
      return;
    }
    visit(2 * node, least, f);
    visit(2 * node + 1, least, f);
  }

  std::size_t leaves_;
  std::vector<Entry> nodes_;  // 1 is the root, the children of i are 2i and 2i + 1
  // Where many are tied again and again, those that are: the closed ones with this number, in order.
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double listed_number_ = kNone;
  std::vector<int> listed_;
};

}  // namespace tacit
