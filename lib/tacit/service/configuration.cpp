#include "tacit/service/configuration.hpp"

#include <arpa/inet.h>
#include <sys/un.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/service/api/cross_origin.hpp"
#include "tacit/service/problem.hpp"
#include "tacit/storage/strict_toml.hpp"

namespace tacit::service {
namespace {

/// A value, and where it was written.
struct Given {
  std::string text;
  About about;

  [[noreturn]] void refuse(const std::string& requirement) const {
    throw InvalidParameter(about, text, requirement);
  }
};

About about_line(const storage::StrictTable& table, const std::string& key) {
  const storage::SourceLine place = table.place_of(key);
  return FileLine{key, place.file, place.line};
}

/// What was typed wins over what stands in the file.
std::optional<Given> given(const std::optional<std::string>& typed, storage::StrictTable& table,
                           const std::string& key) {
  const auto written = table.text(key);
  if (typed) {
    std::string option = key;
    for (char& c : option) c = c == '_' ? '-' : c;
    return Given{*typed, Option{option}};
  }
  if (written) return Given{*written, about_line(table, key)};
  return {};
}

Address address_of(const Given& listen) {
  constexpr const char* kAllowed =
      "must be HOST:PORT or unix:PATH, like 127.0.0.1:8080, [::1]:8080 or unix:/run/tacit.sock";
  const std::string& text = listen.text;
  Address address;
  constexpr std::string_view kUnix = "unix:";
  if (text.starts_with(kUnix)) {
    address.path = text.substr(kUnix.size());
    if (address.path.empty()) listen.refuse(kAllowed);
    constexpr std::size_t kLongest = sizeof(sockaddr_un::sun_path) - 1;
    if (address.path.size() > kLongest) {
      listen.refuse(fmt::format("the path of a Unix socket has at most {} bytes", kLongest));
    }
    return address;
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) listen.refuse(kAllowed);
  address.host = text.substr(0, colon);
  if (address.host.starts_with('[') && address.host.ends_with(']')) {
    address.host = address.host.substr(1, address.host.size() - 2);
  } else if (address.host.find(':') != std::string::npos) {
    listen.refuse(kAllowed);  // which colon is the port's?
  }
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + colon + 1, end, address.port);
  if (address.host.empty() || read.ec != std::errc{} || read.ptr != end) listen.refuse(kAllowed);
  return address;
}

Durability durability_of(const Given& given) {
  if (given.text == "strict") return Durability::kStrict;
  if (given.text == "fast") return Durability::kFast;
  given.refuse(fmt::format("must be strict or fast; did you mean {}?",
                           nearest_name(given.text, {"strict", "fast"})));
}

[[noreturn]] void refuse_node(const std::string& file, const toml::node& node,
                              const std::string& key, const std::string& requirement) {
  throw InvalidParameter(FileLine{key, file, static_cast<int>(node.source().begin.line)},
                         Withheld{}, requirement);
}

/// The same words as in a request. Lines of all keys are noted as messages name them: "arms[2].name".
Json json_of(const toml::node& node, const std::string& path, const std::string& file,
             std::map<std::string, int>& lines) {
  lines[path] = static_cast<int>(node.source().begin.line);
  if (const auto* table = node.as_table()) {
    Json json = Json::object();
    for (const auto& [key, value] : *table) {
      const std::string name(key.str());
      json[name] = json_of(value, path.empty() ? name : path + "." + name, file, lines);
    }
    return json;
  }
  if (const auto* array = node.as_array()) {
    Json json = Json::array();
    for (const toml::node& each : *array) {
      json.push_back(json_of(each, fmt::format("{}[{}]", path, json.size()), file, lines));
    }
    return json;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* number = node.as_floating_point()) {
    if (std::isfinite(number->get())) return number->get();
    refuse_node(file, node, path, "must be a finite number");
  }
  refuse_node(file, node, path, "is a date or time; write it as a text, or as a number of seconds");
}

PlannedExperiment experiment_of(const toml::table& table, const std::string& file) {
  PlannedExperiment planned;
  planned.place = {file, static_cast<int>(table.source().begin.line)};
  const Json json = json_of(table, "", file, planned.lines);
  if (const auto name = json.find("name"); name != json.end() && name->is_string()) {
    planned.spec.name = name->get<std::string>();  // so that what is refused has a name
  }
  try {
    planned.spec = spec_of(json);
  } catch (const Problem& problem) {
    planned.refuse(problem);
  }
  return planned;
}

PlannedPopulation population_of(storage::StrictTable& table) {
  PlannedPopulation planned;
  planned.place = table.place();
  const auto need = [&](const char* key, bool there) {
    if (!there) storage::refuse(table.place(), key, "", "every [[population]] has one");
  };
  const auto name = table.text("name");
  const auto epsilon = table.number("epsilon");
  planned.user_level = table.flag("user_level").value_or(false);
  table.close();
  need("name", name.has_value());
  need("epsilon", epsilon.has_value());
  planned.name = *name;
  planned.epsilon = *epsilon;
  try {
    check_name("name", planned.name);
  } catch (const Problem&) {
    storage::refuse(table.place_of("name"), "name", planned.name,
                    "must be 1 to 64 letters, digits, dots, underscores or dashes");
  }
  if (!(planned.epsilon > 0 && std::isfinite(planned.epsilon))) {
    storage::refuse(table.place_of("epsilon"), "epsilon", fmt::format("{}", planned.epsilon),
                    "must be a finite number > 0");
  }
  return planned;
}

Limits limits_of(storage::StrictTable& top, const toml::table& root, const std::string& file) {
  Limits limits;
  if (top.lists("limits").empty()) return limits;
  storage::StrictTable strict(*root.get("limits")->as_table(), file, "[limits]");
  const auto read = [&](const char* key, double least, const char* requirement) {
    const auto limit = strict.number(key);
    if (limit && !(*limit > 0 && *limit >= least && std::isfinite(*limit))) {
      storage::refuse(strict.place_of(key), key, fmt::format("{}", *limit), requirement);
    }
    return limit;
  };
  constexpr const char* kRequests = "must be a finite number of requests a second, > 0";
  limits.decide = read("decide", 0, kRequests);
  limits.report = read("report", 0, kRequests);
  limits.read = read("read", 0, kRequests);
  limits.client = read("client", 0, kRequests);
  constexpr double kLongestAnswer = 1 << 20;
  limits.answers = read("answers", kLongestAnswer,
                        "must be a finite number of bytes, at least 1048576, which one may have");
  limits.units = read("units", 1, "must be a finite number of new units a day, at least 1");
  strict.close();
  return limits;
}

std::vector<std::string> origins_of(storage::StrictTable& top) {
  const auto origins = top.list("origins").value_or(std::vector<std::string>());
  for (const std::string& origin : origins) {
    if (api::is_origin(origin)) continue;
    storage::refuse(top.place_of("origins"), "origins", origin,
                    "must be as a browser says it: http:// or https://, a host in small letters "
                    "and perhaps a port, like https://shop.example or http://localhost:3000");
  }
  return origins;
}

Time rotation_of(const Given& given) {
  Time time = 0;
  try {
    time = duration_of("rotate_every", given.text);
  } catch (const Problem&) {
    given.refuse("must be a text like 1h or 30m");
  }
  // An outcome is promised to be unreadable an hour after its release.
  if (time < kMinute || time > kHour) given.refuse("must be from 1m to 1h");
  return time;
}

Time idempotency_of(const Given& given) {
  Time time = 0;
  try {
    time = duration_of("idempotency_for", given.text);
  } catch (const Problem&) {
    given.refuse("must be a text like 1d or 10m");
  }
  if (time < kMinute || time > 7 * kDay) given.refuse("must be from 1m to 7d");
  return time;
}

/// What is heard by others than this machine travels encrypted.
void check_door(const Configuration& all, const std::optional<Given>& listen,
                const std::optional<Given>& cert, const std::optional<Given>& key) {
  for (const auto& file : {cert, key}) {
    if (file && file->text.empty()) file->refuse("must be the path of a PEM file");
  }
  if (cert.has_value() != key.has_value()) {
    (cert ? *cert : *key).refuse("give tls_cert and tls_key together");
  }
  if (cert && all.behind_proxy) {
    cert->refuse("behind_proxy says that somebody else does TLS; give one of them");
  }
  if (cert && !all.listen.path.empty()) cert->refuse("a Unix socket needs no TLS; leave it out");
  if (listen && !all.listen.is_private() && !cert && !all.behind_proxy) {
    listen->refuse(
        "others than this machine would be heard in the clear; give --tls-cert and --tls-key, or "
        "--behind-proxy where a proxy does TLS");
  }
}

void check_names(const Configuration& all) {
  std::map<std::string, int> populations;
  std::map<std::string, int> experiments;
  const auto once = [](auto& seen, const std::string& name, const storage::SourceLine& place) {
    const auto [found, is_new] = seen.emplace(name, place.line);
    if (is_new) return;
    storage::refuse(place, "name", name,
                    fmt::format("is there already, in line {}", found->second));
  };
  for (const auto& each : all.populations) once(populations, each.name, each.place);
  for (const auto& each : all.experiments) once(experiments, each.spec.name, each.place);
}

}  // namespace

