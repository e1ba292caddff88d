// How the lines of a policy look, in every figure alike.
//
// A policy has a colour and a mark of its own, by its name in the catalogue: no two policies of the table share both, and those
// that are drawn together have different colours. One that the table lacks has what its name is hashed to, among what is left.
// Lines of one policy (other parameters, another epsilon) share its colour; their marks and dashes are told apart where they
// are drawn (looks.hpp).
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace tacit::reports {

/// The numbers are gnuplot's. The first three are for bounds, the others for policies.
enum class Mark {
  kPlus = 1,
  kCross,
  kStar,
  kSquare,
  kFullSquare,
  kCircle,
  kFullCircle,
  kTriangle,
  kFullTriangle,
  kDownTriangle,
  kFullDownTriangle,
  kDiamond,
  kFullDiamond,
  kPentagon,
  kFullPentagon
};
inline constexpr int kPolicyMarks = 12;  // from kSquare on

/// The next of the marks for policies, `steps` ahead; the first again after the last.
Mark later_mark(Mark mark, int steps);

struct Ink {
  std::string colour;  // "#0072B2"
  Mark mark = Mark::kFullCircle;
};

/// Of a policy, by its name in the catalogue (not by the label that an experiment gives it).
Ink ink_of(std::string_view policy);

/// Of lines that are no policies', from 0 on: the first ten have colours of their own.
Ink ink_number(int number);

/// All colours of policies, told apart by colour-blind readers too.
std::span<const std::string_view> policy_colours();

/// What belongs to no policy, and the sample of what was fitted to many of them.
inline constexpr std::array<std::string_view, 3> kNobodysColours{"#555555", "#8a8a8a", "#2f4f4f"};
inline constexpr std::string_view kFitColour = "#333333";

/// A line's colour, and what stands for it on a dark page, which some of them would not be seen on.
struct ThemedColour {
  std::string_view on_light;
  std::string_view on_dark;
};

/// Of all lines: policies first, in the order of their colours. They are told apart on either.
std::span<const ThemedColour> themed_colours();
inline constexpr std::string_view kDarkPage = "#15181d";

}  // namespace tacit::reports
