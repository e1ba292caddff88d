#include "servers.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>

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
