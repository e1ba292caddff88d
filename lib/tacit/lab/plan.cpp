#include "tacit/lab/plan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <sodium.h>
#include <nlohmann/json.hpp>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/bounds_of.hpp"
#include "tacit/specs/requests.hpp"

namespace tacit::lab {
namespace {

/// 128 bits of BLAKE2b, in hexadecimal.
std::string digest(const std::string& text) {
  std::array<unsigned char, 16> hash{};
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(text.data()),
                     text.size(), nullptr, 0);
  std::string hex;
  for (const unsigned char byte : hash) hex += fmt::format("{:02x}", byte);
  return hex;
}

/// A number as a number: figures put variables on an axis.
std::variant<double, std::string> value_of(const std::string& text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number =
      error == std::errc() && rest == text.data() + text.size() && std::isfinite(value);
  if (is_number) return value;
  return text;
}

/// The best set for the true means; where several are, one of them.
std::vector<Arm> best_set(const simulation::Request& request) {
  std::vector<Arm> arms = request.actions->best_for(request.problem->means());
  std::sort(arms.begin(), arms.end());
  return arms;
}

Task make_task(const Configuration& c, specs::RequestReader& reader) {
  Task task;
  specs::ReadRequest made;
  privacy::Guarantee guarantee;
  try {
    made = reader.read(c.request);
    guarantee = simulation::prepare(made.request)->guarantee();
  } catch (const InvalidParameter& error) {
    // The key has the option's name; what else is wrong, such as a parameter, is the policy's.
    const auto place = c.places.find(error.parameter());
    refuse(place != c.places.end() ? place->second : c.policy_place, error.parameter(),
           error.value(), error.refusal().located());
  }
  task.request = std::move(made.request);
  // What the results depend on, and nothing else; the number of runs may grow.
  const PlayedSetting setting = setting_of(task.request, made.actions, guarantee);
  Json identity = setting_json(setting);
  // Left out where nothing was chosen: results that were kept before there was a choice stay good.
  if (setting.against == simulation::Against::kOracle) identity.erase("against");
  identity["noise"] = c.request.noise;
  identity["means"] = task.request.problem->means();
  identity["action_set"] = task.request.actions ? task.request.actions->name() : "single";
  identity["checkpoints"] = task.request.checkpoints;
  task.fingerprint = digest(on_one_line(identity));

  task.document = {.problem_label = c.problem_label,
                   .problem_family = c.problem_family,
                   .policy_label = c.policy_label,
                   .variables = {},
                   .setting = setting,
                   .noise = c.request.noise,
                   .set_size = task.request.actions ? task.request.actions->size() : 1,
                   .means = task.request.problem->means(),
                   .best_set = {},
                   .promises = promises_of(task.request, guarantee),
                   .checkpoints = task.request.checkpoints,
                   .bounds = bounds_of(task.request, guarantee)};
  for (const auto& [name, value] : c.variables) {
    task.document.variables.push_back({name, value_of(value)});
  }
  if (task.request.actions) task.document.best_set = best_set(task.request);
  return task;
}

/// What is played, whoever plays it, as long as it may be.
struct Played {
  std::string problem, action_set;
  std::vector<double> means;
  std::optional<double> environment_epsilon;

  friend bool operator==(const Played&, const Played&) = default;
};

/// Tables and figures know a problem by its label, or by a variable that is on an axis: the same ones must not be two problems.
class LabelledProblems {
 public:
  void add(const Configuration& c, const simulation::Request& r) {
    const Played played{r.problem->name(), r.actions ? r.actions->name() : "single",
                        r.problem->means(), r.environment_epsilon};
    std::vector<Known>& all = by_label_[c.problem_label];
    for (const Known& known : all) {
      if (known.played == played) {
        if (known.configuration->variables == c.variables) return;
      } else if (!told_apart(known.configuration->variables, c.variables)) {
        refuse(c.problem_place, "problem", c.problem_label,
               fmt::format("is another problem in line {}; give each a label of its own",
                           known.configuration->problem_place.line));
      }
    }
    all.push_back({&c, played});
  }

 private:
  using Variables = std::vector<std::pair<std::string, std::string>>;
  struct Known {
    const Configuration* configuration;
    Played played;
  };

  /// The same variables with other values: two points of a sweep.
  static bool told_apart(const Variables& one, const Variables& other) {
    return one != other &&
           std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](const auto& a, const auto& b) { return a.first == b.first; });
  }

  std::map<std::string, std::vector<Known>> by_label_;
};

[[noreturn]] void refuse_the_same_twice(const Configuration& earlier, const Configuration& c) {
  const bool two_problems = earlier.problem_label != c.problem_label ||
                            earlier.problem_place.line != c.problem_place.line;
  if (two_problems) {
    refuse(c.problem_place, "problem", c.problem_label,
           fmt::format("{} is played on the same problem already, with the same parameters: on {} "
                       "(line {})",
                       c.policy_label, earlier.problem_label, earlier.problem_place.line));
  }
  refuse(c.policy_place, "policy", c.policy_label,
         fmt::format("is played on {} already, with the same parameters (line {})",
                     earlier.problem_label, earlier.policy_place.line));
}

}  // namespace

Plan make_plan(const Experiment& experiment) {
  Plan plan{.title = experiment.title, .text = experiment.text, .tasks = {}};
  specs::RequestReader reader;
  LabelledProblems labelled;
  std::map<std::string, const Configuration*> seen;
  for (const Configuration& c : experiment.configurations) {
    Task task = make_task(c, reader);
    labelled.add(c, task.request);
    const auto [earlier, is_new] = seen.emplace(task.fingerprint, &c);
    if (!is_new) refuse_the_same_twice(*earlier->second, c);
    plan.tasks.push_back(std::move(task));
  }
  return plan;
}

std::string digest_of(const Plan& plan) {
  std::string all;
  for (const Task& task : plan.tasks) {
    all += fmt::format("{} {}\n", task.fingerprint, task.request.runs);
  }
  return digest(all);
}

std::vector<WorkUnit> work_units_of(const Plan& plan) {
  std::vector<WorkUnit> units;
  for (std::size_t task = 0; task < plan.tasks.size(); ++task) {
    for (const Block& block : blocks_of(plan.tasks[task].request.runs)) {
      units.push_back({task, block});
    }
  }
  std::stable_sort(units.begin(), units.end(), [](const WorkUnit& a, const WorkUnit& b) {
    return a.block.first < b.block.first;
  });
  return units;
}

}  // namespace tacit::lab
