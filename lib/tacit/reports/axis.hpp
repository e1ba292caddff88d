// What a figure has on its axes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tacit::reports {

/// What is on the x axis: rounds, or what was swept.
enum class Axis { kRounds, kEpsilon, kInverseEpsilon, kError, kVariable };

/// What is on the y axis: of the regret after as many rounds as were played, or of runs that identify how many samples they
/// took, and how many of them were wrong.
enum class Quantity { kRegret, kRegretOverLog, kReturn, kSamples, kWrong };

/// What has a panel of its own.
enum class Panels { kOne, kProblem, kEpsilon, kError, kVariable, kGroup };

struct Scales {
  bool log_x = false;
  bool log_y = false;
};

inline bool is_identified(Quantity y) { return y == Quantity::kSamples || y == Quantity::kWrong; }

inline bool is_over_epsilon(Axis x) { return x == Axis::kEpsilon || x == Axis::kInverseEpsilon; }

/// A word for one of them, in a [[figure]] and among the options of `tacit plot`. Variables go by their own names.
template <class Value>
struct Word {
  std::string_view word;
  Value value;
};
inline constexpr std::array<Word<Axis>, 4> kAxes{{{"t", Axis::kRounds},
                                                  {"epsilon", Axis::kEpsilon},
                                                  {"1/epsilon", Axis::kInverseEpsilon},
                                                  {"error", Axis::kError}}};
inline constexpr std::array<Word<Quantity>, 5> kQuantities{
    {{"regret", Quantity::kRegret},
     {"regret/ln(t)", Quantity::kRegretOverLog},
     {"return", Quantity::kReturn},
     {"samples", Quantity::kSamples},
     {"wrong", Quantity::kWrong}}};
inline constexpr std::array<Word<Panels>, 3> kPanels{
    {{"problem", Panels::kProblem}, {"epsilon", Panels::kEpsilon}, {"error", Panels::kError}}};
inline constexpr std::array<Word<Scales>, 4> kScales{
    {{"linear", {}}, {"logx", {true, false}}, {"logy", {false, true}}, {"loglog", {true, true}}}};

template <class Words>
std::vector<std::string> all_of(const Words& words) {
  std::vector<std::string> all;
  for (const auto& each : words) all.emplace_back(each.word);
  return all;
}

/// None for another word.
template <class Words>
auto meaning(const Words& words, std::string_view word) {
  std::optional<decltype(words[0].value)> found;
  for (const auto& each : words) {
    if (each.word == word) found = each.value;
  }
  return found;
}

}  // namespace tacit::reports
