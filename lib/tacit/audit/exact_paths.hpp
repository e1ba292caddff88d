// Paths of an exact audit: what can be told about one user, what was, and at which loss.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tacit/audit/exact_law.hpp"
#include "tacit/core/round.hpp"

namespace tacit::audit {

/// Where an outcome of the changed user is: after so many of the arm's.
struct Place {
  Arm arm;
  Round after;
  Direction direction = Direction::kWorse;  // until it was seen in a release that others follow

  friend auto operator<=>(const Place&, const Place&) = default;
};
using Places = std::vector<Place>;

/// Something that was told of the user.
struct Event {
  const Event* before;
  Round round;
  Arm arm;
  const Possible* possible;
  const Said* said;
  Direction direction;
};

/// Of all paths to one public state, with the same left to be told of the user, the one with the largest loss.
struct Path {
  int left = 0;  // an index of places; 0: the user has not come yet
  double loss = 0;
  Round came = 0;
  const Event* story = nullptr;

  /// In words.
  std::string told() const;
};
using Paths = std::vector<Path>;

/// All is told.
inline constexpr int kNothing = -1;

/// What a release makes of a path.
struct Step {
  Path path;
  int left;
  std::optional<Direction> direction;  // none: the user is not in it
};

/// Numbers what can be left to be told, and keeps what was told.
class PathBook {
 public:
  /// `runs_on`: what was in one release is in others.
  explicit PathBook(bool runs_on) : runs_on_(runs_on) { index_of({}); }

  int index_of(const Places& places);

  /// Steps of a release in which these places are.
  template <class IsInIt>
  std::vector<Step> steps(const Paths& paths, IsInIt is_in_it);
  /// After these values of the release, if they are worse than `least` or something is left.
  Path after(const Step& step, const Possible& possible, const std::vector<const Said*>& said,
             Round round, Arm arm, double least);

 private:
  bool runs_on_;
  std::map<Places, int> indices_;
  std::vector<Places> places_;
  std::deque<Event> events_;
};

/// Adds paths to those of a public state: of two with the same left, the worse one stays.
void merge(const Paths& paths, Paths& kept);

template <class IsInIt>
std::vector<Step> PathBook::steps(const Paths& paths, IsInIt is_in_it) {
  std::vector<Step> steps;
  for (const Path& path : paths) {
    Places left = places_[static_cast<std::size_t>(path.left)];
    const auto in_it = std::find_if(left.begin(), left.end(), is_in_it);
    if (in_it == left.end()) {
      steps.push_back({path, path.left, std::nullopt});
    } else if (!runs_on_) {
      std::erase_if(left, is_in_it);
      steps.push_back({path, left.empty() ? kNothing : index_of(left), Direction::kWorse});
    } else {
      const Direction known = in_it->direction;
      for (const Direction direction : {Direction::kUp, Direction::kDown}) {
        if (known != Direction::kWorse && known != direction) continue;
        in_it->direction = direction;
        steps.push_back({path, index_of(left), direction});
      }
    }
  }
  return steps;
}

}  // namespace tacit::audit
