// serve.toml: read, or refused in one line that names one of its own.
#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "fuzz/property.hpp"
#include "tacit/service/configuration.hpp"

namespace {

using namespace tacit;           // NOLINT: a program of its own
using namespace tacit::service;  // NOLINT
using fuzz::require;

void require_kept(const Configuration& all) {
  require(!all.store.empty() && !all.keys.empty(), "there is a store, and keys to it");
  require(all.tls_cert.empty() == all.tls_key.empty(), "TLS has a certificate and its key");
  require(all.listen.is_private() || !all.tls_cert.empty() || all.behind_proxy,
          "others are heard encrypted or not at all", all.listen.text());
  require(all.rotate_every >= kMinute && all.rotate_every <= kHour,
          "what is released is unreadable an hour later");
  for (const PlannedExperiment& each : all.experiments) {
    const Json written = json_of(each.spec);
    require(json_of(spec_of(written)) == written, "an experiment is written and read as the same",
            each.spec.name);
  }
  ConfigurationText typed;
  typed.store = "shop.db";
  typed.listen = all.listen.text();
  typed.behind_proxy = true;
  require(read_configuration(typed, "", "").listen.text() == all.listen.text(),
          "an address is written and read as the same", all.listen.text());
}

void check(const ConfigurationText& typed, const std::string& text) {
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  try {
    require_kept(read_configuration(typed, text, "serve.toml"));
  } catch (const InvalidParameter& refused) {
    // Whoever prints it makes a line of it, also of what was given.
    require(!refused.requirement().empty(), "what is refused is told why");
    if (const auto* line = std::get_if<FileLine>(&refused.about())) {
      require(line->line >= 1 && line->line <= lines, "a mistake has a line of the file",
              refused.what());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  check({}, text);
  // A first line that sets nothing as the address that is typed, and the rest as the file.
  ConfigurationText typed;
  typed.store = "shop.db";
  fuzz::Choices choices(text);
  typed.listen = std::string(choices.line());
  if (typed.listen->find('=') != std::string::npos) return 0;
  check(typed, std::string(choices.rest()));
  return 0;
}
