#include "ledger_file.hpp"

#include <fmt/format.h>

#include "tacit/reports/output_file.hpp"

namespace tacit::cli {
namespace {

std::string field(double x) { return fmt::format("{:.10g}", x); }

}  // namespace

void write_ledgers(const std::string& path, const std::vector<PolicyLedger>& ledgers) {
  std::string text = "policy,after_round,about,first,last,mechanism,epsilon,delta\n";
  for (const auto& [policy, ledger] : ledgers) {
    for (const accounting::LedgerEntry& e : ledger.entries()) {
      const std::string about = e.arm == kAllArms ? "all arms" : fmt::format("arm {}", e.arm);
      text += fmt::format("{},{},{},{},{},\"{}\",{},{}\n", policy, e.when, about, e.first, e.last,
                          e.cost.mechanism, field(e.cost.epsilon), field(e.cost.delta));
    }
    for (const auto& [mechanism, kind] : ledger.reports()) {
      text += fmt::format("{},,\"each of {} reports, {} a round at most\",,,\"{}\",{},{}\n", policy,
                          kind.count, kind.most_in_a_round, mechanism, field(kind.cost.epsilon),
                          field(kind.cost.delta));
    }
  }
  reports::write_file("ledger", path, text);
}

}  // namespace tacit::cli
