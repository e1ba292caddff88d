#include "odd_commands.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tacit::cli_test {
namespace {

const std::vector<std::string> kEpsilons = {"1e-300", "1e-100", "1e-10", "1e-3",  "0.3",  "1",
                                            "30",     "1e5",    "1e17",  "1e160", "1e300"};

constexpr const char* kNoStore = "none://here";

const std::vector<std::string> kOddNumbers = {"0",
                                              "-0",
                                              "1",
                                              "-1",
                                              "0.5",
                                              "1.5",
                                              "-1.5",
                                              "5e-324",
                                              "1e-300",
                                              "-1e-300",
                                              "1e300",
                                              "1e308",
                                              "1e999",
                                              "-1e999",
                                              "nan",
                                              "-nan",
                                              "inf",
                                              "-inf",
                                              "0x10",
                                              "1e",
                                              "1,5",
                                              "1_000",
                                              "9007199254740993",
                                              "18446744073709551616",
                                              "\xEF\xBC\x91",
                                              "",
                                              " 1",
                                              "+1"};

/// What has means that come to the ends of [0, 1]. The second is how many arms.
const std::vector<std::pair<std::string, int>> kMeans = {
    {"1,0", 2},       {"0,0,1", 3}, {"1,0.5,0", 3},
    {"1,1,0.5,0", 4}, {"0,0", 2},   {"1e-300,0.9999999999999999", 2}};

/// One of these, by what it is for.
template <class T>
const T& one_of(const std::vector<T>& all, const Arguments& seed) {
  std::size_t hash = 14695981039346656037U;
  for (const std::string& word : seed) {
    for (const char c : word + "\n") hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  return all[(hash >> 20) % all.size()];
}

/// What a policy may be asked for besides: every other command has such an option.
Arguments besides(const Arguments& command) {
  static const std::vector<Arguments> kOptions = {{},
                                                  {},
                                                  {},
                                                  {},
                                                  {},
                                                  {"--plain"},
                                                  {"--noise", "exact"},
                                                  {"--delay", "5"},
                                                  {"--delay", "geometric:3"},
                                                  {"--rewards", "beta"},
                                                  {"--rewards", "point"},
                                                  {"--rewards", "normal"},
                                                  {"--delta", "1e-300"},
                                                  {"--delta", "0.9999999999999999"},
                                                  {"--runs", "3"},
                                                  {"--checkpoints", "log:1"},
                                                  {"--arms"},
                                                  {"--intervals", "0.05"}};
  return one_of(kOptions, command);
}

Arguments sets_for(const SweptPolicy& policy, int arms) {
  if (policy.feedback == "cascade") return {"--actions", arms > 2 ? "top:2" : "top:1"};
  if (policy.feedback == "semi") return {"--actions", "top:1"};
  return {};
}

Arguments changed(Arguments base, const std::string& option, const std::string& value) {
  const auto found = std::find(base.begin(), base.end(), option);
  if (found == base.end()) return base + Arguments{option, value};
  *(found + 1) = value;
  return base;
}

}  // namespace

std::vector<OddCommand> policies_on_problems(const Catalogue& all) {
  static const std::vector<std::string> kHorizons = {"1", "2", "3", "17", "300"};
  std::vector<OddCommand> commands;
  const auto add = [&](const SweptPolicy& policy, const Arguments& problem,
                       const std::string& horizon, bool can_regret_less) {
    for (const std::string& epsilon : kEpsilons) {
      OddCommand command;
      command.arguments =
          Arguments{"simulate", "--policy", policy.name, "--epsilon", epsilon} + problem;
      const std::string rounds = horizon.empty() ? one_of(kHorizons, command.arguments) : horizon;
      command.arguments = command.arguments + Arguments{"--horizon", rounds};
      const Arguments also = besides(command.arguments);
      if (also.empty() || also[0] != "--runs")
        command.arguments = command.arguments + Arguments{"--runs", "1"};
      command.arguments = command.arguments + also + Arguments{"--json"};
      if (policy.keeps_its_epsilon) command.epsilon = epsilon;
      command.can_regret_less = can_regret_less;
      commands.push_back(std::move(command));
    }
  };
  for (const SweptPolicy& policy : all.policies) {
    for (const SweptProblem& problem : all.problems) {
      const Arguments sets = problem.of_sets ? Arguments{} : sets_for(policy, problem.arms);
      add(policy, Arguments{"--problem", problem.name} + sets, "", problem.has_no_law);
    }
    for (const auto& [means, arms] : kMeans) {
      const Arguments given = Arguments{"--means", means} + sets_for(policy, arms);
      add(policy, given, "", false);
      add(policy, given, "300", false);
    }
  }
  return commands;
}

std::vector<OddCommand> policies_with_parameters(const Catalogue& all) {
  std::vector<OddCommand> commands;
  for (const SweptPolicy& policy : all.policies) {
    for (const Parameter& parameter : policy.parameters) {
      std::vector<std::string> values{"nan", "inf", "1e300", "1e-300", "0", "-1", "x", ""};
      std::string end;
      for (const char c : parameter.range + ",") {
        // Words of a|b, and the ends of (low, high) and low..high.
        if (std::string("|(), ").find(c) == std::string::npos) {
          end += c;
        } else if (!end.empty()) {
          const std::size_t dots = end.find("..");
          values.push_back(end.substr(0, dots));
          if (dots != std::string::npos) values.push_back(end.substr(dots + 2));
          end.clear();
        }
      }
      for (const std::string& value : values) {
        for (const char* epsilon : {"0.3", "1e17"}) {
          OddCommand command;
          command.arguments =
              Arguments{"simulate", "--policy", policy.name, "--means", "1,0.5,0"} +
              sets_for(policy, 3) +
              Arguments{"--epsilon", epsilon, "--horizon", "300",
                        "--runs",    "1",     "--param",   parameter.name + "=" + value,
                        "--json"};
          commands.push_back(std::move(command));
        }
      }
    }
  }
  return commands;
}

std::vector<OddCommand> identifications_and_audits(const Catalogue& all) {
  std::vector<OddCommand> commands;
  for (const SweptPolicy& policy : all.policies) {
    for (const std::string& epsilon : kEpsilons) {
      OddCommand command;
      command.arguments = Arguments{"identify", "--policy", policy.name, "--epsilon", epsilon,
                                    "--means",  "1,0.5,0",  "--error",   "0.1",       "--most",
                                    "300",      "--runs",   "2",         "--json"};
      commands.push_back(command);
      command.arguments = {"identify", "--policy", policy.name, "--epsilon", epsilon, "--means",
                           "1,0,0",    "--budget", "300",       "--runs",    "2",     "--json"};
      commands.push_back(command);
      command.arguments = {"audit", "--policy",  policy.name, "--epsilon", epsilon, "--rounds",
                           "4",     "--samples", "100",       "--threads", "1",     "--json"};
      commands.push_back(command);
    }
  }
  return commands;
}

std::vector<OddCommand> bounds_of_problems(const Catalogue& all) {
  std::vector<OddCommand> commands;
  const auto add = [&](const Arguments& problem) {
    for (const std::string& epsilon : kEpsilons) {
      for (const char* horizon : {"1", "2", "1e6", "9007199254740992"}) {
        OddCommand command;
        command.arguments =
            Arguments{"bounds"} + problem +
            Arguments{"--epsilon", epsilon, "--horizon", horizon, "--all", "--json"};
        commands.push_back(std::move(command));
      }
    }
  };
  for (const SweptProblem& problem : all.problems) add({"--problem", problem.name});
  for (const auto& [means, arms] : kMeans) {
    add({"--means", means});
    add({"--means", means, "--actions", "top:1"});
    add({"--means", means, "--feedback", "full"});
  }
  return commands;
}

std::vector<OddCommand> options_with_odd_numbers(const Catalogue& all,
                                                 const TemporaryFolder& folder) {
  const std::string experiment = folder.file(
      "experiment.toml",
      "horizon = 20\nruns = 1\n[[problem]]\nmeans = [0.9, 0.5]\n[[policy]]\nname = \"ucb1\"\n");
  const Arguments simulate = {"--policy", "anytime-lazy-ucb", "--epsilon", "1",      "--means",
                              "0.9,0.5",  "--horizon",        "50",        "--runs", "2",
                              "--json"};
  const Arguments identify = {"--policy", "mgf-tt", "--epsilon", "1",   "--means", "1,0",
                              "--runs",   "2",      "--most",    "500", "--json"};
  const std::map<std::string, std::vector<Arguments>> bases = {
      {"simulate",
       {simulate,
        changed(simulate, "--policy", "cucb-ldp-gaussian") + Arguments{"--actions", "top:1"}}},
      {"identify",
       {identify + Arguments{"--error", "0.1"}, identify + Arguments{"--budget", "100"}}},
      {"bounds", {{"--means", "0.9,0.5", "--epsilon", "1", "--horizon", "1000", "--json"}}},
      {"audit",
       {{"--policy", "adap-ucb", "--epsilon", "1", "--samples", "100", "--rounds", "4", "--json"}}},
      {"run", {{experiment, "-o", "odd"}}},
      {"export", {{folder.path()}}},
      {"merge", {{folder.path(), "-o", "merged"}}},
      {"plot", {{folder.path()}}},
      {"reproduce", {{"none of this name"}}},
  };
  std::vector<OddCommand> commands;
  for (const std::vector<std::string>& words : all.commands) {
    const std::vector<SweptOption> options = options_of(words);
    std::vector<Arguments> begun{{}};
    if (const auto base = bases.find(words[0]); base != bases.end()) begun = base->second;
    // What is no path is no store: nothing is served.
    const bool stored = std::any_of(options.begin(), options.end(), [](const SweptOption& option) {
      return option.name == "--store";
    });
    for (Arguments& base : begun) {
      if (stored) base = base + Arguments{"--store", kNoStore};
      for (const SweptOption& option : options) {
        if (stored && option.name == "--store") continue;
        if (!option.takes_value) {
          commands.push_back({words + base + Arguments{option.name}});
          continue;
        }
        for (const std::string& value : kOddNumbers) {
          commands.push_back({words + changed(base, option.name, value)});
        }
        for (const std::string& form : option.forms) {
          for (const char* number :
               {"0", "-1", "1", "1e9", "9007199254740992", "1e300", "nan", "", "1:1"}) {
            commands.push_back({words + changed(base, option.name, form + number)});
          }
        }
      }
    }
  }
  return commands;
}

std::vector<OddCommand> broken_files_in_places(const Catalogue& all,
                                               const TemporaryFolder& folder) {
  const Arguments played = {"simulate", "--policy", "ucb1", "--horizon",
                            "10",       "--runs",   "1",    "--json"};
  std::vector<OddCommand> commands;
  const auto add = [&](const Arguments& arguments, const std::string& must_say) {
    OddCommand command;
    command.arguments = arguments;
    command.of_a_file = true;
    command.can_regret_less = true;
    command.must_say = must_say;
    commands.push_back(std::move(command));
  };
  const auto filled = [](std::string form, const std::string& path) {
    for (const auto& [word, value] :
         std::vector<std::pair<std::string, std::string>>{{"[:undirected]", ""},
                                                          {":SOURCE", ":0"},
                                                          {":TARGET", ":1"},
                                                          {":K", ":1"},
                                                          {"FILE", path}}) {
      if (const std::size_t at = form.find(word); at != std::string::npos)
        form.replace(at, word.size(), value);
    }
    return form;
  };
  for (const BrokenFile& file : broken_files(folder)) {
    add(played + Arguments{"--means", "@" + file.path}, file.must_say);
    for (const std::string& form : all.problem_files) {
      if (form.find("FILE") == std::string::npos) continue;
      add(played + Arguments{"--problem", filled(form, file.path)}, file.must_say);
    }
    for (const std::string& form : all.action_files) {
      Arguments command =
          played + Arguments{"--means", "0.9,0.5,0.1", "--actions", filled(form, file.path)};
      // Single arms of which others are seen are no sets.
      if (form.find("neighbours") == std::string::npos) command[2] = "cucb";
      add(command, file.must_say);
      // A file is looked at although its rows need not be as many as there are arms.
      command = changed(command, "--means", "0.9");
      add(command, file.must_say);
    }
    add({"run", file.path, "-o", "odd"}, file.must_say);
    add({"serve", "--config", file.path, "--store", kNoStore}, file.must_say);
  }
  return commands;
}

std::vector<OddCommand> twenty_thousand_rounds(const Catalogue& all) {
  std::vector<OddCommand> commands;
  for (const SweptPolicy& policy : all.policies) {
    for (const char* means : {"0.9,0.5", "0,0,0", "1,0"}) {
      for (const char* epsilon : {"1", "30"}) {
        OddCommand command;
        command.arguments =
            Arguments{"simulate", "--policy", policy.name, "--epsilon", epsilon, "--means", means} +
            sets_for(policy, 2) + Arguments{"--horizon", "20000", "--runs", "1", "--json"};
        if (policy.keeps_its_epsilon) command.epsilon = epsilon;
        commands.push_back(std::move(command));
      }
    }
  }
  return commands;
}

std::vector<OddCommand> as_far_as_rounds_are_counted(const OddCommand& near) {
  std::vector<OddCommand> commands;
  for (const char* horizon : {"1e12", "5e14", "1e15", "9007199254740992"}) {
    OddCommand command = near;
    command.arguments = changed(near.arguments, "--horizon", horizon);
    commands.push_back(std::move(command));
  }
  return commands;
}

}  // namespace tacit::cli_test
