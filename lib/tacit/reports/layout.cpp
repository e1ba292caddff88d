#include "tacit/reports/layout.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tacit::reports {
namespace {

constexpr int kPanelsInARow = 3;
// In pixels. A PDF is as wide as a column of a paper, or as its page where panels stand side by side, and its
// letters have 7.5 points at that size.
constexpr int kPanelWidth = 480;
constexpr int kPanelHeight = 380;
constexpr double kFont = 15;  // SVG and PNG
constexpr double kPaperFont = 7.5 / 72;
constexpr double kColumn = 3.4;  // inches
constexpr double kPage = 7;

/// Letters, of which some have two bytes or three.
int length_of(const std::string& text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

/// The rest of a text after those words that another begins with, too.
std::string without_first_words(const std::string& text, const std::string& other) {
  const auto differs = std::mismatch(text.begin(), text.end(), other.begin(), other.end()).first;
  if (differs == text.end()) return text;
  const std::size_t space = text.rfind(' ', static_cast<std::size_t>(differs - text.begin()));
  return space == std::string::npos ? text : text.substr(space + 1);
}

/// What was fitted in the panels, in their order: "exponent 1.02 ± 0.10 | 1.98 ± 0.21".
std::string remarks_on(const Figure& figure, const std::string& label) {
  std::vector<std::string> remarks;
  std::string first;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      if (series.label != label || series.remark.empty()) continue;
      if (remarks.empty()) first = series.remark;
      remarks.push_back(remarks.empty() ? first : without_first_words(series.remark, first));
    }
  }
  return fmt::format("{}{}", remarks.empty() ? "" : ", ", fmt::join(remarks, " | "));
}

/// Entries run down the columns; as many columns as fit. The height that they take.
int lay_out_legend(Layout& l, const std::vector<LegendEntry>& legend) {
  const double letter = 0.58 * l.font;
  const double line = 1.45 * l.font;
  constexpr int kGap = 28;
  const auto count = static_cast<int>(legend.size());
  int rows = count;
  std::vector<int> lefts;
  for (int columns = std::min(4, count); columns >= 1; --columns) {
    rows = (count + columns - 1) / columns;
    lefts.clear();
    int right = 10;
    for (int first = 0; first < count; first += rows) {
      lefts.push_back(right);
      int longest = 0;
      for (int i = first; i < std::min(count, first + rows); ++i) {
        longest = std::max(longest, length_of(legend[static_cast<std::size_t>(i)].text));
      }
      right += static_cast<int>(kLegendSample + longest * letter) + kGap;
    }
    if (right <= l.width || columns == 1) {
      for (int& left : lefts) left += std::max(0, (l.width - right) / 2);
      break;
    }
  }
  const int height = static_cast<int>(rows * line) + 14;
  for (int i = 0; i < count; ++i) {
    l.legend.push_back({static_cast<double>(lefts[static_cast<std::size_t>(i / rows)]),
                        height - 0.8 * l.font - (i % rows) * line});
  }
  return height;
}

struct Grid {
  int columns = 1;
  int rows = 1;
};

Grid grid_of(const Figure& figure) {
  const auto panels = static_cast<int>(figure.panels.size());
  const int columns = columns_of(figure);
  if (panels == 1) return {columns, 1};
  return {columns, (panels + columns - 1) / columns * (figure.also ? 2 : 1)};
}

/// From the top left corner on.
void place_panels(Layout& l, const Figure& figure, const Grid& grid, int legend_height) {
  std::vector<Scales> kinds{figure.scales};
  if (figure.also) kinds.push_back(*figure.also);
  const int width = l.width / grid.columns;
  const int rows_of_a_kind = grid.columns == 2 && figure.panels.size() == 1
                                 ? 0
                                 : grid.rows / static_cast<int>(kinds.size());
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
      const bool side_by_side = rows_of_a_kind == 0;
      const int column = static_cast<int>(side_by_side ? kind : i) % grid.columns;
      const int row = side_by_side ? 0
                                   : static_cast<int>(kind) * rows_of_a_kind +
                                         static_cast<int>(i) / grid.columns;
      const int left = column * width;
      const int bottom = legend_height + (grid.rows - 1 - row) * kPanelHeight;
      const double head = figure.panels[i].title.empty() ? 0.8 : 2;
      const double foot =
          grid.rows == 1 ? 3.6 : 4.4;  // the title of the next row is not of this one
      const auto font = [&](double lines) { return static_cast<int>(lines * l.font); };
      l.panels.push_back({.panel = &figure.panels[i],
                          .scales = kinds[kind],
                          .left = left + font(5.4),
                          .right = left + width - font(1.6),
                          .bottom = bottom + font(foot),
                          .top = bottom + kPanelHeight - font(head),
                          .leftmost = column == 0 || side_by_side});
    }
  }
}

}  // namespace

int columns_of(const Figure& figure) {
  const auto panels = static_cast<int>(figure.panels.size());
  if (panels == 1) return figure.also ? 2 : 1;
  return panels == 4 ? 2 : std::min(panels, kPanelsInARow);
}

std::vector<LegendEntry> legend_of(const Figure& figure) {
  std::vector<LegendEntry> all;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      const bool known = std::any_of(all.begin(), all.end(), [&](const LegendEntry& other) {
        return other.series->label == series.label;
      });
      if (!known) all.push_back({&series, series.label + remarks_on(figure, series.label)});
    }
  }
  const auto rank = [](const LegendEntry& entry) {
    return entry.series->is_measured() ? 0 : entry.series->origin == Origin::kBound ? 1 : 2;
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const LegendEntry& a, const LegendEntry& b) { return rank(a) < rank(b); });
  return all;
}

Layout layout_of(const Figure& figure, const std::vector<LegendEntry>& legend, Format format) {
  const Grid grid = grid_of(figure);
  Layout l;
  l.font = kFont;
  l.width = grid.columns * kPanelWidth;
  int longest = length_of(figure.title);
  for (const LegendEntry& entry : legend) longest = std::max(longest, length_of(entry.text) + 8);
  const auto needed = [&] { return static_cast<int>(0.6 * l.font * longest); };
  l.width = std::max(l.width, needed());
  l.pixels_an_inch = l.width / (grid.columns == 1 ? kColumn : kPage);
  if (format == Format::kPdf) {
    l.font = kPaperFont * l.pixels_an_inch;
    if (needed() > l.width) l.font *= static_cast<double>(l.width) / needed();
  }
  const int legend_height = lay_out_legend(l, legend);
  l.title_height = figure.title.empty() ? 0 : static_cast<int>(2.3 * l.font);
  l.height = grid.rows * kPanelHeight + legend_height + l.title_height;
  place_panels(l, figure, grid, legend_height);
  return l;
}

}  // namespace tacit::reports
