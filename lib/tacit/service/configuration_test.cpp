#include "tacit/service/configuration.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service {
namespace {

Configuration read(const std::string& text, ConfigurationText typed = {}) {
  if (!typed.store) typed.store = "shop.db";
  return read_configuration(typed, text, "serve.toml");
}

std::string refusal_of(const std::function<void()>& what) {
  try {
    what();
  } catch (const InvalidParameter& error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal(const std::string& text, const ConfigurationText& typed = {}) {
  return refusal_of([&] { read(text, typed); });
}

constexpr const char* kExample = R"(
store = "shop.db"
keys = "secret/state.key"
listen = "unix:/run/tacit.sock"
durability = "fast"
rotate_every = "30m"
log = "serve.log"
accept_clock = true
limits = { decide = 500, read = 2.5, client = 7, answers = 2e6, units = 100 }
idempotency_for = "10m"
origins = ["https://shop.example", "http://[::1]:3000"]

[[population]]
name = "visitors"
epsilon = 2
user_level = true

[[experiment]]
name = "checkout-button"
population = "visitors"
arms = ["green", { name = "red", value = { colour = "#f00", rounded = true } }]
user = { epsilon = 1, cap = 4, period = "7d" }
wait = "5s"
)";

TEST(Configuration, SaysWhatTheFileSays) {
  const Configuration all = read_configuration({}, kExample, "serve.toml");
  EXPECT_EQ(all.store, "shop.db");
  EXPECT_EQ(all.keys, "secret/state.key");
  EXPECT_EQ(all.listen.path, "/run/tacit.sock");
  EXPECT_EQ(all.durability, Durability::kFast);
  EXPECT_EQ(all.rotate_every, 30 * kMinute);
  EXPECT_EQ(all.log, "serve.log");
  EXPECT_TRUE(all.accept_clock);
  EXPECT_FALSE(all.behind_proxy);
  EXPECT_EQ(all.limits.decide, 500);
  EXPECT_EQ(all.limits.report, std::nullopt);
  EXPECT_EQ(all.limits.read, 2.5);
  EXPECT_EQ(all.limits.client, 7);
  EXPECT_EQ(all.limits.answers, 2e6);
  EXPECT_EQ(all.limits.units, 100);
  EXPECT_EQ(all.idempotency_for, 10 * kMinute);
  EXPECT_EQ(all.origins, (std::vector<std::string>{"https://shop.example", "http://[::1]:3000"}));

  ASSERT_EQ(all.populations.size(), 1U);
  EXPECT_EQ(all.populations[0].name, "visitors");
  EXPECT_EQ(all.populations[0].epsilon, 2);
  EXPECT_TRUE(all.populations[0].user_level);

  ASSERT_EQ(all.experiments.size(), 1U);
  const Spec& spec = all.experiments[0].spec;
  EXPECT_EQ(spec.name, "checkout-button");
  EXPECT_EQ(spec.arms[1].value, R"({"colour":"#f00","rounded":true})");
  EXPECT_EQ(spec.cap, 4);
  EXPECT_EQ(spec.period, 7 * kDay);
  EXPECT_EQ(spec.wait, 5 * kSecond);
}

TEST(Configuration, NeedsAStoreAndNothingElse) {
  const Configuration all = read("");
  EXPECT_EQ(all.store, "shop.db");
  EXPECT_EQ(all.keys, "keys/state.key");
  EXPECT_EQ(all.listen.text(), "127.0.0.1:8080");
  EXPECT_EQ(all.durability, Durability::kStrict);
  EXPECT_EQ(refusal_of([] { read_configuration({}, "", ""); }),
            "store: missing; give --store FILE.db, or store = \"FILE.db\" in the --config file");
  EXPECT_EQ(default_keys("/data/shop.db"), "/data/keys/state.key");
}

TEST(Configuration, WhatIsTypedWins) {
  const Configuration all = read_configuration(
      {.store = "other.db", .listen = "[::1]:0", .durability = "strict", .behind_proxy = true},
      kExample, "serve.toml");
  EXPECT_EQ(all.store, "other.db");
  EXPECT_EQ(all.listen.host, "::1");
  EXPECT_EQ(all.listen.port, 0);
  EXPECT_EQ(all.listen.text(), "[::1]:0");
  EXPECT_EQ(all.durability, Durability::kStrict);
  EXPECT_TRUE(all.behind_proxy);
  EXPECT_EQ(all.keys, "secret/state.key");
}

TEST(Configuration, NamesTheLineOfEveryMistake) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"\nlistn = \"x\"", "key = listn: unknown; did you mean listen? (serve.toml, line 2)"},
      {"store = true", "store = true or false: must be a number or a text (serve.toml, line 1)"},
      {"durability = \"fsat\"",
       "durability = fsat: must be strict or fast; did you mean fast? (serve.toml, line 1)"},
      {"behind_proxy = 1", "behind_proxy = a number: must be true or false (serve.toml, line 1)"},
      {"\n\nrotate_every = \"2h\"",
       "rotate_every = 2h: must be from 1m to 1h (serve.toml, line 3)"},
      {"rotate_every = \"hourly\"",
       "rotate_every = hourly: must be a text like 1h or 30m (serve.toml, line 1)"},
      {"listen = 8080",
       "listen = 8080: must be HOST:PORT or unix:PATH, like 127.0.0.1:8080, [::1]:8080 or "
       "unix:/run/tacit.sock (serve.toml, line 1)"},
      {"\nlimits = { decide = 0 }",
       "decide = 0: must be a finite number of requests a second, > 0 (serve.toml, line 2)"},
      {"limits = { answers = 1000 }",
       "answers = 1000: must be a finite number of bytes, at least 1048576, which one may have "
       "(serve.toml, line 1)"},
      {"limits = { units = 0 }",
       "units = 0: must be a finite number of new units a day, at least 1 (serve.toml, line 1)"},
      {"idempotency_for = \"8d\"",
       "idempotency_for = 8d: must be from 1m to 7d (serve.toml, line 1)"},
      {"limits = { decid = 1 }",
       "key = decid: unknown in [limits]; did you mean decide? (serve.toml, line 1)"},
      {"\n[limits]\nraed = 1",
       "key = raed: unknown in [limits]; did you mean read? (serve.toml, line 3)"},
      {"[[population]]\nnam = \"a\"",
       "key = nam: unknown in [[population]]; did you mean name? (serve.toml, line 2)"},
      {"\norigins = [\"https://shop.example\", \"https://shop.example/\"]",
       "origins = https://shop.example/: must be as a browser says it: http:// or https://, a host "
       "in small letters and perhaps a port, like https://shop.example or http://localhost:3000 "
       "(serve.toml, line 2)"},
      {"limits = 5",
       "limits = a number: must be a table like { name = value } (serve.toml, line 1)"},
      {"[[population]]\nname = \"a\"",
       "epsilon: missing; every [[population]] has one (serve.toml, line 1)"},
      {"[[population]]\nname = \"a b\"\nepsilon = 1",
       "name = a b: must be 1 to 64 letters, digits, dots, underscores or dashes (serve.toml, "
       "line 2)"},
      {"[[population]]\nname = \"a\"\nepsilon = -1",
       "epsilon = -1: must be a finite number > 0 (serve.toml, line 3)"},
      {"[[population]]\nname = \"a\"\nepsilon = 1\nuser_level = 1",
       "user_level = a number: must be true or false (serve.toml, line 4)"},
      {"[[population]]\nname = \"a\"\nepsilon = 1\n[[population]]\nname = \"a\"\nepsilon = 1",
       "name = a: is there already, in line 1 (serve.toml, line 4)"},
      {"[experiment]\nname = \"a\"",
       "experiment = a table: must be written [[experiment]] (serve.toml, line 1)"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(refusal(text), message) << text;
  EXPECT_EQ(refusal("store = \n").find("config = serve.toml: "), 0U);
}

TEST(Configuration, OfWhatIsNoTomlIsRefusedWhateverItIs) {
  // Both are beyond what the parser of TOML takes for possible.
  EXPECT_NE(refusal("[::1]:8080\n").find("(line 1, column 2)"), std::string::npos);
  EXPECT_NE(refusal("\xef\xbb\xb7store = 1\n").find("(line 1"), std::string::npos);
  EXPECT_EQ(read("log = \"\xef\xbb\xb7.log\"\n").log, "\xef\xbb\xb7.log");
}

TEST(Configuration, NamesTheLineOfAnExperimentsMistake) {
  const std::string head = "[[experiment]]\nname = \"a\"\npopulation = \"p\"\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"epsilon = 1", "experiment = a: arms: must be given (serve.toml, line 1)"},
      {"arms = [\"x\", \"y\"]\nepsilon = -1",
       "experiment = a: epsilon = -1: must be a finite number > 0 (serve.toml, line 5)"},
      {"arms = [\n  \"x\",\n  { name = \"y\", valu = 1 },\n]\nepsilon = 1",
       "experiment = a: arms[1].valu: there is no such key; did you mean value? (known: name, "
       "value, retired) (serve.toml, line 6)"},
      {"arms = [\"x\"]\n\n[experiment.user]\nepsilon = 1\ncap = 0",
       "experiment = a: user.cap = 0: must be a number from 1 to 1000000 (serve.toml, line 8)"},
      {"arms = [\"x\"]\n\n[experiment.user]\nepsilon = 1",
       "experiment = a: user.cap: must be given (serve.toml, line 6)"},
      {"arms = [\"x\"]\nepsilon = inf", "epsilon: must be a finite number (serve.toml, line 5)"},
      {"arms = [\"x\"]\nepsilon = 1\nwait = 00:10:00",
       "wait: is a date or time; write it as a text, or as a number of seconds (serve.toml, line "
       "6)"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(refusal(head + text), message) << text;
  EXPECT_EQ(refusal("[[experiment]]\narms = [\"x\"]"),
            "experiment: name: must be given (serve.toml, line 1)");
}

TEST(Configuration, WhatTheServiceRefusesLaterHasALineToo) {
  const Configuration all = read(kExample);
  const auto said = [&](const std::string& field) {
    return refusal_of([&] { all.experiments[0].refuse(Problem(422, field, field + ": no")); });
  };
  EXPECT_EQ(said("user.epsilon"),
            "experiment = checkout-button: user.epsilon: no (serve.toml, line 22)");
  EXPECT_EQ(said("policy"), "experiment = checkout-button: policy: no (serve.toml, line 18)");
}

TEST(Configuration, NobodyElseIsHeardInTheClear) {
  for (const char* nearby :
       {"localhost:80", "127.0.0.1:80", "127.1.2.3:80", "[::1]:80", "unix:/x"}) {
    EXPECT_EQ(refusal("", {.listen = nearby}), "accepted") << nearby;
  }
  for (const char* open : {"0.0.0.0:80", "192.168.1.7:80", "[::]:80", "shop.example:80",
                           "127.0.0.1.example:80", "[::ffff:127.0.0.1]:80"}) {
    const std::string clear = refusal("", {.listen = open});
    EXPECT_EQ(clear, std::string("listen = ") + open +
                         ": others than this machine would be heard in the clear; give --tls-cert "
                         "and --tls-key, or --behind-proxy where a proxy does TLS");
    EXPECT_EQ(refusal("", {.listen = open, .behind_proxy = true}), "accepted");
    EXPECT_EQ(refusal("", {.listen = open, .tls_cert = "c", .tls_key = "k"}), "accepted");
  }
  // As from variables of a shell that are not set.
  EXPECT_EQ(refusal("", {.listen = "0.0.0.0:80", .tls_cert = "", .tls_key = ""}),
            "tls-cert: missing; must be the path of a PEM file");
  EXPECT_EQ(refusal("listen = \"0.0.0.0:80\"\ntls_cert = \"c\"\ntls_key = \"\""),
            "tls_key: missing; must be the path of a PEM file (serve.toml, line 3)");
  EXPECT_EQ(refusal("", {.tls_cert = "c"}), "tls-cert = c: give tls_cert and tls_key together");
  EXPECT_EQ(refusal("tls_key = \"k\""),
            "tls_key = k: give tls_cert and tls_key together (serve.toml, line 1)");
  EXPECT_NE(refusal("", {.tls_cert = "c", .tls_key = "k", .behind_proxy = true}), "accepted");
  EXPECT_NE(refusal("", {.listen = "unix:/x", .tls_cert = "c", .tls_key = "k"}), "accepted");
}

TEST(Configuration, AnAddressIsUnderstoodOrRefused) {
  for (const std::string bad : {"", "8080", ":8080", "localhost", "localhost:", "localhost:http",
                                "localhost:65536", "localhost:-1", "::1:8080", "unix:"}) {
    EXPECT_EQ(refusal("", {.listen = bad}).find("listen"), 0U) << bad;
  }
  EXPECT_NE(refusal("", {.listen = "unix:/" + std::string(200, 'x')}).find("at most 107 bytes"),
            std::string::npos);
}

TEST(Configuration, OfPostgresSaysThatItIsNotThereYet) {
  const std::string said = refusal("", {.store = "postgresql://me:hunter2@db/shop"});
  EXPECT_EQ(said,
            "store: PostgreSQL is not there yet; give the path of a file, like shop.db, which "
            "SQLite keeps");
  EXPECT_NE(refusal("", {.store = "mysql://db/shop"}), "accepted");
}

TEST(Configuration, OfAFileThatIsNotThereIsRefused) {
  EXPECT_EQ(refusal_of([] { read_configuration({.config = "nowhere.toml", .store = "x"}); }),
            "config = nowhere.toml: cannot be read; must be a TOML file with something in it");
}

}  // namespace
}  // namespace tacit::service
