// Where an axis has its ticks, and what is written there.
#pragma once

#include <string>
#include <vector>

#include "tacit/reports/frame.hpp"

namespace tacit::reports {

struct Tick {
  double value = 0;
  std::string label;  // as gnuplot's enhanced text; empty: a small one, between others
};

/// "0", "0.5", "20k", "2M": short enough to stand side by side, and in the unit of the largest beside it.
std::string short_number(double value, double largest = 0);

/// At round numbers: few enough to be read.
std::vector<Tick> linear_ticks(const Range& range);
/// At powers of ten, or, where there are less than two of them, at 1, 2 and 5 times these.
std::vector<Tick> logarithmic_ticks(const Range& range);

/// Of a panel's x axis: a sweep over a few values has its ticks there, on an axis that has no other readable ones.
std::vector<Tick> x_ticks(const Frame& frame, const Panel& panel);
std::vector<Tick> y_ticks(const Frame& frame);

}  // namespace tacit::reports
