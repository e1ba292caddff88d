#include "service/non_interference_play.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "live/held.hpp"
#include "service/rig.hpp"
#include "tacit/service/api/api.hpp"
#include "tacit/service/api_keys.hpp"
#include "tacit/service/http/answer_text.hpp"
#include "tacit/service/http/raw_client_test.hpp"
#include "tacit/service/http/server.hpp"
#include "tacit/service/serving.hpp"

namespace tacit::service {
namespace {

namespace fs = std::filesystem;

/// Store, keys and API keys, from which every world of this program begins.
struct Beginning {
  PlayFolder folder;
  std::map<std::string, std::string> keys;  // by role

  Configuration configuration() const {
    Configuration all;
    all.store = folder.file("world/shop.db");
    all.keys = folder.file("world/keys/state.key");
    all.listen.path = folder.file("door.sock");
    all.log = folder.file("world/serve.log");
    all.limits = {.decide = 5, .report = 10, .read = {}};
    return all;
  }

  Beginning() {
    fs::create_directories(folder.file("world"));
    ClockOfPlay clock;
    {
      Serving serving(configuration(), {.clock = &clock});
      for (const char* role : {"app", "client", "viewer", "operator"}) {
        const NewApiKey made = new_api_key(role, "", clock.now());
        keys[role] = made.text;
        std::atomic<bool> done = false;
        serving.service().submit(
            Lane::kOperate,
            [row = made.row](Engine& engine, Time now) {
              engine.put_key(row, "test", now);
              return Answer{};
            },
            [&](Answer&&) {
              done = true;
              done.notify_one();
            });
        done.wait(false);
      }
    }
    fs::remove(folder.file("world/serve.log"));
    fs::rename(folder.file("world"), folder.file("beginning"));
  }

  /// A new world, in the place of the one before: paths stand in the log.
  void begin() const {
    fs::remove_all(folder.file("world"));
    fs::copy(folder.file("beginning"), folder.file("world"), fs::copy_options::recursive);
  }
};

const Beginning& beginning() {
  static const Beginning all;
  return all;
}

/// Of what a decision is known, from its answer.
struct Shown {
  std::string token;
  std::vector<std::string> observe = {};
  std::size_t arms = 0;
  bool deferred = false;
  bool well = false;  // its shape is known, and that it was never deferred
};

class Player {
 public:
  Player(const Game& game, const Records& records, const Mutation& mutation)
      : game_(game),
        records_(records),
        mutation_(mutation),
        local_(live::is_local(game.policy)),
        sets_(policies::find_policy(game.policy).card.plays_sets()),
        public_(random::SimulationKey(game.seed, game.policy, "play", 0)
                    .stream(random::Purpose::kDecisions)),
        secret_(random::SimulationKey(records.seed, game.policy, "records", game.seed)
                    .stream(random::Purpose::kOutcomes)) {
    beginning().begin();
    start();
  }

  Told run() {
    create();
    for (int i = 0; i < game_.steps; ++i) {
      step();
      report();
    }
    for (int i = 0; i < 3; ++i) advance(kMinute);
    for (int i = 0; i < 3; ++i) {
      advance(kHour);
      ask("POST", "/v1/experiments/other/decisions", "app", Json{{"unit", unit()}}.dump());
    }
    read_everything();
    stop();
    std::ostringstream log;
    log << std::ifstream(beginning().configuration().log).rdbuf();
    told_.log = log.str();
    constexpr const char* kRelease = R"("event":"release","experiment":"main")";
    for (std::size_t at = 0; (at = told_.log.find(kRelease, at)) != std::string::npos; ++at) {
      ++told_.releases;
    }
    return std::move(told_);
  }

 private:
  // ---- the service

  void start() {
    Configuration configuration = beginning().configuration();
    configuration.durability = game_.durability;
    serving_ = std::make_unique<Serving>(
        configuration,
        Injected{.releaser = &releaser_,
                 .clock = &clock_,
                 .dice =
                     [](Id id) {
                       return random::Dice(random::SimulationKey(11, "dice", "play",
                                                                 static_cast<std::uint64_t>(id)));
                     },
                 .coins =
                     [this] {
                       return random::Dice(random::SimulationKey(12, "coins", "play", starts_++));
                     }});
    std::string path = configuration.listen.path;
    if (mutation_) {
      path = beginning().folder.file("mutant.sock");
      api::Api::Settings settings;
      settings.now = [this] { return clock_.now(); };
      api_ = std::make_unique<api::Api>(serving_->service(), settings);
      http::Settings of_server;
      of_server.unix_socket = path;
      of_server.now = [this] { return clock_.now(); };
      mutant_ = std::make_unique<http::Server>(
          of_server, mutation_(serving_->service(), clock_, api_->handler()));
    }
    first_hand_ = std::make_unique<http::RawClient>(path);
    second_hand_ = std::make_unique<http::RawClient>(path);
    stream_ = std::make_unique<http::RawClient>(configuration.listen.path);
    stream_->send(request("GET", "/v1/stream", "viewer", "", ""));
    if (!stream_->read_until("\r\n\r\n")) throw std::runtime_error("there is no stream");
  }

