// What may happen to a policy that an application holds, as a list of steps that a person can read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tacit::model {

enum class LiveDo {
  kChoose,   // `count` times
  kAnswer,   // those choices
  kAdvance,  // what is due is released
  kKeep,
  kTakeUp,   // what was kept last, by another program: as after a crash
  kMove,     // all of it, at once: save() and load()
  kCopy,     // what is kept
  kPutBack,  // that copy in the place of what is kept, and take it up
  kFork,     // a child tries to go on
};

struct LiveStep {
  LiveDo what = LiveDo::kAdvance;
  int id = 0;  // of what is chosen
  int count = 1;
  int only = -1;         // among this arm alone; -1: all
  int of = 0;            // the step whose choices are meant
  int from = 0;          // the first of them that is meant
  int number = 1 << 20;  // and how many
  int quarters = 4;

  friend bool operator==(const LiveStep&, const LiveStep&) = default;
};

struct LiveStory {
  std::uint64_t number = 0;
  bool in_a_store =
      false;  // with secure randomness; else a rehearsal, beside a twin that nobody answers
  std::string policy = "anytime-lazy-ucb";
  int arms = 2;
  std::int64_t wait = 0;
  double missing = 0;
  std::vector<LiveStep> steps = {};

  friend bool operator==(const LiveStory&, const LiveStory&) = default;
};

LiveStory random_live_story(std::uint64_t number);
std::vector<LiveStep> simpler_steps(const LiveStep& step);
std::vector<LiveStory> simpler_stories(const LiveStory& story);
std::string text_of(const LiveStory& story);

}  // namespace tacit::model
