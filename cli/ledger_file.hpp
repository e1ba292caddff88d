// The releases of a run as a CSV file: what each was about, when, by which noise, at what cost.
#pragma once

#include <string>
#include <vector>

#include "tacit/accounting/ledger.hpp"

namespace tacit::cli {

struct PolicyLedger {
  std::string policy;
  accounting::Ledger ledger;
};

/// Throws InvalidParameter when the file cannot be written. It appears whole or not at all.
void write_ledgers(const std::string& path, const std::vector<PolicyLedger>& ledgers);

}  // namespace tacit::cli