  void stop() {
    first_hand_.reset();
    second_hand_.reset();
    mutant_.reset();
    api_.reset();
    // Whoever listens is given time to hear the end, and to leave.
    std::thread listener([this] {
      // Without the signs of life that a quiet stream gives by the machine's clock.
      std::string told = stream_->read_all();
      for (std::size_t at = 0; (at = told.find(":\n\n")) != std::string::npos;) told.erase(at, 3);
      told_.streams.push_back(std::move(told));
      stream_->leave();
    });
    serving_.reset();
    listener.join();
  }

  std::string request(const char* method, const std::string& path, const char* role,
                      const std::string& body, const std::string& more) const {
    return fmt::format(
        "{} {} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {}\r\nContent-Type: application/json\r\n"
        "{}Content-Length: {}\r\n\r\n{}",
        method, path, beginning().keys.at(role), more, body.size(), body);
  }

  // ---- the first hand

  http::Got ask(const char* method, const std::string& path, const char* role,
                const std::string& body = "", const std::string& more = "") {
    if (!first_hand_->send(request(method, path, role, body, more))) {
      throw std::runtime_error("nobody takes a request");
    }
    http::Got got = first_hand_->read();
    told_.answers.push_back(
        fmt::format("{} {} {} {}\n{}{}", method, path, more, body, got.head, got.body));
    return got;
  }

  /// The tick is over when the second of two requests is answered: each is followed by one. What the first is told depends on
  /// when the thread woke up, and is not kept.
  void advance(Time by) {
    clock_.advance(by);
    for (int i = 0; i < 2; ++i) {
      first_hand_->send(request("GET", "/metrics", "viewer", "", ""));
      first_hand_->read();
    }
  }

  int any(int below) { return random::uniform_index(public_, below); }
  bool rarely(int in) { return any(in) == 0; }
  std::string experiment() { return rarely(4) ? "other" : "main"; }
  std::string unit() { return fmt::format("visitor-{}", any(8)); }

  void create() {
    ask("POST", "/v1/populations", "operator", R"({"name":"people","epsilon":1000})");
    ask("POST", "/v1/populations", "operator",
        R"({"name":"members","epsilon":1000,"user_level":true})");
    // Whose first period is paid, and the second, and then there is too little.
    ask("POST", "/v1/populations", "operator", R"({"name":"few","epsilon":70,"user_level":true})");
    Json arms = Json::array();
    for (int arm = 0; arm < live::kArms; ++arm) arms.push_back(fmt::format("arm{}", arm));
    Json main{{"name", "main"}, {"policy", game_.policy}, {"arms", arms}};
    main["wait"] = fmt::format("{}s", 1 + any(12));
    main["default"] = 0.25 * any(3);
    main["population"] = "people";
    main["epsilon"] = 3;
    if (rarely(2)) {
      main.erase("epsilon");
      main["population"] = "members";
      main["user"] = {{"epsilon", 30}, {"cap", 10}};
    }
    // Long phases would not be released before the game is over.
    if (game_.seed % 3 != 0) main["phase_max_age"] = fmt::format("{}s", 5 + any(20));
    sticky_ = rarely(3);
    if (sticky_) main["sticky_for"] = fmt::format("{}s", 5 + any(20));
    if (sets_) {
      main["actions"] = fmt::format("top:{}", live::kSize);
    } else {
      if (rarely(3)) main["floor"] = 0.05;
      if (rarely(3)) main["holdout"] = 0.2;
    }
    if (constexpr int kCreated = 201;
        ask("POST", "/v1/experiments", "operator", main.dump()).status != kCreated) {
      main.erase("floor");  // which not all policies have
      main.erase("holdout");
      if (ask("POST", "/v1/experiments", "operator", main.dump()).status != kCreated) {
        throw std::runtime_error("there is no experiment to play with");
      }
    }
    ask("POST", "/v1/experiments", "operator",
        Json{{"name", "other"},
             {"population", "few"},
             {"policy", "mgf-imed"},
             {"user", {{"epsilon", 30}, {"cap", 6}, {"period", "1h"}}},
             {"sticky_for", "4s"},
             {"wait", "3s"},
             {"arms", {"left", "right"}}}
            .dump());
  }

