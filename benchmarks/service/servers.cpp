#include "servers.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>

#include "tacit/storage/sqlite.hpp"

namespace tacit::benchmarks {

std::vector<std::string> serve_command(const std::vector<std::string>& words) {
  std::vector<std::string> command{TACIT_PROGRAM, "serve"};
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

Echo::Echo(const Folder& folder)
    : port_(free_port()), process_({TACIT_ECHO, std::to_string(port_)}, folder.file("echo.out")) {
  process_.await(port_, "/");
}

TacitServe::TacitServe(const Folder& folder, const Settings& settings)
    : store_(folder.file(settings.name + ".db")),
      configuration_(folder.file(settings.name + ".toml")),
      log_(folder.file(settings.name + ".log")),
      port_(free_port()) {
  std::ofstream(configuration_) << fmt::format(
      "store = '{}'\nkeys = '{}'\nlisten = '127.0.0.1:{}'\ndurability = '{}'\n"
      "limits = {{ decide = 1e9, report = 1e9, read = 1e9 }}\n"
      "[[population]]\nname = 'visitors'\nepsilon = 1\n"
      "[[experiment]]\nname = '{}'\npopulation = 'visitors'\nepsilon = 0.5\nwait = '{}'\n"
      "arms = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']\n",
      store_, folder.file(settings.name + ".key"), port_, settings.durability, kExperiment,
      settings.wait);
  start();
  process_->stop();
  const std::string said =
      output_of(serve_command({"key", "add", "--role", "app", "--store", store_}), folder);
  const std::size_t begin = said.find("tacit_app_");
  if (begin == std::string::npos) throw std::runtime_error("tacit serve key add shows no key");
  key_ = said.substr(begin, said.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
                                                   "UVWXYZ0123456789_-",
                                                   begin) -
                                begin);
  start();
}

void TacitServe::start() {
  process_ = std::make_unique<Process>(serve_command({"--config", configuration_}), log_);
  process_->await(port_, "/readyz");
}

void TacitServe::stop(const Requests& requests) {
  process_->stop();
  const std::int64_t kept = storage::Database(store_, storage::Database::Access::kRead)
                                .number("SELECT coalesce(sum(decisions), 0) FROM traffic");
  if (static_cast<std::uint64_t>(kept) == requests.asked()) return;
  throw std::runtime_error(
      fmt::format("{} decisions were asked for, and the store has {}", requests.asked(), kept));
}

double TacitServe::released_mean() const {
  const storage::Database database(store_, storage::Database::Access::kRead);
  storage::Statement rows(database, "SELECT n, released FROM releases");
  double n = 0;
  double sum = 0;
  while (rows.step()) {
    double value = 0;
    const std::string bytes = rows.text(1);
    if (bytes.size() != sizeof value) throw std::runtime_error("a release is not one number");
    std::memcpy(&value, bytes.data(), sizeof value);
    n += static_cast<double>(rows.integer(0));
    sum += value;
  }
  if (n == 0) throw std::runtime_error("nothing was released yet: ask for more decisions");
  return sum / n;
}

std::uintmax_t TacitServe::stored() const {
  std::uintmax_t bytes = 0;
  for (const char* end : {"", "-wal", "-shm"}) {
    std::error_code missing;
    const std::uintmax_t size = std::filesystem::file_size(store_ + end, missing);
    if (!missing) bytes += size;
  }
  return bytes;
}

}  // namespace tacit::benchmarks
