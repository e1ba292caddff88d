// Masses of many arms in a few cells: each cell's total, and the arm at a position when a cell's masses are laid end
// to end. Both in O(log arms); a change of one arm's masses likewise, for every cell.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "tacit/core/round.hpp"

namespace tacit::policies {

template <int kCells>
class MassTree {
 public:
  using Masses = std::array<double, kCells>;

  struct Found {
    Arm arm;          // beyond the last arm where rounding carried the position there
    double position;  // what is left of it within that arm's mass
  };

  explicit MassTree(int arms) : leaves_(1) {
    while (leaves_ < static_cast<std::size_t>(arms)) leaves_ *= 2;
    nodes_.assign(2 * leaves_ * kCells, 0);
  }

  double total(int cell) const noexcept { return of_cell(cell)[1]; }

  Found at(int cell, double position) const noexcept {
    const double* node = of_cell(cell);
    std::size_t i = 1;
    while (i < leaves_) {
      const double left = node[2 * i];
      const bool right = position >= left;
      position -= right ? left : 0;
      i = 2 * i + (right ? 1 : 0);
    }
    return {static_cast<Arm>(i - leaves_), position};
  }

  void set(Arm arm, const Masses& masses) noexcept {
    for (int cell = 0; cell < kCells; ++cell) {
      double* node = of_cell(cell);
      std::size_t i = leaves_ + static_cast<std::size_t>(arm);
      node[i] = masses[static_cast<std::size_t>(cell)];
      for (i /= 2; i > 0; i /= 2) node[i] = node[2 * i] + node[2 * i + 1];
    }
  }

 private:
  const double* of_cell(int cell) const noexcept {
    return nodes_.data() + 2 * leaves_ * static_cast<std::size_t>(cell);
  }
  double* of_cell(int cell) noexcept {
    return nodes_.data() + 2 * leaves_ * static_cast<std::size_t>(cell);
  }

  std::size_t leaves_;
  std::vector<double> nodes_;  // a heap a cell: the root at 1, the children of i at 2i and 2i + 1
};

}  // namespace tacit::policies
