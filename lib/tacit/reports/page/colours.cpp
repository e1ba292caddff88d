#include "tacit/reports/page/colours.hpp"

#include <fmt/format.h>

#include "tacit/reports/palette.hpp"

namespace tacit::reports::page {

std::string colour_class(std::string_view colour) { return fmt::format("c{}", colour.substr(1)); }

std::string colours_css() {
  std::string light;
  std::string dark;
  std::string classes;
  for (const ThemedColour& colour : themed_colours()) {
    const std::string name = colour_class(colour.on_light);
    light += fmt::format("--{}:{};", name, colour.on_light);
    dark += fmt::format("--{}:{};", name, colour.on_dark);
    classes += fmt::format(".{0}{{--c:var(--{0})}}\n", name);
  }
  return fmt::format(
      ":root{{{0}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{1}}}}}\n"
      "@media screen{{:root[data-theme=light]{{{0}}}:root[data-theme=dark]{{{1}}}}}\n{2}",
      light, dark, classes);
}

}  // namespace tacit::reports::page
