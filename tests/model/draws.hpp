// What a random history is made of.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::model {

class Draws {
 public:
  Draws(std::string_view of, std::uint64_t number)
      : stream_(random::SimulationKey(number, "model", of, 0).stream(random::Purpose::kDecisions)) {
  }

  int below(int n) { return random::uniform_index(stream_, n); }
  bool one_in(int n) { return below(n) == 0; }
  template <class T>
  T of(std::initializer_list<T> all) {
    return *(all.begin() + below(static_cast<int>(all.size())));
  }

 private:
  random::SimulationStream stream_;
};

}  // namespace tacit::model
