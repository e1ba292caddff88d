// Ratios and their limits, as every benchmark prints and judges them.
#pragma once

#include <string>

namespace tacit::benchmarks {

/// Prints a ratio with its limit, and counts the misses.
class Report {
 public:
  void at_most(const std::string& what, double ratio, double limit);
  void at_least(const std::string& what, double ratio, double limit);
  int missed() const noexcept { return missed_; }

 private:
  void line(const std::string& what, double ratio, const char* relation, double limit, bool holds);
  int missed_ = 0;
};

}  // namespace tacit::benchmarks
