#include "tacit/lab/plan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include <fmt/format.h>
#include <sodium.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/instance_of.hpp"

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
Json value_json(const std::string& text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && rest == text.data() + text.size();
  return is_number ? Json(value) : Json(text);
}

/// The best set for the true means; where several are, one of them.
std::vector<Arm> best_set(const simulation::Request& request) {
  const auto oracle = request.actions->oracle();
  oracle->set_scores(request.problem->means());
  const auto chosen = oracle->choose(1, random::SimulationKey(0, "best set", "", 0));
  std::vector<Arm> arms(chosen.arms.begin(), chosen.arms.end());
  std::sort(arms.begin(), arms.end());
  return arms;
}

Task make_task(const Configuration& c, const MakeRequest& make) {
  Task task;
  MadeRequest made;
  privacy::Guarantee guarantee;
  try {
    made = make(c);
    guarantee = simulation::prepare(made.request)->guarantee();
  } catch (const InvalidParameter& error) {
    const auto place = c.places.find(error.parameter());
    refuse(place != c.places.end() ? place->second : c.policy_place, error.parameter(),
           error.value(), error.requirement());
  }
  task.request = std::move(made.request);
  // What the results depend on, and nothing else; the number of runs may grow.
  Json played_json = played(task.request, made.actions, guarantee);
  played_json["noise"] = c.noise;
  Json identity = played_json;
  identity["means"] = task.request.problem->means();
  identity["action_set"] = task.request.actions ? task.request.actions->name() : "single";
  identity["checkpoints"] = task.request.checkpoints;
  task.fingerprint = digest(on_one_line(identity));

  task.document = {{"problem_label", c.problem_label},
                   {"problem_family", c.problem_family},
                   {"policy_label", c.policy_label}};
  Json variables = Json::object();
  for (const auto& [name, value] : c.variables) variables[name] = value_json(value);
  task.document["variables"] = variables;
  task.document.update(played_json);
  task.document["set_size"] = task.request.actions ? task.request.actions->size() : 1;
  task.document["means"] = task.request.problem->means();
  if (task.request.actions) task.document["best_set"] = best_set(task.request);
  task.document.update(promised(task.request, guarantee));
  task.document["checkpoints"] = task.request.checkpoints;
  task.document["bounds"] = bounds_of(task.request, guarantee);
  return task;
}

}  // namespace

Plan make_plan(const Experiment& experiment, const MakeRequest& make) {
  Plan plan{.title = experiment.title, .text = experiment.text, .tasks = {}};
  std::map<std::string, const Configuration*> seen;
  for (const Configuration& c : experiment.configurations) {
    Task task = make_task(c, make);
    const auto [earlier, is_new] = seen.emplace(task.fingerprint, &c);
    if (!is_new) {
      refuse(c.policy_place, "policy", c.policy_label,
             fmt::format("is played on {} already, with the same parameters (line {})",
                         c.problem_label, earlier->second->policy_place.line));
    }
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

std::vector<Piece> pieces_of(const Plan& plan) {
  std::vector<Piece> pieces;
  for (std::size_t task = 0; task < plan.tasks.size(); ++task) {
    for (const Block& block : blocks_of(plan.tasks[task].request.runs)) {
      pieces.push_back({task, block});
    }
  }
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.block.first < b.block.first; });
  return pieces;
}

}  // namespace tacit::lab