  void step() {
    const int which = any(100);
    if (which < 45) return decide();
    if (which < 52) return evaluate();
    if (which < 62) return activate();
    if (which < 82) return advance(rarely(4) ? any(200) : 500 + any(3000));
    if (which < 84) return advance(10 * kSecond + any(20'000));
    if (which < 85) return advance(kHour + any(1000));
    if (which < 93) return read();
    if (which < 97) return operate();
    if (which < 99) return ask_wrongly();
    stop();
    clock_.advance(any(5000));
    start();
  }

  void decide() {
    const std::string name = experiment();
    Json body = Json::object();
    if (!rarely(3)) body["unit"] = unit();
    if (rarely(10)) body["record"] = false;
    if (rarely(8)) body["count"] = 1 + any(3);
    if (rarely(10) && name == "main") {
      body["eligible"] = {"arm0", fmt::format("arm{}", 1 + any(3))};
    }
    const bool defer = rarely(5);
    if (defer) body["defer"] = true;
    const std::string again = rarely(8) ? fmt::format("Idempotency-Key: again-{}\r\n", any(3)) : "";
    const http::Got got = ask("POST", "/v1/experiments/" + name + "/decisions", "app",
                              rarely(12) && !defer ? "" : body.dump(), again);
    if (got.status != 200) return;
    const Json all = Json::parse(got.body);
    for (const Json& each : all.contains("decisions") ? all["decisions"] : Json::array({all})) {
      Shown shown{.token = each.at("event"),
                  .observe = each.at("observe"),
                  .arms = each.at("action").is_array() ? each["action"].size() : 1,
                  .deferred = defer || !again.empty(),
                  .well = name == "main" && !local_ && !sticky_ && again.empty()};
      shown_.push_back(std::move(shown));
    }
  }

  void evaluate() {
    const std::string context =
        Json{{"context", {{"targetingKey", unit()}, {"plan", "gold"}}}}.dump();
    if (rarely(2)) {
      const http::Got got = ask("POST", "/ofrep/v1/evaluate/flags/" + experiment(), "app", context);
      if (got.status != 200) return;
      const Json body = Json::parse(got.body);
      if (body.contains("metadata") && body["metadata"].contains("tacit.event")) {
        shown_.push_back({.token = body["metadata"]["tacit.event"], .observe = {}});
      }
      return;
    }
    const std::string seen = etag_.empty() ? "" : "If-None-Match: " + etag_ + "\r\n";
    const http::Got got = ask("POST", "/ofrep/v1/evaluate/flags", "app", context, seen);
    if (got.status != 200) return;
    constexpr std::string_view kTag = "ETag: ";
    const std::size_t at = got.head.find(kTag);
    etag_ = at == std::string::npos
                ? ""
                : got.head.substr(at + kTag.size(), got.head.find("\r\n", at) - at - kTag.size());
    for (const Json& flag : Json::parse(got.body).at("flags")) {
      if (flag.contains("metadata") && flag["metadata"].contains("tacit.event")) {
        shown_.push_back({.token = flag["metadata"]["tacit.event"], .deferred = true});
      }
    }
  }

  void activate() {
    if (shown_.empty()) return;
    Shown shown = shown_[static_cast<std::size_t>(any(static_cast<int>(shown_.size())))];
    const http::Got got =
        ask("POST", "/v1/activations", "app", Json{{"event", shown.token}}.dump());
    if (got.status != 200) return;
    shown.token = Json::parse(got.body).at("event");
    shown.deferred = false;
    shown_.push_back(std::move(shown));
  }

  void read() {
    const char* const paths[] = {"/v1/experiments",
                                 "/v1/experiments/main",
                                 "/v1/experiments/other",
                                 "/v1/experiments/main/releases",
                                 "/v1/experiments/main/traffic",
                                 "/v1/experiments/other/traffic?hours=3",
                                 "/v1/experiments/main/guarantee",
                                 "/metrics",
                                 "/healthz",
                                 "/readyz"};
    ask("GET", paths[any(static_cast<int>(std::size(paths)))], "viewer");
  }
  void read_everything() {
    for (const char* path :
         {"/v1/experiments/main", "/v1/experiments/other",
          "/v1/experiments/main/releases?limit=1000", "/v1/experiments/main/traffic", "/metrics",
          "/v1/operations?limit=1000", "/v1/populations", "/v1/keys",
          "/v1/experiments/main/guarantee", "/openapi.json"}) {
      ask("GET", path, "operator");
    }
  }

  void operate() {
    const std::string path = "/v1/experiments/" + experiment();
    switch (any(12)) {
      case 0:
      case 1: ask("PATCH", path, "operator", R"({"paused":true})"); break;
      case 2:
      case 3: ask("PATCH", path, "operator", R"({"paused":false})"); break;
      case 4: ask("PATCH", path, "operator", R"({"floor":0.1})"); break;
      case 5: ask("PATCH", path, "operator", R"({"holdout":0.1})"); break;
      case 6: ask("POST", path + "/arms", "operator", R"({"name":"new"})"); break;
      case 7: ask("DELETE", path + "/arms/arm3", "operator"); break;
      case 8:
        if (rarely(3)) ask("POST", path + "/stop", "operator", R"({"why":"enough"})");
        break;
      case 9: ask("POST", path + "/archive", "operator"); break;
      default: ask("POST", "/v1/rotate", "operator");
    }
  }

  void ask_wrongly() {
    switch (any(5)) {
      case 0: ask("GET", "/v1/experiments/nobody", "viewer"); break;
      case 1: ask("POST", "/v1/experiments", "viewer", "{}"); break;
      case 2: ask("POST", "/v1/experiments/main/decisions", "app", R"({"unit":7})"); break;
      case 3: ask("POST", "/v1/activations", "app", R"({"event":"AAAA"})"); break;
      default: ask("GET", "/v1/operations?limit=none", "operator");
    }
  }

  // ---- the second hand

  bool maybe(int in) { return random::uniform_index(secret_, in) == 0; }

  void report() {
    if (local_ && !shown_.empty() && rarely(2)) report_of_a_device();
    if (records_.at_once) {
      for (; answered_ < shown_.size(); ++answered_) tell(shown_[answered_], 1);
    }
    if (records_.seed == 0) return;
    for (int i = random::uniform_index(secret_, 4); i > 0 && !shown_.empty(); --i) tell_anything();
  }

  /// Which everybody may see: the same in all worlds. By another key: how many reports the first one has left is no secret of the
  /// second hand's.
  void report_of_a_device() {
    const Shown& shown = shown_[static_cast<std::size_t>(any(static_cast<int>(shown_.size())))];
    Json values = Json::array();
    if (const auto* stops = std::get_if<curators::StopReportPlan>(&plan_)) {
      const auto numbers = stops->numbers();
      for (std::size_t i = 0; i < shown.arms; ++i) {
        values.push_back(((rarely(2) ? 1 : 0) - numbers.q) / numbers.gap);
      }
    } else {
      for (std::size_t i = 0; i < shown.observe.size(); ++i) values.push_back(any(2));
    }
    ask("POST", "/v1/reports", "client", Json{{"event", shown.token}, {"report", values}}.dump());
  }

  Json outcome_of(const Shown& shown, double value) {
    Json one{{"event", shown.token}};
    if (shown.observe.size() <= 1) {
      one["value"] = value;
    } else {
      for (const std::string& arm : shown.observe) one["values"][arm] = value;
    }
    return one;
  }

  void tell(const Shown& shown, double value) {
    tell(outcome_of(shown, value).dump(), shown.well && !shown.deferred);
  }

  /// Which must be that of the clock, and is of no report.
  std::string without_date(std::string head) {
    const std::string date = "Date: " + http::text_of_date(clock_.now() / kSecond) + "\r\n";
    const std::size_t at = head.find(date);
    return at == std::string::npos ? head : head.erase(at, date.size());
  }

  void tell(const std::string& body, bool must_be_taken) {
    ++told_.reports;
    second_hand_->send(request("POST", "/v1/outcomes", "app", body, ""));
    const http::Got got = second_hand_->read();
    constexpr int kAccepted = 202;
    constexpr int kTooMany = 429;
    if (got.status == kAccepted) {
      told_.accepted.insert(without_date(got.head) + got.body);
    } else if (must_be_taken && got.status != kTooMany) {
      told_.unlike.insert(got.head + got.body);
    }
  }

  const Shown& any_shown() {
    return shown_[static_cast<std::size_t>(
        random::uniform_index(secret_, static_cast<int>(shown_.size())))];
  }

  void tell_anything() {
    const double value = random::uniform_open(secret_);
    const Shown& shown = any_shown();
    switch (random::uniform_index(secret_, 10)) {
      case 0: return tell(R"({"event":")" + shown.token, false);
      case 1: return tell(Json{{"event", shown.token}, {"value", 1 + value}}.dump(), false);
      case 2: return tell(Json{{"event", shown.token + "A"}, {"value", value}}.dump(), false);
      case 3:
        return tell(Json{{"event", shown.token}, {"values", {{"arm0", value}}}}.dump(), false);
      case 4: return tell(Json{{"event", shown.token}, {"stop", nullptr}}.dump(), false);
      case 5: tell(shown, value); return tell(shown, 1 - value);
      case 6: {
        Json batch = Json::array();
        bool well = true;
        for (int i = 0; i < 5; ++i) {
          const Shown& each = any_shown();
          well = well && each.well && !each.deferred;
          batch.push_back(outcome_of(each, random::uniform_open(secret_)));
        }
        return tell(Json{{"outcomes", batch}}.dump(), well);
      }
      default: return tell(shown, maybe(2) ? value : 1);
    }
  }

  const Game& game_;
  const Records& records_;
  const Mutation& mutation_;
  const bool local_;
  const bool sets_;
  const curators::Plan plan_ = live::plan_of(live::setup_of(game_.policy));
  random::SimulationStream public_;
  random::SimulationStream secret_;
  ClockOfPlay clock_;
  InjectedReleaser releaser_;
  std::uint64_t starts_ = 0;
  std::unique_ptr<Serving> serving_;
  std::unique_ptr<api::Api> api_;
  std::unique_ptr<http::Server> mutant_;
  std::unique_ptr<http::RawClient> first_hand_, second_hand_, stream_;
  std::vector<Shown> shown_;
  std::size_t answered_ = 0;
  std::string etag_;
  bool sticky_ = false;
  Told told_;
};

std::string in_short(const std::string& text, std::size_t from) {
  constexpr std::size_t kBefore = 200;
  constexpr std::size_t kAfter = 400;
  const std::size_t begin = from > kBefore ? from - kBefore : 0;
  return text.substr(begin, from - begin) + " >>> " +
         text.substr(std::min(from, text.size()), kAfter);
}

std::string difference(const std::string& what, const std::string& one, const std::string& other) {
  if (one == other) return "";
  const auto at = static_cast<std::size_t>(
      std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin());
  return fmt::format("{}: {}\n---- but\n{}", what, in_short(one, at), in_short(other, at));
}

}  // namespace

PlayFolder::PlayFolder() {
  const fs::path memory = "/dev/shm";
  std::string name =
      ((fs::is_directory(memory) ? memory : fs::temp_directory_path()) / "tacit_play_XXXXXX")
          .string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name + ": cannot be made");
  path_ = name;
}

PlayFolder::~PlayFolder() { fs::remove_all(path_); }

Told play(const Game& game, const Records& records, const Mutation& mutation) {
  return Player(game, records, mutation).run();
}

std::string difference(const Told& one, const Told& other) {
  for (std::size_t i = 0; i < std::min(one.answers.size(), other.answers.size()); ++i) {
    if (const auto found =
            difference(fmt::format("answer {}", i), one.answers[i], other.answers[i]);
        !found.empty()) {
      return found;
    }
  }
  if (one.answers.size() != other.answers.size()) return "there are more answers";
  if (const auto found = difference("log", one.log, other.log); !found.empty()) return found;
  if (one.streams.size() != other.streams.size()) return "there are more starts";
  for (std::size_t i = 0; i < one.streams.size(); ++i) {
    if (const auto found = difference("stream", one.streams[i], other.streams[i]); !found.empty()) {
      return found;
    }
  }
  // Of reports there are more in one world than in the other, and what is said to one is said to all.
  std::set<std::string> accepted = one.accepted;
  accepted.insert(other.accepted.begin(), other.accepted.end());
  if (accepted.size() > 1) return "reports are answered in different words: " + *accepted.rbegin();
  for (const Told* told : {&one, &other}) {
    if (!told->unlike.empty()) return "a report was refused: " + *told->unlike.begin();
  }
  return "";
}

}  // namespace tacit::service
