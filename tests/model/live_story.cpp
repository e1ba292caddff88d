#include "model/live_story.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/draws.hpp"

namespace tacit::model {
namespace {

LiveStep random_step(Draws& draw, const LiveStory& story, int id) {
  LiveStep step;
  step.id = id;
  step.of = 1 + draw.below(std::max(1, id - 1));
  if (draw.one_in(2)) step.of = std::max(1, id - 1 - draw.below(4));
  const int which = draw.below(100);
  if (which < 40) {
    step.what = LiveDo::kChoose;
    step.count = draw.of({1, 1, 1, 2, 3, 5, 8, 20, 70, 200});
    if (story.policy != "dpucb-mat" && draw.one_in(3)) step.only = draw.below(story.arms);
  } else if (which < 75) {
    step.what = LiveDo::kAnswer;
    step.quarters = draw.of({4, 4, 4, 0, 1, 2});
    if (draw.one_in(3)) {
      step.from = draw.of({0, 0, 1, 3, 64, 100});
      step.number = draw.of({1, 1, 2, 10});
    }
  } else if (which < 82) {
    step.what = LiveDo::kAdvance;
  } else if (which < 86) {
    step.what = LiveDo::kKeep;
  } else if (which < 91) {
    step.what = LiveDo::kTakeUp;
  } else if (which < 95) {
    step.what = LiveDo::kMove;
  } else if (which < 97) {
    step.what = LiveDo::kCopy;
  } else {
    step.what = draw.one_in(8) ? LiveDo::kFork : LiveDo::kPutBack;
  }
  return step;
}

std::string text_of(const LiveStep& step) {
  const auto those = [&] {
    if (step.from == 0 && step.number >= 1 << 20) return fmt::format("#{}", step.of);
    return fmt::format("#{} ({} from place {} on)", step.of,
                       step.number >= 1 << 20 ? "all" : fmt::format("{}", step.number), step.from);
  };
  switch (step.what) {
    case LiveDo::kChoose:
      return fmt::format("#{}: choose {} times{}", step.id, step.count,
                         step.only >= 0 ? fmt::format(", among arm {} alone", step.only) : "");
    case LiveDo::kAnswer: return fmt::format("answer {} with {}", those(), 0.25 * step.quarters);
    case LiveDo::kAdvance: return "advance";
    case LiveDo::kKeep: return "keep";
    case LiveDo::kTakeUp: return "take up what was kept last";
    case LiveDo::kMove: return "save and load";
    case LiveDo::kCopy: return "copy what is kept";
    case LiveDo::kPutBack: return "put that copy back, and take it up";
    case LiveDo::kFork: return "fork, and the child tries to go on";
  }
  return "";
}

}  // namespace

LiveStory random_live_story(std::uint64_t number) {
  Draws draw("live", number);
  LiveStory story{.number = number, .in_a_store = draw.one_in(2)};
  story.policy = draw.of(
      {"anytime-lazy-ucb", "anytime-lazy-ucb", "mgf-imed", "ftnl", "dpucb-mat", "ldp-ucb-bits"});
  story.arms = story.policy == "dpucb-mat" ? 3 : 2 + draw.below(2);
  story.wait = draw.of({0, 0, 1, 5, 40});
  story.missing = draw.of({0.0, 0.0, 0.5, 1.0});
  const int length = 5 + draw.below(30);
  for (int id = 1; id <= length; ++id) story.steps.push_back(random_step(draw, story, id));
  return story;
}

std::vector<LiveStep> simpler_steps(const LiveStep& step) {
  std::vector<LiveStep> all;
  const auto add = [&](auto change) {
    LiveStep other = step;
    change(other);
    if (!(other == step)) all.push_back(other);
  };
  if (step.count > 1) {
    for (const int count : {1, 2, step.count / 2, step.count - step.count / 8, step.count - 1}) {
      add([&](LiveStep& s) { s.count = std::max(1, count); });
    }
  }
  add([](LiveStep& s) { s.only = -1; });
  add([](LiveStep& s) { s.from = 0, s.number = LiveStep().number; });
  add([](LiveStep& s) { s.quarters = 4; });
  return all;
}

std::vector<LiveStory> simpler_stories(const LiveStory& story) {
  std::vector<LiveStory> all;
  const auto add = [&](auto change) {
    LiveStory other = story;
    change(other);
    if (!(other == story)) all.push_back(other);
  };
  add([](LiveStory& s) { s.policy = LiveStory().policy; });
  add([](LiveStory& s) { s.arms = std::min(s.arms, s.policy == "dpucb-mat" ? 3 : 2); });
  add([](LiveStory& s) { s.wait = 0; });
  add([](LiveStory& s) { s.missing = 0; });
  return all;
}

std::string text_of(const LiveStory& story) {
  std::string text = fmt::format("history {}, {}: {}, {} arms, wait {}, missing {}\n", story.number,
                                 story.in_a_store ? "in a store" : "a rehearsal", story.policy,
                                 story.arms, story.wait, story.missing);
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    text += fmt::format("{:3}. {}\n", i + 1, text_of(story.steps[i]));
  }
  return text;
}

}  // namespace tacit::model
