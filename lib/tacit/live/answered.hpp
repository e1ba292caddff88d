// Which tickets were answered, of policies that take reports: public, since reports are. Kept as stretches of
// numbers, which are few while most answers come.
#pragma once

#include <cstddef>
#include <iterator>
#include <map>
#include <vector>

#include "tacit/core/round.hpp"

namespace tacit::live {

class Answered {
 public:
  bool known(Round number) const {
    const auto next = stretches_.upper_bound(number);
    return next != stretches_.begin() && number <= std::prev(next)->second;
  }
  /// It is answered: joins the stretches beside it.
  void note(Round number) {
    if (known(number)) return;
    Round last = number;
    auto next = stretches_.upper_bound(number);
    if (next != stretches_.end() && next->first == number + 1) {
      last = next->second;
      next = stretches_.erase(next);
    }
    if (next != stretches_.begin() && std::prev(next)->second == number - 1) {
      std::prev(next)->second = last;
    } else {
      stretches_[number] = last;
    }
  }

  template <class Archive>
  void state(Archive& archive) {
    std::vector<Round> ends;
    for (const auto& [from, to] : stretches_) ends.insert(ends.end(), {from, to});
    archive(ends);
    stretches_.clear();
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) stretches_[ends[i]] = ends[i + 1];
  }

 private:
  std::map<Round, Round> stretches_;  // first number to last
};

}  // namespace tacit::live
