#include "tacit/reports/gnuplot.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <set>
#include <stdexcept>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/reports/output_file.hpp"

namespace tacit::reports {
namespace {

/// Okabe & Ito's palette ("Color Universal Design", 2008), told apart by colour-blind readers too; yellow, which
/// is hard to see on white, comes last.
constexpr std::array<const char*, 8> kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                              "#E69F00", "#56B4E9", "#000000", "#C8B900"};
/// Of lower bounds, which belong to no policy.
constexpr std::array<const char*, 4> kNobodys{"#555555", "#8a6d3b", "#7b7bb0", "#3b7d6d"};

constexpr int kPanelsInARow = 3;
// In pixels. A PDF is as wide as a column of a paper, or as its page where panels stand side by side, and its
// letters have 7.5 points at that size.
constexpr int kPanelWidth = 480;
constexpr int kPanelHeight = 360;
constexpr double kFont = 15;  // SVG and PNG
constexpr double kPaperFont = 7.5 / 72;
constexpr double kColumn = 3.4;  // inches
constexpr double kPage = 7;

/// In single quotes gnuplot takes a text as it is; in double ones it would run what stands in backticks.
std::string quoted(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\'') safe += '\'';
    safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return fmt::format("'{}'", safe);
}

/// gnuplot would take a name that begins with | for a command to run, and ~ for somebody's home.
std::string quoted_path(const std::string& path) {
  return quoted(path.starts_with('/') ? path : "./" + path);
}

const char* colour_of(const Series& series) {
  return series.colour < 0
             ? kNobodys[static_cast<std::size_t>(-1 - series.colour) % kNobodys.size()]
             : kColours[static_cast<std::size_t>(series.colour) % kColours.size()];
}

/// Beyond the palette's eight a line is told apart by its thickness as well.
double width_of(const Series& series) {
  return series.colour >= static_cast<int>(kColours.size()) ? 1.2 : 2.2;
}

/// A policy that keeps its promise is drawn solid, one that protects nobody dashed, a bound that holds at every
/// horizon dash-dotted, another dotted.
const char* dashes_of(const Series& series) {
  if (series.is_measured()) return series.is_private ? "1" : "(16,8)";
  return series.bound_kind == theory::Kind::kFinite ? "(14,5,3,5)" : "(3,6)";
}

/// Points to be seen: few, and measured apart.
bool has_marks(const Series& series) {
  return series.is_measured() && series.course == Course::kSwept;
}

std::string style_of(const Series& series) {
  return fmt::format("lc rgb \"{}\" lw {} dt {}", colour_of(series), width_of(series),
                     dashes_of(series));
}

int mark_of(const Series& series) { return 4 + series.colour % 8; }

bool is_drawn(const Figure& figure, const Point& point) {
  return std::isfinite(point.x) && std::isfinite(point.y) &&
         !(figure.scales.log_x && point.x <= 0) && !(figure.scales.log_y && point.y <= 0);
}

std::string data_of(const Figure& figure, const Series& series) {
  std::string text;
  for (const Point& p : series.points) {
    if (!is_drawn(figure, p)) continue;
    // An interval that reaches below what a logarithmic axis shows ends at the smallest that it can.
    const double least = figure.scales.log_y ? p.y / 100 : -std::numeric_limits<double>::infinity();
    const double lo = std::isfinite(p.lo) ? std::max(p.lo, least) : p.y;
    const double hi = std::isfinite(p.hi) ? p.hi : p.y;
    text += fmt::format("{:.10g} {:.10g} {:.10g} {:.10g}\n", p.x, p.y, lo, hi);
  }
  return text;
}

/// The distinct legend entries of all panels.
std::vector<const Series*> legend_of(const Figure& figure) {
  std::vector<const Series*> all;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      const bool known = std::any_of(all.begin(), all.end(), [&](const Series* other) {
        return other->label == series.label;
      });
      if (!known) all.push_back(&series);
    }
  }
  return all;
}

struct Layout {
  int columns = 1, rows = 1;
  int width = 0, height = 0, legend_height = 0;
  int title_height = 0;
  int legend_rows = 1;
  std::vector<int> legend_lefts;  // of its columns
  double pixels_an_inch = 144;    // PDF
  double font = kFont;