bool Address::is_private() const {
  if (!path.empty() || host == "localhost") return true;
  in_addr four{};
  if (inet_pton(AF_INET, host.c_str(), &four) == 1) return ntohl(four.s_addr) >> 24U == 127;
  in6_addr six{};
  return inet_pton(AF_INET6, host.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

std::string Address::text() const {
  if (!path.empty()) return "unix:" + path;
  if (host.find(':') != std::string::npos) return fmt::format("[{}]:{}", host, port);
  return fmt::format("{}:{}", host, port);
}

void PlannedExperiment::refuse(const Problem& problem) const {
  auto line = place.line;
  // The key itself, or the nearest thing around it that is written there.
  for (std::string field = problem.field(); !field.empty();) {
    if (const auto found = lines.find(field); found != lines.end()) {
      line = found->second;
      break;
    }
    const std::size_t end = field.find_last_of(".[");
    field = end == std::string::npos ? "" : field.substr(0, end);
  }
  const FileLine about{"experiment", place.file, line};
  if (spec.name.empty()) throw InvalidParameter(about, Withheld{}, problem.what());
  throw InvalidParameter(about, spec.name, problem.what());
}

std::string default_keys(const std::string& store) {
  return (std::filesystem::path(store).parent_path() / "keys" / "state.key").string();
}

void check_store(const About& about, const std::string& store) {
  if (store.empty()) throw InvalidParameter(about, Withheld{}, "must be a file, like shop.db");
  if (store.starts_with("postgresql:") || store.starts_with("postgres:")) {
    // It may have a password in it.
    throw InvalidParameter(about, Withheld{},
                           "PostgreSQL is not there yet; give the path of a file, like shop.db, "
                           "which SQLite keeps");
  }
  if (store.find("://") != std::string::npos) {
    throw InvalidParameter(about, Withheld{}, "must be the path of a file, like shop.db");
  }
}

Configuration read_configuration(const ConfigurationText& typed, const std::string& text,
                                 const std::string& file) {
  toml::table root;
  try {
    root = storage::parse_toml(text, file);
  } catch (const InvalidParameter& error) {
    throw InvalidParameter(Option{"config"}, file, error.requirement());
  }
  storage::StrictTable top(root, file, "");
  const auto store = given(typed.store, top, "store");
  const auto keys = given(typed.keys, top, "keys");
  const auto listen = given(typed.listen, top, "listen");
  const auto tls_cert = given(typed.tls_cert, top, "tls_cert");
  const auto tls_key = given(typed.tls_key, top, "tls_key");
  const auto durability = given(typed.durability, top, "durability");
  const auto log = given(typed.log, top, "log");
  const auto rotate_every = given({}, top, "rotate_every");
  const auto idempotency_for = given({}, top, "idempotency_for");

  Configuration all;
  all.behind_proxy = top.flag("behind_proxy").value_or(false) || typed.behind_proxy;
  all.accept_clock = top.flag("accept_clock").value_or(false) || typed.accept_clock;
  all.limits = limits_of(top, root, file);
  all.origins = origins_of(top);
  auto populations = top.tables("population");
  const std::size_t experiments = top.tables("experiment").size();
  top.close();

  if (!store) {
    throw InvalidParameter(Option{"store"}, "",
                           "give --store FILE.db, or store = \"FILE.db\" in the --config file");
  }
  check_store(store->about, store->text);
  all.store = store->text;
  all.keys = keys ? keys->text : default_keys(all.store);
  if (all.keys.empty()) keys->refuse("must be the path of a file");
  if (listen) all.listen = address_of(*listen);
  if (tls_cert) all.tls_cert = tls_cert->text;
  if (tls_key) all.tls_key = tls_key->text;
  if (durability) all.durability = durability_of(*durability);
  if (log) all.log = log->text;
  if (log && (all.log == all.store || all.log == all.keys)) {
    log->refuse("must be a file of its own, which is neither the store nor the key file");
  }
  if (rotate_every) all.rotate_every = rotation_of(*rotate_every);
  if (idempotency_for) all.idempotency_for = idempotency_of(*idempotency_for);
  check_door(all, listen, tls_cert, tls_key);
  for (storage::StrictTable& table : populations) all.populations.push_back(population_of(table));
  for (std::size_t i = 0; i < experiments; ++i) {
    all.experiments.push_back(
        experiment_of(*root.get("experiment")->as_array()->get(i)->as_table(), file));
  }
  check_names(all);
  return all;
}

Configuration read_configuration(const ConfigurationText& typed) {
  if (!typed.config) return read_configuration(typed, "", "");
  const std::string text =
      storage::read_toml("config", *typed.config, "a TOML file with something in it");
  return read_configuration(typed, text, *typed.config);
}

}  // namespace tacit::service
