// The choice of a counter by a policy's parameters.
#pragma once

#include "tacit/policies/setting.hpp"
#include "tacit/privacy/counter_noise.hpp"

namespace tacit::policies {

/// Lists and reads `counter` and `arity`.
template <class V, class Parameters>
void counter_fields(V& v, privacy::Counter Parameters::*counter, int Parameters::*arity) {
  v.choice(
      "counter", counter,
      {{"tree", privacy::Counter::kTree},
       {"signed", privacy::Counter::kSigned},
       {"refined", privacy::Counter::kRefined},
       {"toeplitz", privacy::Counter::kToeplitz},
       {"hybrid", privacy::Counter::kHybrid}},
      "tree; signed: digits with signs, the least Laplace noise; refined: Honaker's; toeplitz: "
      "Gaussian noise, private up to delta; hybrid: its noise knows no horizon");
  v.integer("arity", arity, 0, 64,
            "children of a tree node, odd for signed digits; 0: the one with the least noise");
}

/// Binary digits cannot have signs: there 2, the default of binary trees, stands for the best arity.
inline privacy::CounterNoise counter_shape(const Setting& s, privacy::Counter kind, int arity) {
  using privacy::Counter;
  return {kind, s.horizon, kind == Counter::kSigned && arity == 2 ? 0 : arity};
}

}  // namespace tacit::policies
