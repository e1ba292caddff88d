#include <chrono>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands.hpp"
#include "standard_error.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/core/one_line.hpp"
#include "tacit/service/api_keys.hpp"
#include "tacit/service/demo/demo.hpp"
#include "tacit/service/keeping/checking.hpp"
#include "tacit/service/keeping/copying.hpp"
#include "tacit/service/keeping/restoring.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/serving.hpp"
#include "tacit/specs/values.hpp"

namespace tacit::cli {
namespace {

using service::SqliteStore;

service::Time now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

SqliteStore open_beside(const std::string& path, SqliteStore::Opening opening) {
  service::check_store(Option{"store"}, path);
  return SqliteStore(path, opening);
}

/// As an operation that whoever serves the store takes notice of.
void write_key(SqliteStore& store, const service::ApiKeyRow& row, const std::string& what) {
  store.begin();
  store.put(row);
  store.add(service::OperationRow{.at = now(), .key = "tacit serve key", .what = what});
  store.commit();
}

}  // namespace

void serve(const service::ConfigurationText& text) {
  service::serve_until_told(service::read_configuration(text));
}

void serve_demo(const ServeDemoOptions& o) {
  service::demo::Options options;
  if (o.listen) options.listen = *o.listen;
  if (o.store) options.store = *o.store;
  if (o.visitors) {
    constexpr int kMost = 1000;
    options.visitors =
        static_cast<int>(specs::read_integer(Option{"visitors"}, *o.visitors, 1, kMost));
  }
  service::demo::run(options);
}

void add_key(const ServeKeyOptions& o) {
  const service::NewApiKey key = service::new_api_key(o.role, o.note, now());
  SqliteStore store = open_beside(o.store, SqliteStore::Opening::kBesideOrNew);
  write_key(store, key.row, fmt::format("added key {} ({})", key.row.id, key.row.role));
  fmt::print("{}\n", key.text);
  to_standard_error(fmt::format(
      "tacit: this is the only time that the key is shown; its id is {}\n", key.row.id));
}

void list_keys(const ServeKeyOptions& o) {
  SqliteStore store = open_beside(o.store, SqliteStore::Opening::kBeside);
  const auto keys = store.keys();
  if (keys.empty()) {
    fmt::print("no key; tacit serve key add --role operator --store {} makes one\n", o.store);
    return;
  }
  constexpr std::size_t kDate = 10;
  const auto date = [](service::Time time) { return service::text_of_time(time).substr(0, kDate); };
  fmt::print("{:<10} {:<9} {:<11} {:<11} {}\n", "id", "role", "made", "revoked", "note");
  for (const service::ApiKeyRow& key : keys) {
    fmt::print("{:<10} {:<9} {:<11} {:<11} {}\n", key.id, key.role, date(key.created),
               key.revoked > 0 ? date(key.revoked) : "-", in_one_line(key.note, key.note.size()));
  }
}

void revoke_key(const ServeKeyOptions& o) {
  SqliteStore store = open_beside(o.store, SqliteStore::Opening::kBeside);
  std::vector<std::string> ids;
  for (service::ApiKeyRow key : store.keys()) {
    ids.push_back(key.id);
    if (key.id != o.id) continue;
    if (key.revoked > 0) {
      fmt::print("{} was revoked already, at {}\n", key.id, service::text_of_time(key.revoked));
      return;
    }
    key.revoked = now();
    write_key(store, key, fmt::format("revoked key {} ({})", key.id, key.role));
    fmt::print("{} opens nothing any more\n", key.id);
    return;
  }
  // A whole key may have been given instead of its id: it is not repeated.
  throw InvalidParameter(
      Option{"id"}, Withheld{},
      ids.empty() ? "the store has no keys"
                  : fmt::format("there is no key with it; the ids are {}", fmt::join(ids, ", ")));
}

void rotate_keys(const ServeStoreOptions& o) {
  service::check_store(Option{"store"}, o.store);
  if (const auto process = service::process_that_serves(o.store)) {
    service::ask_to_rotate(*process);
    fmt::print("asked process {}, which serves {}, to rotate; its log says how it went\n", *process,
               o.store);
    return;
  }
  service::rotate_store(o.store, o.keys.value_or(service::default_keys(o.store)));
  fmt::print("{}: what is under way is sealed under a new key, and the old one is erased\n",
             o.store);
}

void check_store(const ServeStoreOptions& o) {
  service::check_store(Option{"store"}, o.store);
  const service::Verdict verdict = service::check_file(o.store, now());
  if (const std::size_t n = verdict.complaints.size(); n > 0) {
    throw std::runtime_error(fmt::format("{}: {}{}", o.store, verdict.complaints.front(),
                                         n > 1 ? fmt::format(" (and {} more)", n - 1) : ""));
  }
  fmt::print("{}: {}; nothing is wrong with it\n", o.store, verdict.holds);
}

void back_up_store(const ServeCopyOptions& o) {
  service::check_store(Option{"store"}, o.store);
  service::check_store(Option{"copy"}, o.copy);
  using service::Existing;
  const service::Verdict verdict =
      service::back_up(o.store, o.copy, o.replace ? Existing::kReplace : Existing::kRefuse, now());
  fmt::print("{}: {}; nothing is wrong with it\n", o.copy, verdict.holds);
}

void restore_store(const ServeCopyOptions& o) {
  service::check_store(Option{"store"}, o.store);
  service::check_store(Option{"copy"}, o.copy);
  service::harden_process();      // which reads the key file
  std::signal(SIGUSR1, SIG_IGN);  // of a rotation, which takes who holds the store for a service
  const service::Restored restored = service::restore(
      {.copy = o.copy, .store = o.store, .keys = o.keys.value_or(service::default_keys(o.store))},
      now());
  fmt::print("{}: is what {} was: {}\n", o.store, o.copy, restored.holds);
  for (const std::string& cost : restored.costs) fmt::print("{}\n", cost);
}

}  // namespace tacit::cli