  double legend_line() const { return 1.45 * font; }
};

/// Entries run down the columns; as many columns as fit.
void lay_out_legend(Layout& l, const std::vector<const Series*>& legend) {
  const double letter = 0.6 * l.font;
  constexpr int kSample = 75;
  const auto count = static_cast<int>(legend.size());
  for (int columns = std::min(4, count); columns >= 1; --columns) {
    l.legend_rows = (count + columns - 1) / columns;
    l.legend_lefts.clear();
    int right = 10;
    for (int first = 0; first < count; first += l.legend_rows) {
      l.legend_lefts.push_back(right);
      std::size_t longest = 0;
      for (int i = first; i < std::min(count, first + l.legend_rows); ++i) {
        longest = std::max(longest, legend[static_cast<std::size_t>(i)]->label.size());
      }
      right += kSample + static_cast<int>(static_cast<double>(longest) * letter);
    }
    if (right <= l.width || columns == 1) {
      for (int& left : l.legend_lefts) left += std::max(0, (l.width - right) / 2);
      break;
    }
  }
  l.legend_height = static_cast<int>(l.legend_rows * l.legend_line()) + 16;
}

Layout layout_of(const Figure& figure, const std::vector<const Series*>& legend, Format format) {
  const auto panels = static_cast<int>(figure.panels.size());
  Layout l;
  l.columns = panels == 4 ? 2 : std::min(panels, kPanelsInARow);
  l.rows = (panels + l.columns - 1) / l.columns;
  l.width = l.columns * kPanelWidth;
  std::size_t longest = figure.title.size();
  for (const Series* series : legend) longest = std::max(longest, series->label.size() + 8);
  const auto needed = [&] {
    return static_cast<int>(0.62 * l.font * static_cast<double>(longest));
  };
  l.width = std::max(l.width, needed());
  l.pixels_an_inch = l.width / (l.columns == 1 ? kColumn : kPage);
  if (format == Format::kPdf) {
    l.font = kPaperFont * l.pixels_an_inch;
    if (needed() > l.width) l.font *= static_cast<double>(l.width) / needed();
  }
  lay_out_legend(l, legend);
  l.title_height = figure.title.empty() ? 0 : static_cast<int>(2.3 * l.font);
  l.height = l.rows * kPanelHeight + l.legend_height + l.title_height;
  return l;
}

std::string terminal(const Layout& l, Format format) {
  switch (format) {
    case Format::kSvg:
      return fmt::format(
          "set terminal svg size {},{} dynamic enhanced font \"DejaVu Sans,15\" background "
          "\"#ffffff\"\n",
          l.width, l.height);
    case Format::kPng:
      return fmt::format(
          "set terminal pngcairo size {},{} enhanced font \"DejaVu Sans,12\" background "
          "\"#ffffff\"\n",
          l.width, l.height);
    case Format::kPdf:
      return fmt::format(
          "set terminal pdfcairo size {:.3f}in,{:.3f}in enhanced font \"DejaVu Sans,{:.2f}\" "
          "linewidth 0.6\n",
          l.width / l.pixels_an_inch, l.height / l.pixels_an_inch, 72 * l.font / l.pixels_an_inch);
  }
  return "";
}

/// Shares of the picture: left, right, bottom, top.
std::string margins(double left, double right, double bottom, double top) {
  return fmt::format(
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n"
      "set tmargin at screen {:.5f}\n",
      left, right, bottom, top);
}

/// Rounds are many: 20k and 2M are short enough to stand side by side.
std::string linear_ticks(const Figure& figure) {
  double most = 0;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      for (const Point& point : series.points) most = std::max(most, point.x);
    }
  }
  if (most < 10000) return "";
  const double power = std::pow(10, std::floor(std::log10(most)));
  constexpr int kLeast = 4;  // ticks
  double step = power;
  for (const double part : {0.5, 0.2}) {
    if (most / step < kLeast) step = power * part;
  }
  const double unit = most >= 1e9 ? 1e9 : most >= 1e6 ? 1e6 : 1e3;
  const char* suffix = most >= 1e9 ? "G" : most >= 1e6 ? "M" : "k";
  std::vector<std::string> ticks;
  for (double x = 0; x <= most * 1.0001; x += step) {
    ticks.push_back(fmt::format("\"{:.4g}{}\" {:.10g}", x / unit, x > 0 ? suffix : "", x));
  }
  return fmt::format("set xtics ({})\nset xrange [0:{:.10g}]\n", fmt::join(ticks, ", "), most);
}

