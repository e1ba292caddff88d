#include "tacit/service/demo/demo.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/service/api_keys.hpp"
#include "tacit/service/demo/client.hpp"
#include "tacit/service/demo/screen.hpp"
#include "tacit/service/demo/shop.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/serving.hpp"

namespace tacit::service::demo {
namespace {

constexpr std::uint16_t kUsualPort = 8080;
constexpr int kEvery = 4;  // seconds, a line

const std::vector<Offer>& offers() {
  static const std::vector<Offer> all{{.experiment = "checkout-button",
                                       .arms = {"buy-now", "checkout", "continue", "pay"},
                                       .rates = {0.2, 0.42, 0.31, 0.12},
                                       .list = false},
                                      {.experiment = "product-list",
                                       .arms = {"tea", "mug", "honey", "kettle", "spoon", "cups"},
                                       .rates = {0.12, 0.22, 0.3, 0.08, 0.05, 0.16},
                                       .list = true}};
  return all;
}

constexpr double kEpsilon = 0.5;  // of what one visitor does about one thing that is shown

constexpr const char* kPopulation = "demonstration";

Json spec_of_offer(const Offer& offer) {
  Json json{{"name", offer.experiment}, {"population", kPopulation}};
  json["policy"] = offer.list ? "cascade-dp" : "mgf-imed";
  if (offer.list) json["actions"] = "top:3";
  json["arms"] = offer.arms;
  json["epsilon"] = kEpsilon;
  json["wait"] = "5s";
  return json;
}

/// As temp_directory_path(), which does not say what it refuses.
std::filesystem::path where_temporary() {
  const char* const told = std::getenv("TMPDIR");
  return told != nullptr && *told != '\0' ? told : "/tmp";
}

/// A folder for what is forgotten at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const std::filesystem::path where = where_temporary();
    std::string name = (where / "tacit-demo-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error(
          fmt::format("{}: no temporary folder can be made in it: {}; set TMPDIR to where one can",
                      where.string(), std::strerror(errno)));
    }
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

Configuration configuration_of(const Options& options, const std::string& store) {
  ConfigurationText typed;
  typed.store = store;
  typed.log = store + ".log";
  if (options.listen) typed.listen = options.listen;
  Configuration configuration = read_configuration(typed, "", "");
  configuration.populations.push_back(
      {.name = kPopulation, .epsilon = 2 * kEpsilon, .user_level = false, .place = {}});
  for (const Offer& offer : offers()) {
    configuration.experiments.push_back(
        {.spec = spec_of(spec_of_offer(offer)), .place = {}, .lines = {}});
  }
  return configuration;
}

/// On the usual port, unless one was asked for: what holds that one is often another demonstration.
std::unique_ptr<Serving> serving_of(Configuration configuration, const Options& options) {
  if (options.listen) return std::make_unique<Serving>(configuration);
  configuration.listen.port = kUsualPort;
  try {
    return std::make_unique<Serving>(configuration);
  } catch (const std::exception&) {
    configuration.listen.port = 0;
    return std::make_unique<Serving>(configuration);
  }
}

bool is_of_demonstration(const Snapshot& snapshot) {
  const auto is_offer = [](const ExperimentRow& row) {
    return std::any_of(offers().begin(), offers().end(), [&](const Offer& offer) {
      const Spec spec = stored_spec(row.spec);
      return spec.name == offer.experiment && spec.population == kPopulation &&
             std::equal(
                 spec.arms.begin(), spec.arms.end(), offer.arms.begin(), offer.arms.end(),
                 [](const ArmSpec& arm, const std::string& name) { return arm.name == name; });
    });
  };
  return std::all_of(snapshot.experiments.begin(), snapshot.experiments.end(), is_offer) &&
         std::all_of(snapshot.populations.begin(), snapshot.populations.end(),
                     [](const PopulationRow& row) { return row.name == kPopulation; });
}

/// Two keys, made before the service is, as `tacit serve key add` does.
Access make_keys(const std::string& store) {
  const Time now = SteadyClock().now();
  const NewApiKey app = new_api_key("app", "the demonstration's shop", now);
  const NewApiKey viewer = new_api_key("viewer", "the demonstration's screen", now);
  SqliteStore opened(store, SqliteStore::Opening::kBesideOrNew);
  if (!is_of_demonstration(opened.load())) {
    throw InvalidParameter(Option{"store"}, store,
                           "has experiments that are not the demonstration's, whose visitors are "
                           "not real; give a file of its own");
  }
  opened.begin();
  opened.put(app.row);
  opened.put(viewer.row);
  opened.commit();
  return {.url = {}, .app_key = app.text, .viewer_key = viewer.text};
}

Json view_of(Client& viewer, const std::string& experiment) {
  const Reply reply = viewer.get("/v1/experiments/" + experiment);
  if (reply.status != 200) {
    throw std::runtime_error(fmt::format("{}: the service answers {}", experiment, reply.status));
  }
  return Json::parse(reply.body);
}

std::vector<Json> views_of(Client& viewer) {
  std::vector<Json> views;
  for (const Offer& offer : offers()) views.push_back(view_of(viewer, offer.experiment));
  return views;
}

void say(const std::string& text) {
  fmt::print("{}", text);
  std::fflush(stdout);
}

/// Until Ctrl-C: a line whenever something new was released.
void tell(const Signals& signals, Serving& serving, Client& viewer, const Shop& shop,
          int& seconds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::string last_list;
  Json last_version = 0;  // nothing is released yet
  for (;;) {
    const auto signal = signals.wait(kEvery);
    seconds = static_cast<int>(
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start).count());
    if (signal == SIGINT || signal == SIGTERM) return;
    if (signal == SIGUSR1) serving.rotate();
    const std::vector<Json> views = views_of(viewer);
    if (views[0].at("version") != last_version) {
      last_version = views[0].at("version");
      say(line(seconds, shop.visitors(), views[0]));
    }
    if (const std::string list = line_of_list(views[1]); list != last_list) {
      last_list = list;
      say(list);
    }
  }
}

}  // namespace

void run(const Options& options) {
  harden_process();
  const TemporaryFolder folder;
  const std::string store = options.store.value_or(folder.file("shop.db"));
  const Configuration configuration = configuration_of(options, store);
  const Signals signals;
  Access access = make_keys(store);
  const auto serving = serving_of(configuration, options);
  access.url = serving->url();

  Client viewer(serving->address(), access.viewer_key);
  say(welcome(access, options.visitors, views_of(viewer)));
  say(heading(offers().front()));
  int seconds = 0;
  long visitors = 0;
  {
    Shop shop(serving->address(), access.app_key, offers(), options.visitors);
    tell(signals, *serving, viewer, shop, seconds);
    signals.let_go();
    visitors = shop.visitors();
  }
  say(farewell(seconds, visitors, offers(), views_of(viewer)));
}

}  // namespace tacit::service::demo
