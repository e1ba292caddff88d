#include "tacit/reports/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/policies/catalogue.hpp"

namespace tacit::reports {
namespace {

using Three = std::array<double, 3>;
using Matrix = std::array<Three, 3>;

/// What who lacks one kind of cone sees, in linear light (Machado, Oliveira & Fernandes 2009, all of the deficiency).
constexpr std::array<std::pair<const char*, Matrix>, 4> kEyes{
    {{"full vision", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
     {"protanopia",
      {{{0.152286, 1.052583, -0.204868},
        {0.114503, 0.786281, 0.099216},
        {-0.003882, -0.048116, 1.051998}}}},
     {"deuteranopia",
      {{{0.367322, 0.860646, -0.227968},
        {0.280085, 0.672501, 0.047413},
        {-0.011820, 0.042940, 0.968881}}}},
     {"tritanopia",
      {{{1.255528, -0.076749, -0.178779},
        {-0.078411, 0.930809, 0.147602},
        {0.004733, 0.691367, 0.303900}}}}}};

Three times(const Matrix& m, const Three& x) {
  Three y{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) y[i] += m[i][j] * x[j];
  }
  return y;
}

Three linear_light(std::string_view colour) {
  Three light{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = std::stoi(std::string(colour.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
    light[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  return light;
}

/// CIE L*a*b*, where distances are about as large as they look.
Three lab_of(const Three& light) {
  Three clipped = light;
  for (double& c : clipped) c = std::clamp(c, 0.0, 1.0);
  constexpr Matrix kToXyz{
      {{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
  const Three xyz = times(kToXyz, clipped);
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f(xyz[0] / 0.95047), y = f(xyz[1]), z = f(xyz[2] / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Three& a, const Three& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// Of what each eye sees of some colours, on a page of another.
void expect_told_apart(const std::vector<std::string_view>& colours, std::string_view page) {
  constexpr double kPlainlyDifferent = 15;  // 2.3 is just noticeable side by side
  for (const auto& [eye, matrix] : kEyes) {
    const auto seen = [&, &m = matrix](std::string_view colour) {
      return lab_of(times(m, linear_light(colour)));
    };
    for (const std::string_view one : colours) {
      EXPECT_GT(distance(seen(one), seen(page)), 25) << eye << ": " << one << " on " << page;
      for (const std::string_view other : colours) {
        if (one == other) continue;
        EXPECT_GT(distance(seen(one), seen(other)), kPlainlyDifferent)
            << eye << ": " << one << " and " << other;
      }
    }
  }
}

TEST(Palette, IsToldApartByColourBlindReaders) {
  expect_told_apart({policy_colours().begin(), policy_colours().end()}, "#ffffff");
}

TEST(Palette, IsToldApartByThemOnADarkPageToo) {
  std::vector<std::string_view> dark;
  for (std::size_t i = 0; i < policy_colours().size(); ++i) {
    EXPECT_EQ(themed_colours()[i].on_light, policy_colours()[i]);
    dark.push_back(themed_colours()[i].on_dark);
  }
  expect_told_apart(dark, kDarkPage);
}

/// Relative luminance, by which WCAG 2.1 tells contrast.
double luminance(std::string_view colour) {
  const Three light = linear_light(colour);
  return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
}

TEST(Palette, HasEnoughContrastOnADarkPage) {
  constexpr double kGraphics = 3;  // WCAG 2.1, 1.4.11
  for (const ThemedColour& colour : themed_colours()) {
    EXPECT_GT((luminance(colour.on_dark) + 0.05) / (luminance(kDarkPage) + 0.05), kGraphics)
        << colour.on_dark;
  }
}

TEST(Palette, GivesNoTwoPoliciesOfTheTableTheSameColourAndMark) {
  std::map<std::pair<std::string, Mark>, std::string> taken;
  int shared = 0;
  for (const policies::Entry& entry : policies::catalogue()) {
    const Ink ink = ink_of(entry.card.name);
    const auto [known, is_new] = taken.emplace(std::pair{ink.colour, ink.mark}, entry.card.name);
    shared += is_new ? 0 : 1;
    EXPECT_GE(static_cast<int>(ink.mark), static_cast<int>(Mark::kSquare)) << entry.card.name;
    EXPECT_LE(static_cast<int>(ink.mark), static_cast<int>(Mark::kFullPentagon)) << entry.card.name;
  }
  // Policies that the table lacks may share among themselves by accident; figures tell even those apart.
  EXPECT_LE(shared, 2);
}

TEST(Palette, KnowsAPolicyByItsNameAlone) {
  EXPECT_EQ(ink_of("anytime-lazy-ucb").colour, "#0072B2");
  EXPECT_EQ(ink_of("nobody-knows-me").colour, ink_of("nobody-knows-me").colour);
  EXPECT_EQ(ink_of("nobody-knows-me").mark, ink_of("nobody-knows-me").mark);
}

TEST(Palette, MarksGoRound) {
  EXPECT_EQ(later_mark(Mark::kSquare, 0), Mark::kSquare);
  EXPECT_EQ(later_mark(Mark::kSquare, 1), Mark::kFullSquare);
  EXPECT_EQ(later_mark(Mark::kFullPentagon, 1), Mark::kSquare) << "never one of a bound";
  EXPECT_EQ(later_mark(Mark::kCircle, kPolicyMarks), Mark::kCircle);
}

}  // namespace
}  // namespace tacit::reports
