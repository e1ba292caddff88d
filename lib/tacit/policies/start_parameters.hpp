// The parameter of policies on bases that says in which order arms are seen for the first time.
#pragma once

#include "tacit/actions/action_set.hpp"

namespace tacit::policies {

struct StartParameters {
  actions::Start start = actions::Start::kGreedy;
  template <class V>
  static void fields(V& v) {
    v.choice("start", &StartParameters::start,
             {{"greedy", actions::Start::kGreedy}, {"edmonds", actions::Start::kEdmonds}},
             "arms never seen come in random order, or by the fewest bases that hold all of them");
  }
};

}  // namespace tacit::policies
