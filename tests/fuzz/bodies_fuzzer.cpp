// What applications send. What is accepted means what nlohmann reads in it; of what is refused no secret is said; and of a body
// that was accepted no secret is left.
//
// The first byte says what body it is meant as, and where that name is put once more, so that it also stands where nobody expects
// it. In the rest "@a" to "@j" stand for events, "@u" for a user's name, and "@n" for an outcome.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "fuzz/property.hpp"
#include "tacit/privacy/exact.hpp"
#include "tacit/service/api/bodies.hpp"
#include "tacit/service/api/ofrep.hpp"
#include "tacit/service/problem.hpp"

namespace {

using namespace tacit;                // NOLINT: a program of its own
using namespace tacit::service;       // NOLINT
using namespace tacit::service::api;  // NOLINT
using fuzz::require;
using Tree = nlohmann::json;

constexpr std::string_view kName = "QXJ7ZK4WV9";
constexpr std::string_view kOutcome = "0.73519264081";
constexpr std::string_view kDigits = "73519264081";

constexpr Id kShop = 1;
constexpr Id kEverybody = 2;  // an outcome of every arm
constexpr Id kList = 3;       // read up to a stop
constexpr Id kDevices = 4;
constexpr Id kNobody = 5;  // there is no such experiment

/// One of everything that a body may be about: experiments, and an event of every form.
class World {
 public:
  World() {
    TokenKeys::Key key{};
    key.fill(7);
    directory_.tokens.add(1, key);
    directory_.ingress = key;
    for (const Id id : {kShop, kEverybody, kList, kDevices}) add(id);
    event({.experiment = kShop, .recorded = true}, {1});
    event({.experiment = kShop}, {1, 2});
    event({.experiment = kEverybody, .recorded = true}, {0});
    event({.experiment = kList, .recorded = true}, {2}, {3, 2, 0});
    event({.experiment = kDevices, .recorded = true}, {0});
    event({.experiment = kNobody, .recorded = true}, {1});
    event({.experiment = kShop, .recorded = true, .deferred = true}, {1});
    event({.experiment = kShop, .fallback = true}, {1});
    event({.experiment = kShop, .recorded = true}, {kHoldout}, {2});
    event({.experiment = kShop, .generation = 9}, {1});
    secrets_.add(kName);
    secrets_.add(kDigits);
    for (const std::string& token : tokens_) secrets_.add(token);
  }

  const Directory& directory() const { return directory_; }
  const ExperimentCard& shop() const { return *directory_.by_id.at(kShop); }
  const fuzz::Unsaid& secrets() const { return secrets_; }

  std::string expanded(std::string_view input) const {
    std::string text;
    for (std::size_t i = 0; i < input.size(); ++i) {
      const char next = i + 1 < input.size() ? input[i + 1] : '\0';
      if (input[i] != '@') {
        text += input[i];
      } else if (next >= 'a' && next < 'a' + static_cast<char>(tokens_.size())) {
        text += tokens_[static_cast<std::size_t>(next - 'a')];
        ++i;
      } else if (next == 'u' || next == 'n') {
        text += next == 'u' ? kName : kOutcome;
        ++i;
      } else {
        text += '@';
      }
    }
    return text;
  }

 private:
  void add(Id id) {
    ExperimentCard card;
    card.id = id;
    card.name = "shop";
    for (const char* name : {"a", "b", "c", "d"}) {
      card.arm_named.emplace(name, static_cast<Arm>(card.arms.size()));
      card.arms.emplace_back(name);
      card.values.emplace_back("0");
    }
    card.all_arms = id == kEverybody;
    card.cascade = id == kList;
    card.local = id == kDevices;
    card.generation = 1;
    directory_.by_id.emplace(id, std::make_shared<const ExperimentCard>(std::move(card)));
  }
  void event(Event event, const std::vector<Arm>& asked, std::vector<Arm> shown = {}) {
    event.incarnation = 1;
    event.number = tokens_.size() + 1;
    if (event.generation == 0) event.generation = 1;
    event.arms = shown.empty() ? asked : std::move(shown);
    for (const Arm arm : asked) event.places.push_back({{arm, 0}, 7});
    tokens_.push_back(directory_.tokens.token(event));
  }

