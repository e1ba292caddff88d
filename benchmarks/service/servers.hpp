// The programs that are compared: `tacit serve` with a store of its own, and a bare echo. Both listen on 127.0.0.1 alone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "connections.hpp"
#include "process.hpp"
#include "traffic.hpp"

namespace tacit::benchmarks {

class Echo {
 public:
  explicit Echo(const Folder& folder);
  std::uint16_t port() const noexcept { return port_; }

 private:
  std::uint16_t port_;
  Process process_;
};

/// One experiment of ten arms.
class TacitServe {
 public:
  struct Settings {
    std::string name;  // of its files
    std::string durability = "strict";
    std::string wait = "10m";
  };
  TacitServe(const Folder& folder, const Settings& settings);

  std::uint16_t port() const noexcept { return port_; }
  const std::string& key() const noexcept { return key_; }
  Requests requests() const { return {key_, kExperiment}; }
  Process& process() noexcept { return *process_; }
  /// Stops it. Throws unless its store has just the decisions that were asked for: a report is answered the same whether or not it
  /// counted, so that answers alone prove no work.
  void stop(const Requests& requests);
  /// Of what was released, once it has stopped; all arms together.
  double released_mean() const;
  /// Bytes of the store and of its log.
  std::uintmax_t stored() const;

  static constexpr const char* kExperiment = "load";

 private:
  void start();

  std::string store_;
  std::string configuration_;
  std::string log_;
  std::uint16_t port_;
  std::string key_;
  std::unique_ptr<Process> process_;
};

/// The program that is served from, with what comes after `tacit serve`.
std::vector<std::string> serve_command(const std::vector<std::string>& words);

}  // namespace tacit::benchmarks
