#include "tacit/service/budget.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace tacit::service {
namespace {

constexpr int kDecimals = 18;
constexpr std::int64_t kOne = 1'000'000'000'000'000'000;
constexpr double kMost = 1e12;  // of what is counted; a budget is below a million

}  // namespace

Budget::Units Budget::units_of(double epsilon, bool up) {
  if (!(epsilon > 0)) return 0;
  if (epsilon >= kMost) return static_cast<Units>(kMost) * kOne;
  // "d.ddde-dd": the shortest that reads as it.
  std::array<char, 64> text{};
  const char* const end =
      std::to_chars(text.data(), text.data() + text.size(), epsilon, std::chars_format::scientific)
          .ptr;
  const std::string_view all(text.data(), static_cast<std::size_t>(end - text.data()));
  const std::size_t e = all.find('e');
  Units units = 0;
  int power = kDecimals;
  std::from_chars(all.data() + e + (all[e + 1] == '+' ? 2 : 1), end, power);
  power += kDecimals;
  bool after_point = false;
  for (const char c : all.substr(0, e)) {
    if (c == '.') {
      after_point = true;
      continue;
    }
    units = 10 * units + (c - '0');
    if (after_point) --power;
  }
  for (; power > 0; --power) units *= 10;
  bool is_exact = true;
  for (; power < 0; ++power) {
    is_exact = is_exact && units % 10 == 0;
    units /= 10;
  }
  return units + (up && !is_exact ? 1 : 0);
}

double Budget::number_of(Units units, bool up) {
  const std::string text = fmt::format("{}.{:018}", static_cast<std::int64_t>(units / kOne),
                                       static_cast<std::int64_t>(units % kOne));
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  while (up && units_of(number, true) < units) number = std::nextafter(number, kInfinity);
  while (!up && units_of(number, true) > units) number = std::nextafter(number, 0.0);
  return number;
}

Budget::Budget(double epsilon) : given_(epsilon), total_(units_of(epsilon, false)) {}

bool Budget::can_spend(double epsilon) const { return units_of(epsilon, true) <= total_ - spent_; }

bool Budget::try_spend(double epsilon) {
  if (!can_spend(epsilon)) return false;
  spent_ += units_of(epsilon, true);
  return true;
}

double Budget::spent() const { return number_of(spent_, true); }
double Budget::left() const { return number_of(total_ - spent_, false); }

std::int64_t Budget::times(double epsilon) const {
  const Units each = std::max<Units>(1, units_of(epsilon, true));
  return static_cast<std::int64_t>(
      std::min<Units>((total_ - spent_) / each, std::numeric_limits<std::int64_t>::max()));
}

double Budget::missing_of(double known) const {
  const Units missing = std::min(units_of(known, true), total_) - spent_;
  if (missing <= 0) return 0;
  const double enough = number_of(missing, true);
  return can_spend(enough) ? enough : number_of(missing, false);
}

double not_above(double epsilon) {
  // What has so few digits is the fraction that it stands for; of the rest one step down is enough, and costs nothing.
  constexpr int kBits = 10;
  constexpr double kShort = 65536;
  const double scaled = std::ldexp(epsilon, kBits);
  const bool is_exact = epsilon < kShort && scaled == std::floor(scaled);
  return is_exact ? epsilon : std::nextafter(epsilon, 0.0);
}

}  // namespace tacit::service
