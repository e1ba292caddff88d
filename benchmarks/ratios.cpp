// The speeds that tacit promises, as ratios measured in one run. Prints every ratio with its limit; exits 1 when one is
// missed. With arguments only some: skipping, rounds, growth, figures.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "measuring.hpp"

int main(int count, char** arguments) {
  using namespace tacit::benchmarks;
  const std::vector<std::string> asked(arguments + 1, arguments + count);
  struct Part {
    const char* name;
    void (*measure)(Report&);
  };
  constexpr Part kParts[] = {{"skipping", measure_skipping},
                             {"rounds", measure_rounds},
                             {"growth", measure_growth},
                             {"figures", measure_figures}};
  for (const std::string& name : asked) {
    if (std::none_of(std::begin(kParts), std::end(kParts),
                     [&](const Part& part) { return part.name == name; })) {
      fmt::print(stderr, "ratios: {}: must be skipping, rounds, growth or figures\n", name);
      return 2;
    }
  }
  Report report;
  for (const Part& part : kParts) {
    if (asked.empty() || std::find(asked.begin(), asked.end(), part.name) != asked.end()) {
      part.measure(report);
    }
  }
  return report.missed() == 0 ? 0 : 1;
}
