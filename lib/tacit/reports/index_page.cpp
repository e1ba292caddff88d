#include "tacit/reports/index_page.hpp"

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <sodium.h>

#include "tacit/core/version.hpp"
#include "tacit/reports/verdict_text.hpp"

namespace tacit::reports {
namespace {

constexpr const char* kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>Private bandits, reproduced</title>\n<style>\n"
    "body { font: 16px/1.5 sans-serif; color: #222; max-width: 70rem; margin: 2rem auto; "
    "padding: 0 1rem; }\n"
    "h2 { margin-top: 3rem; border-top: 1px solid #ccc; padding-top: 1rem; }\n"
    "img { max-width: 100%; height: auto; }\n"
    "pre { background: #f6f6f6; padding: 1rem; overflow-x: auto; font-size: 13px; }\n"
    "td { text-align: left; padding: 0.1rem 1rem 0.1rem 0; vertical-align: top; }\n"
    "</style>\n</head>\n<body>\n<h1>Private bandits, reproduced</h1>\n";

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string base64(const std::string& bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_ORIGINAL;
  std::string text(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), kVariant);
  text.pop_back();  // the closing zero
  return text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace

std::string index_page(const std::vector<ReproducedFigure>& figures,
                       const std::filesystem::path& folder) {
  std::string rows;
  std::string sections;
  for (const ReproducedFigure& each : figures) {
    const std::string name = escaped(each.figure.name);
    rows += fmt::format("<tr><td><a href=\"#{0}\">{0}</a></td><td>{1}</td><td>{2}</td></tr>\n",
                        name, escaped(each.figure.title), escaped(each.verdict.summary()));
    sections += fmt::format(
        "<h2 id=\"{0}\">{0}</h2>\n<p><img alt=\"{0}\" "
        "src=\"data:image/svg+xml;base64,{1}\"></p>\n"
        "<pre>{2}</pre>\n",
        name, base64(content_of(folder / (each.figure.name + ".svg"))),
        escaped(verdict_text(each.verdict)));
  }
  return fmt::format(
      "{}<p>Figures of papers on differentially private bandits, measured again by tacit {}. A "
      "solid line is a policy that keeps its promise, a dashed one protects nobody, a dotted one "
      "is an asymptotic or minimax bound, a dash-dotted one a bound that holds at every horizon; "
      "bands are 95% intervals of the mean.</p>\n"
      "<table>\n{}</table>\n{}</body>\n</html>\n",
      kHead, kVersion, rows, sections);
}

}  // namespace tacit::reports
