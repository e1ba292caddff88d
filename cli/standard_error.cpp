#include "standard_error.hpp"

#include <cstdio>

namespace tacit::cli {

void to_standard_error(std::string_view text) noexcept {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

}  // namespace tacit::cli
