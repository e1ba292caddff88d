#include "tacit/reports/palette.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace tacit::reports {
namespace {

enum Colour : std::size_t {
  kBlue,
  kVermillion,
  kGreen,
  kPink,
  kOrange,
  kSky,
  kBlack,
  kWine,
  kViolet,
  kBrown
};

/// Okabe & Ito's palette ("Color Universal Design", 2008) without its yellow, which is hard to see on white, and three
/// darker ones. palette_test.cpp sees that they differ for every kind of colour blindness.
constexpr std::array<std::string_view, 10> kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                    "#E69F00", "#56B4E9", "#000000", "#6E0D25",
                                                    "#4B2AC0", "#8B5A2B"};

/// The same colours where they can be seen; black becomes what paper is, and the three darker ones are lighter.
constexpr std::array<ThemedColour, kColours.size() + kNobodysColours.size() + 1> kThemed{
    {{kColours[kBlue], kColours[kBlue]},
     {kColours[kVermillion], kColours[kVermillion]},
     {kColours[kGreen], kColours[kGreen]},
     {kColours[kPink], kColours[kPink]},
     {kColours[kOrange], kColours[kOrange]},
     {kColours[kSky], kColours[kSky]},
     {kColours[kBlack], "#F2F2F2"},
     {kColours[kWine], "#E32544"},
     {kColours[kViolet], "#8A57F9"},
     {kColours[kBrown], "#D8C693"},
     {kNobodysColours[0], "#B4B4B4"},
     {kNobodysColours[1], "#8A8A8A"},
     {kNobodysColours[2], "#9FC3C3"},
     {kFitColour, "#CCCCCC"}}};

struct Row {
  std::string_view policy;
  Colour colour;
  Mark mark;
};

