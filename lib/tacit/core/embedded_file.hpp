// A file that is part of the program; cmake/TacitEmbed.cmake makes them.
#pragma once

#include <string>

namespace tacit {

struct EmbeddedFile {
  std::string name;
  std::string text;
};

}  // namespace tacit