  Directory directory_;
  std::vector<std::string> tokens_;
  fuzz::Unsaid secrets_;
};

void require_discreet(std::string_view message, const World& world) {
  fuzz::require_one_line(message);
  world.secrets().require_not_in(message);
}

/// None: it was refused, in proper words.
template <class Read>
auto accepted(const World& world, Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Problem& problem) {
    require(problem.status() == 400 || problem.status() == 422, "it is the client's mistake");
    require_discreet(problem.what(), world);
    require_discreet(answer_of(problem).body, world);
  } catch (const OfrepError& error) {
    require(error.status() == 400, "it is the client's mistake");
    require_discreet(error.what(), world);
    require_discreet(answer_of(error, "").body, world);
  }
  return std::nullopt;
}

/// What the one who wrote the body would say that it means.
Tree meaning(const std::string& body) {
  Tree tree = Tree::parse(body, nullptr, false);
  require(!tree.is_discarded(), "only JSON is accepted", body);
  return tree;
}

void check_decisions(const World& world, const std::string& text) {
  std::string body = text;
  const auto read =
      accepted(world, [&] { return decisions_of(body, world.shop(), world.directory()); });
  if (!read) return;
  const Tree tree = text.empty() ? Tree::object() : meaning(text);
  const auto given = [&](const char* key) { return tree.contains(key) && !tree[key].is_null(); };
  require(read->request.unit.has_value() == given("unit"), "a unit is taken when it is given");
  if (given("unit")) {
    const auto name = tree["unit"].get<std::string>();
    require(read->request.unit == world.directory().unit(name), "it is the unit that was named");
    // Else the rest of it may stand elsewhere in the body, as an arm's name say.
    if (name == kName && text.find(kName) == text.rfind(kName)) {
      require(body.find(kName.substr(0, 6)) == std::string::npos, "no name of a unit is left");
    }
  }
  std::vector<std::string> eligible;
  for (const Arm arm : read->request.eligible) {
    eligible.push_back(world.shop().arms.at(static_cast<std::size_t>(arm)));
  }
  require(eligible == (given("eligible") ? tree["eligible"].get<std::vector<std::string>>()
                                         : std::vector<std::string>{}),
          "those are eligible that were named");
  require(read->request.defer == (given("defer") && tree["defer"].get<bool>()), "defer");
  require(read->request.record == (!given("record") || tree["record"].get<bool>()), "record");
  require(read->count == (given("count") ? tree["count"].get<double>() : 1), "count");
}

double as_kept(double outcome) {
  return privacy::Exact::release(privacy::Secret<Sum>(Sum(Outcome::nearest(outcome)))).value();
}

/// What `item` says of the arms that the decision asks about, in their order.
std::vector<double> outcomes_in(const Tree& item, const Event& event, const ExperimentCard& of) {
  std::vector<Arm> asked;
  if (of.all_arms) {
    for (std::size_t i = 0; i < of.arms.size(); ++i) asked.push_back(static_cast<Arm>(i));
  } else {
    for (const Place& place : event.places) {
      asked.push_back(place.slot.arm == kHoldout ? event.arms[0] : place.slot.arm);
    }
  }
  std::vector<double> outcomes;
  for (const Arm arm : asked) {
    if (item.contains("value")) {
      outcomes.push_back(as_kept(item["value"].get<double>()));
    } else if (item.contains("values")) {
      outcomes.push_back(
          as_kept(item["values"].at(of.arms[static_cast<std::size_t>(arm)]).get<double>()));
    } else {
      const Tree& stop = item["stop"];
      const bool is_it = !stop.is_null() && event.arms[stop.get<std::size_t>()] == arm;
      outcomes.push_back(is_it ? 1 : 0);
    }
  }
  return outcomes;
}

