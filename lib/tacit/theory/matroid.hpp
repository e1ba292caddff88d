// Bounds for bases of a matroid: Chandak's thesis, "Differentially private algorithms for efficient online
// matroid optimization" (University of Alberta).
//
// Thm 9, an order in the thesis, made explicit. Let e be an arm outside the best basis A*, and D_1 >= ... >=
// D_k its positive gaps to the arms of A*. With n(D) the smallest power of two >= 24 ln(KT)/(D min(D, eps/K))
// (the thesis uses 27), e is played in place of an arm it falls short of by D only while its epoch is shorter
// than n(D), that is in its first 2 n(D) - 1 rounds, or when an estimate strays. So e costs at most
//   D_1 (2 n(D_1) - 1) + sum_{j>1} D_j 2 (n(D_j) - n(D_{j-1})).
// In round t some of the L estimates strays, at one of at most log2 t epochs, with probability at most L log2 t
// (u^3/2 + u^6), u = 1/(Kt), and at most K is lost then: less than 0.2 L over all rounds.
#pragma once

#include "tacit/theory/instance.hpp"
#include "tacit/theory/number.hpp"

namespace tacit::theory {

/// The sum above over e, plus 0.2 L, at most T times the largest gap. Of dpucb-mat on the bases of a matroid,
/// at every T.
Number lazy_basis_upper(const Instance& instance);

}  // namespace tacit::theory
