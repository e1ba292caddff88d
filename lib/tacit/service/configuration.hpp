// What `tacit serve` is told: a TOML file, over which the words of the command line win.
//
//   store = "shop.db"                     # the rest may be left out
//   keys = "/secret/state.key"            # keys/state.key beside the store
//   listen = "127.0.0.1:8080"             # or "unix:/run/tacit.sock"; [::1]:8080
//   tls_cert = "cert.pem"                 # with tls_key, where others than this machine are to be heard
//   tls_key = "key.pem"
//   behind_proxy = false                  # somebody else does TLS
//   durability = "strict"                 # fast: a decision is answered before it is on the disk
//   rotate_every = "1h"
//   log = "serve.log"                     # standard error
//   accept_clock = false                  # also when the clock is days ahead of what the store has seen
//   origins = ["https://shop.example"]    # whose pages may ask from a browser
//   limits = { decide = 100000, report = 100000, read = 1000, client = 100 }  # requests a second and key; client: and address
//   idempotency_for = "1d"                # how long answers are kept for who repeats a request
//
//   [[population]]                        # populations and experiments that the store does not have yet are made
//   name = "visitors"
//   epsilon = 2
//
//   [[experiment]]                        # the words of POST /v1/experiments
//   name = "checkout-button"
//   ...
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/service/problem.hpp"
#include "tacit/service/service.hpp"
#include "tacit/service/spec.hpp"
#include "tacit/storage/source_line.hpp"

namespace tacit::service {

/// Where to listen.
struct Address {
  std::string host;
  std::uint16_t port = 0;  // 0: any that is free
  std::string path;        // of a Unix socket; then there is neither of the above

  /// Nobody beyond this machine can knock there.
  bool is_private() const;
  std::string text() const;
};

/// What was typed.
struct ConfigurationText {
  std::optional<std::string> config = {};
  std::optional<std::string> store = {};
  std::optional<std::string> keys = {};
  std::optional<std::string> listen = {};
  std::optional<std::string> tls_cert = {};
  std::optional<std::string> tls_key = {};
  std::optional<std::string> durability = {};
  std::optional<std::string> log = {};
  bool behind_proxy = false;
  bool accept_clock = false;
};

struct PlannedPopulation {
  std::string name;
  double epsilon = 0;
  bool user_level = false;
  storage::SourceLine place;
};

struct PlannedExperiment {
  Spec spec;
  storage::SourceLine place;
  std::map<std::string, int> lines;  // of its keys

  /// Throws what the service says of it as a mistake of that line.
  [[noreturn]] void refuse(const Problem& problem) const;
};

/// None: the service's own.
struct Limits {
  std::optional<double> decide = {}, report = {}, read = {};  // requests a second and key
  std::optional<double> client = {};                          // and address, with `client` keys
  std::optional<double> answers = {};                         // bytes a key and idempotency_for
  std::optional<double> units = {};                           // new ones a `client` key and day
};

struct Configuration {
  std::string store;
  std::string keys;
  Address listen{.host = "127.0.0.1", .port = 8080, .path = {}};
  std::string tls_cert, tls_key;  // both or none
  bool behind_proxy = false;
  Durability durability = Durability::kStrict;
  Time rotate_every = kHour;
  Limits limits;
  Time idempotency_for = kDay;
  std::vector<std::string> origins;
  std::string log;  // "": standard error
  bool accept_clock = false;
  std::vector<PlannedPopulation> populations;
  std::vector<PlannedExperiment> experiments;
};

/// Reads the file that `typed` names, if any. Throws InvalidParameter for whatever is wrong in it, with its line.
Configuration read_configuration(const ConfigurationText& typed);
/// The same of a file's text.
Configuration read_configuration(const ConfigurationText& typed, const std::string& text,
                                 const std::string& file);

/// keys/state.key beside the store.
std::string default_keys(const std::string& store);
/// Throws InvalidParameter for a store that is no file: PostgreSQL is not there yet.
void check_store(const About& about, const std::string& store);

}  // namespace tacit::service
