// Draws figures with gnuplot, which has to be installed.
#pragma once

#include <string>

#include "tacit/reports/figure.hpp"

namespace tacit::reports {

enum class Format { kSvg, kPdf, kPng };

/// Whether a file name has the ending of one.
bool is_picture(const std::string& path);
/// By the ending of a file name; throws InvalidParameter for another.
Format format_of(const std::string& path);
const char* ending_of(Format format);

/// The program that gnuplot runs: data included, and nothing of the machine in it.
std::string gnuplot_program(const Figure& figure, Format format, const std::string& path);

/// Throws InvalidParameter for a file that cannot be written, std::runtime_error when gnuplot is missing
/// or fails. The file appears whole or not at all.
void draw(const Figure& figure, const std::string& path);

}  // namespace tacit::reports
