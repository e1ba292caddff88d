#include "report.hpp"

#include <fmt/format.h>

namespace tacit::benchmarks {

void Report::at_most(const std::string& what, double ratio, double limit) {
  line(what, ratio, "<=", limit, ratio <= limit);
}
void Report::at_least(const std::string& what, double ratio, double limit) {
  line(what, ratio, ">=", limit, ratio >= limit);
}
void Report::line(const std::string& what, double ratio, const char* relation, double limit,
                  bool holds) {
  if (!holds) ++missed_;
  fmt::print("{:<66} {:>10.4g}   {} {:<8.4g} {}\n", what, ratio, relation, limit,
             holds ? "holds" : "MISSED");
}

}  // namespace tacit::benchmarks
