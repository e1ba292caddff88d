// A history that fails, made as short as can be: steps are left out as long as it fails without them, many at once and then one by
// one (delta debugging, Zeller & Hildebrandt 2002); then what is left is made simpler, step by step and as a whole.
//
// A story has `steps`, a vector of equality-comparable steps; simpler_steps(step) and simpler_stories(story) say what is tried in
// the place of one, the simplest first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <functional>
#include <vector>

namespace tacit::model {

template <class Story>
class Shrinker {
 public:
  using Fails = std::function<bool(const Story&)>;

  Shrinker(Story story, Fails fails) : story_(std::move(story)), fails_(std::move(fails)) {}

  Story shrunk() {
    for (bool simpler = true; simpler && !is_over();) {
      simpler = leave_out();
      simpler = make_simpler() || simpler;
    }
    return story_;
  }

 private:
  bool takes(Story other) {
    if (is_over()) return false;
    if (!fails_(other)) return false;
    story_ = std::move(other);
    return true;
  }

  bool leave_out() {
    bool any = false;
    for (std::size_t size = std::max<std::size_t>(1, story_.steps.size() / 2); size > 0;
         size /= 2) {
      for (std::size_t end = story_.steps.size(); end > 0;) {
        const std::size_t begin = end > size ? end - size : 0;
        Story other = story_;
        other.steps.erase(other.steps.begin() + static_cast<std::ptrdiff_t>(begin),
                          other.steps.begin() + static_cast<std::ptrdiff_t>(end));
        any = takes(std::move(other)) || any;
        end = begin;
      }
    }
    return any;
  }

  bool make_simpler() {
    bool any = false;
    for (std::size_t i = 0; i < story_.steps.size(); ++i) {
      for (const auto& step : simpler_steps(story_.steps[i])) {
        Story other = story_;
        other.steps[i] = step;
        if (takes(std::move(other))) {
          any = true;
          break;
        }
      }
    }
    for (const Story& other : simpler_stories(story_)) any = takes(other) || any;
    return any;
  }

  Story story_;
  /// What has failed is told all the same, if longer.
  bool is_over() const { return std::clock() - began_ > kSeconds * CLOCKS_PER_SEC; }

  static constexpr std::clock_t kSeconds = 30;  // of the processor
  Fails fails_;
  const std::clock_t began_ = std::clock();
};

template <class Story>
Story shrunk(Story story, std::function<bool(const Story&)> fails) {
  return Shrinker<Story>(std::move(story), std::move(fails)).shrunk();
}

}  // namespace tacit::model
