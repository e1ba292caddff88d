#include "tacit/reports/paper_figure.hpp"

#include <fmt/format.h>

#include "tacit/reports/gnuplot.hpp"
#include "tacit/reports/output_file.hpp"
#include "tacit/reports/verdict_text.hpp"

namespace tacit::reports {

std::string PaperFigure::command() const {
  return fmt::format("tacit reproduce {}{}", name, needs_movies() ? " --movielens FOLDER" : "");
}

void write_files(const ReproducedFigure& reproduced, const std::filesystem::path& folder) {
  const auto path = [&](const char* ending) {
    return (folder / fmt::format("{}.{}", reproduced.figure.name, ending)).string();
  };
  write_file("output", path("csv"), reproduced.data);
  draw(reproduced.figure, path("svg"));
  write_file("output", path("txt"), verdict_text(reproduced.verdict));
}

}  // namespace tacit::reports
