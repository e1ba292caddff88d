#include "ledger_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::cli {
namespace {

/// Next to the file, so that the last step is a rename.
std::string unfinished(const std::string& path) { return path + ".part"; }

std::string field(double x) { return fmt::format("{:.10g}", x); }

}  // namespace

void check_writable(const std::string& option, const std::string& path) {
  if (std::filesystem::is_directory(path)) {
    throw InvalidParameter("", option, path, "is a folder; must be a file to write");
  }
  errno = 0;
  std::ofstream file(unfinished(path));
  if (!file) {
    throw InvalidParameter("", option, path,
                           fmt::format("cannot be written: {}", std::strerror(errno)));
  }
  file.close();
  std::filesystem::remove(unfinished(path));
}

void write_ledgers(const std::string& path, const std::vector<PolicyLedger>& ledgers) {
  errno = 0;
  std::ofstream file(unfinished(path));
  file << "policy,after_round,about,first,last,mechanism,epsilon,delta\n";
  for (const auto& [policy, ledger] : ledgers) {
    for (const privacy::LedgerEntry& e : ledger.entries()) {
      const std::string about =
          e.arm == privacy::kAllArms ? "all arms" : fmt::format("arm {}", e.arm);
      file << fmt::format("{},{},{},{},{},\"{}\",{},{}\n", policy, e.when, about, e.first, e.last,
                          e.cost.mechanism, field(e.cost.epsilon), field(e.cost.delta));
    }
    for (const auto& [mechanism, kind] : ledger.reports()) {
      file << fmt::format("{},,each of {} reports,,,\"{}\",{},{}\n", policy, kind.count, mechanism,
                          field(kind.cost.epsilon), field(kind.cost.delta));
    }
  }
  file.close();
  std::error_code failed;
  if (file) std::filesystem::rename(unfinished(path), path, failed);
  if (!file || failed) {
    const std::string why = failed ? failed.message() : std::strerror(errno);
    std::filesystem::remove(unfinished(path), failed);
    throw InvalidParameter("", "ledger", path, fmt::format("cannot be written: {}", why));
  }
}

}  // namespace tacit::cli
