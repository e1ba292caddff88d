// What may happen to a service, as a list of steps that a person can read: random, and simpler ones of one that fails. A step names
// the decisions of an earlier one by that one's number; where it was left out there is nothing to do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tacit/core/slot.hpp"
#include "tacit/service/time.hpp"

namespace tacit::model {

using service::Time;

/// What an experiment is made with.
struct Trial {
  std::string policy = "anytime-lazy-ucb";
  int arms = 2;
  double epsilon = 1;  // of a decision
  int cap = 0;         // 0: no user
  Time period = 0;
  Time wait = service::kSecond;
  double missing = 0;
  Time max_age = 0;
  Time sticky = 0;
  double floor = 0;
  double holdout = 0;

  double debit() const { return cap == 0 ? epsilon : epsilon * cap; }
  /// "trial0", of the population that it belongs to.
  nlohmann::ordered_json spec(std::size_t number) const;
  friend bool operator==(const Trial&, const Trial&) = default;
};

enum class Do {
  kBegin,     // the experiment
  kAsk,       // `count` decisions
  kActivate,  // those of an ask
  kAnswer,    // likewise
  kWait,      // `by`, with a tick at every second at which something is due
  kSleep,     // `by`, and the machine wakes up at the end
  kRestart,   // and `by` passes; below 0: with a clock that is so far behind
  kLose,      // decisions that are asked for while the disk is full, and `order`
  kCrash,     // likewise, and then the process is killed
  kRotate,
  kBackUp,
  kPutBack,  // the last copy of the store; before there is one: a new store
  kPause,
  kGoOn,
  kStop,
  kArchive,
  kHoldout,  // `share`
  kFloor,    // likewise
  kMaxAge,   // `by`
  kSticky,   // likewise
  kAddArm,
  kRetire,  // the last arm that is left
};

struct Step {
  Do what = Do::kWait;
  int id = 0;  // of an ask
  std::size_t trial = 0;
  int unit = 0;  // 0: none
  int count = 1;
  bool defer = false;
  bool record = true;
  int only = -1;          // among this arm alone; -1: all
  int of = 0;             // the ask that is meant
  int from = 0;           // the first of its decisions that is meant
  int number = 1 << 20;   // and how many of them
  int quarters = 4;       // of an outcome: 0 to 4
  bool deferred = false;  // what is answered is the event that was asked for, not the active one
  Time by = 0;
  double share = 0;
  Do order = Do::kAsk;  // while the disk is full: to stop, pause or go on

  friend bool operator==(const Step&, const Step&) = default;
};

struct Story {
  std::uint64_t number = 0;  // also of the coins
  bool fast = false;         // durability
  double people = 4;         // budgets
  double members = 16;
  std::vector<Trial> trials = {};
  std::vector<Step> steps = {};

  friend bool operator==(const Story&, const Story&) = default;
};

Story random_story(std::uint64_t number);
std::vector<Step> simpler_steps(const Step& step);
std::vector<Story> simpler_stories(const Story& story);
std::string text_of(const Story& story);

}  // namespace tacit::model