/// The objects of a body that has one, or a list of them.
std::vector<Tree> items_of(const Tree& tree, const char* list) {
  if (!tree.contains(list)) return {tree};
  return tree[list].get<std::vector<Tree>>();
}

void check_event(const World& world, const Tree& item, const Event& event) {
  require(world.directory().tokens.read(item["event"].get<std::string>()) == event,
          "it is the event that was given");
}

void check_outcomes(const World& world, const std::string& text) {
  std::string body = text;
  const auto read = accepted(world, [&] { return outcomes_of(body, world.directory()); });
  if (!read) return;
  require(body.find(kDigits.substr(0, 6)) == std::string::npos, "no outcome is left", body);
  const std::vector<Tree> items = items_of(meaning(text), "outcomes");
  require(read->each.size() == items.size(), "all outcomes are read, and no others");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Event& event = read->each[i].event;
    check_event(world, items[i], event);
    const auto experiment = world.directory().by_id.find(event.experiment);
    const bool counts = experiment != world.directory().by_id.end() && !event.fallback &&
                        event.generation == experiment->second->generation;
    std::vector<double> outcomes;
    for (const auto& each : read->of(read->each[i])) {
      outcomes.push_back(privacy::Exact::release(each).value());
    }
    require(outcomes == (counts ? outcomes_in(items[i], event, *experiment->second)
                                : std::vector<double>{}),
            "the outcomes are those that were given");
  }
}

void check_reports(const World& world, const std::string& text) {
  std::string body = text;
  const auto read = accepted(world, [&] { return reports_of(body, world.directory()); });
  if (!read) return;
  const std::vector<Tree> items = items_of(meaning(text), "reports");
  require(read->each.size() == items.size(), "all reports are read, and no others");
  for (std::size_t i = 0; i < items.size(); ++i) {
    check_event(world, items[i], read->each[i].event);
    const Tree& report = items[i]["report"];
    require(read->each[i].report == (report.is_array() ? report.get<std::vector<double>>()
                                                       : std::vector<double>{report.get<double>()}),
            "the report is the one that was given");
  }
}

void check_activation(const World& world, const std::string& text) {
  std::string body = text;
  const auto event = accepted(world, [&] { return activation_of(body, world.directory()); });
  if (event) check_event(world, meaning(text), *event);
}

void check_ofrep(const World& world, const std::string& text) {
  std::string body = text;
  const auto unit = accepted(world, [&] { return unit_of_context(body, world.directory()); });
  require(body.find_first_not_of('\0') == std::string::npos, "nothing of a context is left");
  if (!unit) return;
  const Tree tree = meaning(text);
  if (!unit->has_value() || !tree.contains("context") || !tree["context"].is_object()) return;
  const Tree& key =
      tree["context"].contains("targetingKey") ? tree["context"]["targetingKey"] : Tree();
  // Where a key is there twice, the last that says something counts here, and the last of all there.
  if (!key.is_string() || key.get<std::string>().empty()) return;
  // No fuzzer finds a signature.
  require((*unit)->unit == world.directory().unit(key.get<std::string>()) && !(*unit)->is_signed,
          "it is the unit that was named");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const World world;
  fuzz::Choices choices(fuzz::text_of(data, size));
  const unsigned char where = choices.byte();
  std::string text = world.expanded(choices.rest());
  // Bytes that stand for a place; others for none.
  if (where >= 0x80) text.insert(text.size() * (where - 0x80U) / 0x80U, kName);
  switch (where % 5) {
    case 0: check_outcomes(world, text); break;
    case 1: check_decisions(world, text); break;
    case 2: check_reports(world, text); break;
    case 3: check_ofrep(world, text); break;
    default: check_activation(world, text);
  }
  return 0;
}