/// What learns without privacy is black where it is alone. A policy as it was published has the colour of its repair's
/// relatives, never of the repair itself: they are drawn side by side.
constexpr std::array kRows{
    // One arm a round.
    Row{"ucb1", kBlack, Mark::kFullCircle},
    Row{"kl-ucb", kGreen, Mark::kFullDiamond},
    Row{"thompson-beta", kPink, Mark::kFullTriangle},
    Row{"thompson-gaussian", kBrown, Mark::kFullTriangle},
    Row{"anytime-lazy-ucb", kBlue, Mark::kFullCircle},
    Row{"lazy-dp-ts", kVermillion, Mark::kFullTriangle},
    Row{"dp-se", kGreen, Mark::kFullSquare},
    Row{"adap-ucb", kViolet, Mark::kFullSquare},
    Row{"adap-klucb", kPink, Mark::kFullDiamond},
    Row{"dp-klucb", kOrange, Mark::kFullDownTriangle},
    Row{"dp-imed", kWine, Mark::kFullDownTriangle},
    Row{"mgf-klucb", kBrown, Mark::kFullPentagon},
    Row{"mgf-imed", kSky, Mark::kFullPentagon},
    Row{"dp-ucb-tree", kVermillion, Mark::kSquare},
    Row{"dp-ts-tree", kPink, Mark::kSquare},
    Row{"dp-ucb-int", kViolet, Mark::kSquare},
    Row{"ldp-ucb-laplace", kBrown, Mark::kCircle},
    Row{"ldp-ucb-bits", kBrown, Mark::kFullCircle},
    Row{"kl-ucb-cf", kWine, Mark::kDiamond},
    Row{"ts-cf", kViolet, Mark::kTriangle},
    Row{"dp-exp3", kViolet, Mark::kFullDiamond},
    // One arm a round, to find the best.
    Row{"top-two", kBlack, Mark::kFullTriangle},
    Row{"mgf-tt", kSky, Mark::kFullDiamond},
    Row{"ldp-mgf-tt", kBrown, Mark::kFullDiamond},
    Row{"adap-tt", kViolet, Mark::kFullTriangle},
    Row{"adap-tt-star", kPink, Mark::kFullDownTriangle},
    Row{"ctb-tt", kVermillion, Mark::kFullPentagon},
    // Full information.
    Row{"ftl", kBlack, Mark::kSquare},
    Row{"hedge-decreasing", kPink, Mark::kCircle},
    Row{"ftnl", kGreen, Mark::kTriangle},
    Row{"rnm-ftnl", kBlue, Mark::kFullSquare},
    Row{"rnm-ftnl-as-published", kSky, Mark::kSquare},
    Row{"pf-ftnl", kVermillion, Mark::kFullDiamond},
    // Sets.
    Row{"cucb", kBlack, Mark::kDiamond},
    Row{"cts-beta", kBrown, Mark::kTriangle},
    Row{"cts-gaussian", kPink, Mark::kTriangle},
    Row{"omm", kViolet, Mark::kDownTriangle},
    Row{"kl-osm", kSky, Mark::kDiamond},
    Row{"cucb-ldp1", kVermillion, Mark::kFullSquare},
    Row{"cucb-ldp2", kBlue, Mark::kFullDiamond},
    Row{"cucb-dp", kGreen, Mark::kFullCircle},
    Row{"cucb-dp-as-published", kSky, Mark::kCircle},
    Row{"cucb-dp-weakest", kOrange, Mark::kFullTriangle},
    Row{"cucb-ldp-gaussian", kViolet, Mark::kFullPentagon},
    Row{"cucb-ldp-gaussian-as-published", kVermillion, Mark::kPentagon},
    Row{"dpucb-mat", kBlue, Mark::kFullPentagon},
    Row{"dpts-mat", kVermillion, Mark::kFullDownTriangle},
    Row{"lazy-kl-mat", kGreen, Mark::kFullPentagon},
    Row{"lazy-kl-cucb", kWine, Mark::kFullSquare},
    // Lists.
    Row{"cascade-ucb1", kBlack, Mark::kPentagon},
    Row{"cascade-kl-ucb", kBrown, Mark::kDiamond},
    Row{"cascade-dp-hybrid-as-published", kOrange, Mark::kSquare},
    Row{"cascade-ldp-laplace-as-published", kVermillion, Mark::kTriangle},
    Row{"cascade-ldp-gaussian-as-published", kBlue, Mark::kCircle},
    Row{"cascade-ldp-composed-as-published", kGreen, Mark::kDiamond},
    Row{"cascade-dp", kViolet, Mark::kFullCircle},
    Row{"cascade-ldp", kWine, Mark::kFullCircle},
    Row{"cascade-ldp-stop", kPink, Mark::kFullPentagon},
};

/// FNV-1a: the same on every machine, as std::hash need not be.
std::uint32_t hash_of(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

}  // namespace

Mark later_mark(Mark mark, int steps) {
  constexpr int kFirst = static_cast<int>(Mark::kSquare);
  return static_cast<Mark>(kFirst + (static_cast<int>(mark) - kFirst + steps) % kPolicyMarks);
}

Ink ink_of(std::string_view policy) {
  for (const Row& row : kRows) {
    if (row.policy == policy) return {std::string(kColours[row.colour]), row.mark};
  }
  // From where the hash falls, the first that is nobody's.
  static_assert(kRows.size() < kColours.size() * kPolicyMarks);
  for (std::size_t at = hash_of(policy);; ++at) {
    const std::size_t colour = at % kColours.size();
    const Mark mark =
        later_mark(Mark::kSquare, static_cast<int>(at / kColours.size() % kPolicyMarks));
    const bool taken = std::any_of(kRows.begin(), kRows.end(), [&](const Row& row) {
      return row.colour == colour && row.mark == mark;
    });
    if (!taken) return {std::string(kColours[colour]), mark};
  }
}

Ink ink_number(int number) {
  const auto colour = static_cast<std::size_t>(number) % kColours.size();
  return {std::string(kColours[colour]), later_mark(Mark::kSquare, number)};
}

std::span<const std::string_view> policy_colours() { return kColours; }

std::span<const ThemedColour> themed_colours() { return kThemed; }

}  // namespace tacit::reports
