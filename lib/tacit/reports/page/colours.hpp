// The colours of lines on a page, which are others on a dark one.
#pragma once

#include <string>
#include <string_view>

namespace tacit::reports::page {

/// The class of what has a line's colour; the style sheet reads it as var(--c).
std::string colour_class(std::string_view colour);

/// What the style sheet knows of them: all classes, on light and on dark pages. What is printed is light.
std::string colours_css();

}  // namespace tacit::reports::page
