#include "ledger_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::cli {
namespace {

/// Next to the file, so that the last step is a rename; a name of its own. What is not a plain file (a pipe, a
/// device, a link) is written to as it is: renaming would replace it.
std::string unfinished(const std::string& path) {
  std::error_code none;
  const auto status = std::filesystem::symlink_status(path, none);
  const bool plain = !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
  return plain ? fmt::format("{}.{}.part", path, getpid()) : path;
}

std::string field(double x) { return fmt::format("{:.10g}", x); }

}  // namespace

void check_writable(const std::string& option, const std::string& path) {
  if (std::filesystem::is_directory(path)) {
    throw InvalidParameter("", option, path, "is a folder; must be a file to write");
  }
  errno = 0;
  const std::string name = unfinished(path);
  std::ofstream file(name, std::ios::app);
  if (!file) {
    throw InvalidParameter("", option, path,
                           fmt::format("cannot be written: {}", std::strerror(errno)));
  }
  file.close();
  if (name != path) std::filesystem::remove(name);
}

void write_ledgers(const std::string& path, const std::vector<PolicyLedger>& ledgers) {
  errno = 0;
  const std::string name = unfinished(path);
  std::ofstream file(name);
  file << "policy,after_round,about,first,last,mechanism,epsilon,delta\n";
  for (const auto& [policy, ledger] : ledgers) {
    for (const privacy::LedgerEntry& e : ledger.entries()) {
      const std::string about =
          e.arm == privacy::kAllArms ? "all arms" : fmt::format("arm {}", e.arm);
      file << fmt::format("{},{},{},{},{},\"{}\",{},{}\n", policy, e.when, about, e.first, e.last,
                          e.cost.mechanism, field(e.cost.epsilon), field(e.cost.delta));
    }
    for (const auto& [mechanism, kind] : ledger.reports()) {
      file << fmt::format("{},,\"each of {} reports, {} a round at most\",,,\"{}\",{},{}\n", policy,
                          kind.count, kind.most_in_a_round, mechanism, field(kind.cost.epsilon),
                          field(kind.cost.delta));
    }
  }
  file.close();
  std::error_code failed;
  if (file && name != path) std::filesystem::rename(name, path, failed);
  if (!file || failed) {
    const std::string why = failed ? failed.message() : std::strerror(errno);
    if (name != path) std::filesystem::remove(name, failed);
    throw InvalidParameter("", "ledger", path, fmt::format("cannot be written: {}", why));
  }
}

}  // namespace tacit::cli
