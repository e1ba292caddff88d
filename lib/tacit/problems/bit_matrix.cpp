#include "tacit/problems/bit_matrix.hpp"

#include "tacit/core/check.hpp"

namespace tacit::problems {

BitMatrix::BitMatrix(int users, int items)
    : users_(static_cast<int>(check::at_least("BitMatrix", "users", users, 1))),
      items_(static_cast<int>(check::at_least("BitMatrix", "items", items, 1))),
      words_a_row_(word_of(items - 1) + 1),
      words_(static_cast<std::size_t>(users) * words_a_row_) {}

}  // namespace tacit::problems
