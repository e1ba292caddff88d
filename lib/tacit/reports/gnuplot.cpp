#include "tacit/reports/gnuplot.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/reports/drawn_series.hpp"
#include "tacit/reports/layout.hpp"
#include "tacit/reports/output_file.hpp"
#include "tacit/reports/ticks.hpp"

namespace tacit::reports {
namespace {

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

std::string style_of(const Look& look, double width) {
  return fmt::format("lc rgb \"{}\" lw {:.3g} dt {}", look.colour, width, look.dashes);
}

std::string marks_of(const Look& look, double size) {
  return fmt::format("pt {} ps {} lc rgb \"{}\"", static_cast<int>(*look.mark), size, look.colour);
}

/// With an empty line where something is missing: it is not bridged.
std::string data_of(const DrawnSeries& drawn) {
  std::string text;
  for (const auto& piece : drawn.pieces) {
    if (!text.empty()) text += '\n';
    for (const Point& p : piece) {
      text += fmt::format("{:.10g} {:.10g} {:.10g} {:.10g}\n", p.x, p.y, p.lo, p.hi);
    }
  }
  return text;
}

std::string data_of(const Frame& frame, const std::vector<Pixel>& marks) {
  std::string text;
  for (const Pixel& pixel : marks) {
    text += fmt::format("{:.6g} {:.6g}\n", frame.x_of(pixel), frame.y_of(pixel));
  }
  return text;
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

std::string axis_program(char axis, bool log, const Range& range, const std::vector<Tick>& ticks) {
  std::vector<std::string> places;
  for (const Tick& tick : ticks) {
    places.push_back(
        fmt::format("\"{}\" {:.10g}{}", tick.label, tick.value, tick.label.empty() ? " 1" : ""));
  }
  return fmt::format("{} logscale {}\nset {}tics ({})\nset {}range [{:.10g}:{:.10g}]\n",
                     log ? "set" : "unset", axis, axis, fmt::join(places, ", "), axis, range.low,
                     range.high);
}

/// The lines of a panel: bands below all, then lines in their order, then marks.
class PanelLines {
 public:
  PanelLines(const Frame& frame, const Panel& panel, std::size_t number)
      : frame_(frame), number_(number) {
    const std::vector<DrawnSeries> all = drawn_series(frame, panel);
    for (std::size_t i = 0; i < all.size(); ++i) add(all[i], i);
  }

  std::string program() const {
    std::vector<std::string> all = bands_;
    all.insert(all.end(), lines_.begin(), lines_.end());
    all.insert(all.end(), marks_.begin(), marks_.end());
    // Something has to be plotted for axes to be drawn.
    if (all.empty()) all.emplace_back("NaN notitle");
    return fmt::format("{}plot {}\n", data_, fmt::join(all, ", \\\n  "));
  }

 private:
  void add(const DrawnSeries& drawn, std::size_t index) {
    if (drawn.pieces.empty()) return;
    const Look& look = drawn.series->look;
    const std::string block = fmt::format("$d{}_{}", number_, index);
    data_ += fmt::format("{} << EOD\n{}EOD\n", block, data_of(drawn));
    if (drawn.has_band) {
      bands_.push_back(
          fmt::format("{} using 1:3:4 with filledcurves fs transparent solid 0.18 noborder lc rgb "
                      "\"{}\" notitle",
                      block, look.colour));
    }
    lines_.push_back(
        fmt::format("{} using 1:2 with lines {} notitle", block, style_of(look, drawn.width)));
    if (!look.mark) return;
    if (drawn.has_bars) {
      marks_.push_back(fmt::format("{} using 1:2:3:4 with yerrorbars {} lw 1.4 dt 1 notitle", block,
                                   marks_of(look, drawn.mark_size)));
      return;
    }
    const std::string places = fmt::format("$m{}_{}", number_, index);
    data_ += fmt::format("{} << EOD\n{}EOD\n", places, data_of(frame_, drawn.marks));
    // On a white spot: what lies under a mark would make it look like another.
    marks_.push_back(fmt::format("{} using 1:2 with points pt 7 ps {} lc rgb \"#ffffff\" notitle",
                                 places, 1.5 * drawn.mark_size));
    marks_.push_back(fmt::format("{} using 1:2 with points {} lw 1.4 notitle", places,
                                 marks_of(look, drawn.mark_size)));
  }

  const Frame& frame_;
  std::size_t number_;
  std::string data_;
  std::vector<std::string> bands_, lines_, marks_;
};

std::string panel_program(const Figure& figure, const PlacedPanel& placed, std::size_t number,
                          const Layout& l) {
  const Panel& panel = *placed.panel;
  const Frame frame = frame_of(figure, panel, placed.scales, placed.right - placed.left,
                               placed.top - placed.bottom);
  const auto x = [&](int pixels) { return static_cast<double>(pixels) / l.width; };
  const auto y = [&](int pixels) { return static_cast<double>(pixels) / l.height; };
  std::string text = margins(x(placed.left), x(placed.right), y(placed.bottom), y(placed.top));
  text +=
      fmt::format("set title {} noenhanced offset 0,-0.6\nset xlabel {} noenhanced offset 0,0.4\n",
                  quoted(panel.title), quoted(figure.x_label));
  text += placed.leftmost
              ? fmt::format("set ylabel {} noenhanced offset 0.3,0\n", quoted(figure.y_label))
              : std::string("unset ylabel\n");
  text += axis_program('x', frame.scales.log_x, frame.x, x_ticks(frame, panel));
  text += axis_program('y', frame.scales.log_y, frame.y, y_ticks(frame));
  return text + PanelLines(frame, panel, number).program();
}

/// By hand: gnuplot's own keys have columns of one width, and guess it badly.
std::string legend_program(const std::vector<LegendEntry>& legend, const Layout& l) {
  std::string text = margins(0, 1, 0, 0.01) +
                     "unset title\nunset xlabel\nunset ylabel\nunset border\nunset tics\n"
                     "unset grid\nunset logscale\nset xrange [0:1]\nset yrange [0:1]\n";
  for (std::size_t i = 0; i < legend.size(); ++i) {
    Look look = legend[i].series->look;
    if (legend[i].series->origin == Origin::kFit)
      look.colour = kFitColour;  // each has its policy's
    const double left = l.legend[i].x / l.width;
    const double y = l.legend[i].y / l.height;
    const double sample = kLegendSample / l.width;
    text += fmt::format("set arrow from screen {:.5f},{:.5f} to screen {:.5f},{:.5f} nohead {}\n",
                        left, y, left + sample, y, style_of(look, look.width));
    text += fmt::format("set label {} at screen {:.5f},{:.5f} left noenhanced\n",
                        quoted(legend[i].text), left + (kLegendSample + 8) / l.width, y);
    if (look.mark) {
      text += fmt::format(
          "set label \"\" at screen {:.5f},{:.5f} point pt 7 ps 1.6 lc rgb \"#ffffff\" front\n",
          left + sample / 2, y);
      text += fmt::format("set label \"\" at screen {:.5f},{:.5f} point {} lw 1.4 front\n",
                          left + sample / 2, y, marks_of(look, 1.1));
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

namespace {

std::optional<Format> format_by_ending(const std::string& path) {
  for (const Format format : {Format::kSvg, Format::kPdf, Format::kPng}) {
    if (path.ends_with(std::string(".") + ending_of(format))) return format;
  }
  return {};
}

}  // namespace

bool is_picture(const std::string& path) { return format_by_ending(path).has_value(); }

Format format_of(const std::string& path) {
  if (const auto format = format_by_ending(path)) return *format;
  throw InvalidParameter(Option{"output"}, path, "must end in .svg, .pdf or .png");
}

std::string gnuplot_program(const Figure& figure, Format format, const std::string& path) {
  const std::vector<LegendEntry> legend = legend_of(figure);
  const Layout l = layout_of(figure, legend, format);
  std::string text = terminal(l, format);
  text += fmt::format("set output {}\nset encoding utf8\nset multiplot\n", quoted_path(path));
  if (!figure.title.empty()) {
    text += fmt::format("set label 1 {} at screen 0.5,{:.5f} center noenhanced\n",
                        quoted(figure.title), 1 - 0.5 * l.title_height / l.height);
  }
  text +=
      "set grid lc rgb \"#e0e0e0\" lt 1 lw 0.8\nset tics nomirror\nset border 3\nunset key\n"
      "set pointintervalbox 0\n";
  for (std::size_t i = 0; i < l.panels.size(); ++i) {
    text += panel_program(figure, l.panels[i], i, l);
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