/// A sweep over a few values has its ticks there, on an axis that has no other readable ones.
std::string ticks_of(const Figure& figure) {
  if (!figure.scales.log_x) return linear_ticks(figure);
  std::set<double> values;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      if (!has_marks(series)) continue;
      for (const Point& point : series.points) {
        if (point.x > 0) values.insert(point.x);
      }
    }
  }
  constexpr std::size_t kFew = 9;
  if (values.empty() || values.size() > kFew) return "";
  std::vector<std::string> ticks;
  for (const double x : values) ticks.push_back(fmt::format("\"{:.4g}\" {:.10g}", x, x));
  const double low = *values.begin();
  const double high = *values.rbegin();
  const double room = std::pow(high / low, 0.05);
  return fmt::format("set xtics ({})\nset xrange [{:.10g}:{:.10g}]\n", fmt::join(ticks, ", "),
                     low / room, high * room);
}

std::string panel_program(const Figure& figure, const Panel& panel, std::size_t number,
                          bool leftmost) {
  std::string text =
      fmt::format("set title {} noenhanced offset 0,-0.6\nset xlabel {} noenhanced offset 0,0.4\n",
                  quoted(panel.title), quoted(figure.x_label));
  text += leftmost ? fmt::format("set ylabel {} noenhanced offset 0.8,0\n", quoted(figure.y_label))
                   : std::string("unset ylabel\n");
  std::vector<std::string> bands, lines;
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const Series& s = panel.series[i];
    const std::string data = data_of(figure, s);
    if (data.empty()) continue;
    const std::string block = fmt::format("$d{}_{}", number, i);
    text += fmt::format("{} << EOD\n{}EOD\n", block, data);
    if (s.is_measured() && !has_marks(s)) {
      bands.push_back(
          fmt::format("{} using 1:3:4 with filledcurves fs transparent solid 0.18 noborder lc rgb "
                      "\"{}\" notitle",
                      block, colour_of(s)));
    }
    lines.push_back(fmt::format("{} using 1:2 with lines {} notitle", block, style_of(s)));
    if (has_marks(s)) {
      lines.push_back(fmt::format(
          "{} using 1:2:3:4 with yerrorbars pt {} ps 0.7 lw 1.4 dt 1 lc rgb \"{}\" notitle", block,
          mark_of(s), colour_of(s)));
    }
  }
  bands.insert(bands.end(), lines.begin(), lines.end());
  // Ranges of this plot alone, fit for a logarithmic axis too.
  if (bands.empty()) return text + "plot [1:10] [1:10] NaN notitle\n";
  return text + fmt::format("plot {}\n", fmt::join(bands, ", \\\n  "));
}

/// By hand: gnuplot's own keys have columns of one width, and guess it badly.
std::string legend_program(const std::vector<const Series*>& legend, const Layout& l) {
  std::string text = margins(0, 1, 0, 0.01) +
                     "unset title\nunset xlabel\nunset ylabel\nunset border\nunset tics\n"
                     "unset grid\nunset logscale\nset xrange [0:1]\nset yrange [0:1]\n";
  const double pixel_x = 1.0 / l.width;
  const double pixel_y = 1.0 / l.height;
  for (std::size_t i = 0; i < legend.size(); ++i) {
    const Series& s = *legend[i];
    const auto rows = static_cast<std::size_t>(l.legend_rows);
    const double left = l.legend_lefts[i / rows] * pixel_x;
    const double y =
        (l.legend_height - 0.8 * l.font - static_cast<double>(i % rows) * l.legend_line()) *
        pixel_y;
    constexpr double kStroke = 50;
    text += fmt::format("set arrow from screen {:.5f},{:.5f} to screen {:.5f},{:.5f} nohead {}\n",
                        left, y, left + kStroke * pixel_x, y, style_of(s));
    text += fmt::format("set label {} at screen {:.5f},{:.5f} left noenhanced\n", quoted(s.label),
                        left + (kStroke + 8) * pixel_x, y);
    if (has_marks(s)) {
      text +=
          fmt::format("set label \"\" at screen {:.5f},{:.5f} point pt {} ps 0.7 lc rgb \"{}\"\n",
                      left + kStroke / 2 * pixel_x, y, mark_of(s), colour_of(s));
    }
  }
  return text + "plot NaN notitle\n";
}

