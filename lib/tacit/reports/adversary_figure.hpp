// Chandak's Figure 2.1: how often an attacker who knows everything but one user's bit must fail, and how often
// the best attackers on two mechanisms do.
#pragma once

#include "tacit/reports/paper_figure.hpp"

namespace tacit::reports {

PaperFigure adversary_figure();
ReproducedFigure reproduce_adversary();

}  // namespace tacit::reports
