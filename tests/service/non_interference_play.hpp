// A service over its sockets, played by two hands: one that everybody may watch - it asks, shows, reads and operates - and one
// that says what came of the decisions. What the first hand is told, and what the service writes into its log, is kept byte by
// byte, to be compared with a world in which the second hand says something else.
//
// Time is the play's, coins and dice are fixed, keys are a copy, and releases are numbers that no outcome moved: all else that is
// seen must be a function of what the first hand does.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tacit/service/http/exchange.hpp"
#include "tacit/service/service.hpp"

namespace tacit::service {

class ClockOfPlay final : public Clock {
 public:
  Time now() override { return now_.load(); }
  void advance(Time by) { now_ += by; }

 private:
  std::atomic<Time> now_ = 20'000 * kDay;
};

/// A folder in memory, where there is one; removed at the end.
class PlayFolder {
 public:
  PlayFolder();
  ~PlayFolder();
  PlayFolder(const PlayFolder&) = delete;
  PlayFolder& operator=(const PlayFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

struct Game {
  std::string policy;
  Durability durability = Durability::kStrict;
  std::uint64_t seed = 1;
  int steps = 120;
};

/// What the second hand says: values, order, absence, duplicates, lateness, batches, wrong shapes.
struct Records {
  bool at_once = false;    // everybody answers, as soon as can be
  std::uint64_t seed = 0;  // of anything; 0: nothing, but for those at once
};

/// All that can be seen.
struct Told {
  std::vector<std::string> answers;  // to the first hand, each after its request
  std::string log;
  std::vector<std::string> streams;  // of GET /v1/stream, start by start
  std::set<std::string> accepted;    // the answers of all reports that were taken
  std::set<std::string>
      unlike;  // those of well-formed reports that were neither taken nor too many
  int reports = 0;
  int releases = 0;  // of the experiment that is played
};

/// In the place of the service's own door, one that tells more than it may.
using Mutation = std::function<http::Handler(Service&, ClockOfPlay&, http::Handler)>;

Told play(const Game& game, const Records& records, const Mutation& mutation = nullptr);

/// The first thing that differs, in short; "": none.
std::string difference(const Told& one, const Told& other);

}  // namespace tacit::service
