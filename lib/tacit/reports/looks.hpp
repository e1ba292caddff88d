// How each line of a figure is drawn, so that a reader can name every one of them.
//
//   colour   by the policy, in all figures alike (palette.hpp); an upper bound has its policy's, what is nobody's is grey
//   mark     by the policy; where several lines share a colour, each has another
//   dashes   solid: keeps its promise; dashed: protects nobody; dash-dotted: a bound that holds at every horizon; dotted: an
//            asymptotic one; dashes and two dots: minimax; sparse dots: no bound, but what to compare with; fine dots: a fit
#pragma once

#include "tacit/reports/figure.hpp"

namespace tacit::reports {

/// Lines of one label look the same in all panels, and no two labels look the same.
void give_looks(Figure& figure);

}  // namespace tacit::reports