/// Its exit status; not 0 as well when it could not be started.
int run_gnuplot(const std::string& program) {
  // Where there is no gnuplot nobody reads what is written, and the signal for that would end this program
  // before it can say so.
  struct sigaction ignored = {};
  struct sigaction before = {};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignored, &before);
  int status = -1;
  // -d: not by the user's own settings, which would change the picture.
  if (FILE* gnuplot = popen("gnuplot -d 2>/dev/null", "w")) {
    std::fwrite(program.data(), 1, program.size(), gnuplot);
    status = pclose(gnuplot);
  }
  sigaction(SIGPIPE, &before, nullptr);
  return status;
}

}  // namespace

const char* ending_of(Format format) {
  switch (format) {
    case Format::kSvg: return "svg";
    case Format::kPdf: return "pdf";
    case Format::kPng: return "png";
  }
  return "";
}

Format format_of(const std::string& path) {
  for (const Format format : {Format::kSvg, Format::kPdf, Format::kPng}) {
    if (path.ends_with(std::string(".") + ending_of(format))) return format;
  }
  throw InvalidParameter(Option{"output"}, path, "must end in .svg, .pdf or .png");
}

std::string gnuplot_program(const Figure& figure, Format format, const std::string& path) {
  const std::vector<const Series*> legend = legend_of(figure);
  const Layout l = layout_of(figure, legend, format);
  std::string text = terminal(l, format);
  text += fmt::format("set output {}\nset encoding utf8\nset multiplot\n", quoted_path(path));
  const double legend_share = static_cast<double>(l.legend_height) / l.height;
  const double title_share = static_cast<double>(l.title_height) / l.height;
  if (!figure.title.empty()) {
    text += fmt::format("set label 1 {} at screen 0.5,{:.5f} center noenhanced\n",
                        quoted(figure.title), 1 - title_share / 2);
  }
  text += "set grid lc rgb \"#e0e0e0\" lt 1 lw 0.8\nset tics nomirror\nset border 3\nunset key\n";
  // Powers of ten, and few enough to be read.
  text += "set format x \"%g\"\nset format y \"%g\"\n";
  if (figure.scales.log_x) text += "set logscale x\nset format x \"10^{%T}\"\n";
  if (figure.scales.log_y) text += "set logscale y\nset format y \"10^{%T}\"\n";
  text += ticks_of(figure);
  const double panel_width = 1.0 / l.columns;
  const double panel_height = (1 - legend_share - title_share) / l.rows;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const auto column = static_cast<int>(i) % l.columns;
    const auto row = static_cast<int>(i) / l.columns;
    const double left = column * panel_width;
    const double top = 1 - title_share - row * panel_height;
    const double head = figure.panels[i].title.empty() ? 0.03 : 0.09;
    text += margins(left + 0.17 * panel_width, left + 0.945 * panel_width,
                    top - panel_height + 0.17 * panel_height, top - head * panel_height);
    text += panel_program(figure, figure.panels[i], i, column == 0);
    if (i == 0) text += "unset label 1\n";
  }
  text += legend_program(legend, l);
  return text + "unset multiplot\nset output\n";
}

void draw(const Figure& figure, const std::string& path) {
  const Format format = format_of(path);
  check_writable("output", path);
  const std::string unfinished = fmt::format("{}.{}.part", path, getpid());
  const int status = run_gnuplot(gnuplot_program(figure, format, unfinished));
  std::error_code ignored, failed;
  if (status == 0) std::filesystem::rename(unfinished, path, failed);
  if (status != 0 || failed) {
    std::filesystem::remove(unfinished, ignored);
    throw std::runtime_error(
        fmt::format("{}: gnuplot failed; is it installed (Debian: gnuplot-nox)?", path));
  }
}

}  // namespace tacit::reports
