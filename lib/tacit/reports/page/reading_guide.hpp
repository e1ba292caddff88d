// How the lines, bands and verdicts of all figures are read, said once.
#pragma once

#include <string>

namespace tacit::reports::page {

std::string reading_guide_html();

}  // namespace tacit::reports::page
