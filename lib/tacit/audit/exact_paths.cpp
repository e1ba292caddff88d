#include "tacit/audit/exact_paths.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tacit/core/slot.hpp"

namespace tacit::audit {

std::string Path::told() const {
  std::string text;
  for (const Event* event = story; event != nullptr; event = event->before) {
    const std::string arm = event->arm == kAllArms ? "" : fmt::format(", arm {}", event->arm + 1);
    text.insert(0, fmt::format("; after round {}{}: {}", event->round, arm,
                               event->possible->words(*event->said, event->direction)));
  }
  return fmt::format("the user of round {}{}", came, text);
}

int PathBook::index_of(const Places& places) {
  const auto [found, is_new] = indices_.try_emplace(places, static_cast<int>(places_.size()));
  if (is_new) places_.push_back(places);
  return found->second;
}

Path PathBook::after(const Step& step, const Possible& possible,
                     const std::vector<const Said*>& said, Round round, Arm arm, double least) {
  Path path = step.path;
  path.left = step.left;
  if (!step.direction) return path;
  for (const Said* one : said) path.loss += one->loss(*step.direction);
  if (path.left == kNothing && path.loss <= least) return path;
  for (const Said* one : said) {
    events_.push_back({path.story, round, arm, &possible, one, *step.direction});
    path.story = &events_.back();
  }
  return path;
}

void merge(const Paths& paths, Paths& kept) {
  for (const Path& path : paths) {
    const auto same = std::find_if(kept.begin(), kept.end(),
                                   [&](const Path& other) { return other.left == path.left; });
    if (same == kept.end()) {
      kept.push_back(path);
    } else if (path.loss > same->loss) {
      *same = path;
    }
  }
}

}  // namespace tacit::audit
