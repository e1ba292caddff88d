#include "tacit/lab/host.hpp"

#include <sys/utsname.h>

#include <fstream>
#include <string>
#include <thread>

#include <nlohmann/json.hpp>

#include "tacit/lab/json.hpp"

namespace tacit::lab {
namespace {

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

}  // namespace

std::string host_facts() {
  utsname system{};
  uname(&system);
  return on_one_line({{"system", std::string(system.sysname) + " " + system.release},
                      {"machine", system.machine},
                      {"processor", processor()},
                      {"cores", std::thread::hardware_concurrency()},
                      {"compiler", __VERSION__}});
}

}  // namespace tacit::lab
