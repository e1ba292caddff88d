#include "command_line.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/core/version.hpp"

namespace tacit::cli {
namespace {

using Command = std::function<void()>;

constexpr const char* kThreads = "Default: all cores. Results do not depend on it";

void add_problem(CLI::App& c, specs::ProblemText& problem) {
  c.add_option("--problem", problem.name, "A named problem; tacit list --problems shows them");
  c.add_option("--means", problem.means, "Mean outcome of every arm, or @file");
  c.add_option("--prior", problem.prior,
               "A law of which every run draws its own means: Bayesian regret");
  c.add_option("--actions", problem.actions,
               "What may be played in a round: single, top:K, matroid:..., paths:..., ...; tacit "
               "list --problems shows all");
}

Command add_audit(CLI::App& app) {
  auto o = std::make_shared<AuditOptions>();
  CLI::App* c = app.add_subcommand("audit", "Try to break a policy's guarantee by playing it");
  c->add_option("--policy", o->text.policy,
                "The policy's name; needed but for --notion environment");
  c->add_option("--epsilon", o->text.epsilon, "Privacy parameter")->required();
  c->add_option(
      "--notion", o->text.notion,
      "central or local (the policy's own is the default), instantaneous (one action at a "
      "time), or environment (released means, without a policy)");
  c->add_option("--delta", o->text.delta, "Second privacy parameter, for policies that have one");
  CLI::Option* samples = c->add_option(
      "--samples", o->text.samples,
      "Runs at most; it stops earlier when it knows (default: 40000; up to 400000 for "
      "epsilons below 1, fewer where runs are long)");
  c->add_option("--rounds", o->text.rounds,
                "Rounds of a run (default: as few as bring three releases of every arm, at most "
                "4096; 64 for noisy leaders)");
  c->add_option("--seed", o->text.seed, "Seed of the runs");
  c->add_option("--threads", o->text.threads, kThreads);
  c->add_option("--param", o->text.params, "name=value; tacit list shows the names")
      ->allow_extra_args(false);
  CLI::Option* exact =
      c->add_flag(
           "--exact", o->text.exact,
           "Compute the worst case over a few rounds instead of sampling, where that can be done")
          ->excludes(samples);
  c->add_flag("--replay", o->text.replay,
              "Tell the policy on one table what it was told on a neighbouring one, and hold its "
              "noise to the declared law: finds what depends on a user but through releases")
      ->excludes(exact)
      ->excludes(samples);
  c->add_flag("--json", o->json, "Print one JSON document");
  return [o] { audit(*o); };
}

Command add_bounds(CLI::App& app) {
  auto o = std::make_shared<BoundsOptions>();
  CLI::App* c = app.add_subcommand("bounds", "Show what theory says of the regret on a problem");
  add_problem(*c, o->instance.problem);
  c->add_option("--feedback", o->instance.feedback,
                "bandit, full, semi or cascade; default: bandit for single arms, semi for sets");
  c->add_option("--epsilon", o->instance.epsilon, "Privacy parameter")->required();
  c->add_option("--delta", o->instance.delta, "Second privacy parameter, for bounds that have one");
  c->add_option(
      "--steepness", o->instance.steepness,
      "How far one outcome can move the logarithm of its probability, c of basu-theorem-3; 0 "
      "unless given");
  c->add_option("--horizon", o->instance.horizon, "Rounds, like 1000000 or 1e6")->required();
  c->add_flag("--all", o->all, "List those that do not apply here too, and why");
  c->add_flag("--json", o->json, "Print one JSON document");
  return [o] { bounds(*o); };
}

Command add_export(CLI::App& app) {
  auto o = std::make_shared<ExportOptions>();
  CLI::App* c = app.add_subcommand("export", "Print results as CSV, JSON or Markdown");
  c->add_option("folder", o->folder, "A folder of results")->required();
  c->add_option("-o,--output", o->output, "A file instead of standard output");
  c->add_flag("--csv", o->csv, "A row for every configuration and checkpoint (the default)");
  c->add_flag("--json", o->json, "What tacit simulate --json prints, without times");
  c->add_flag("--markdown", o->markdown, "Tables of regret at the end, for documents");
  return [o] { export_results(*o); };
}

Command add_identify(CLI::App& app) {
  auto o = std::make_shared<IdentifyOptions>();
  specs::RequestText& r = o->request;
  r.runs = "100";
  CLI::App* c = app.add_subcommand(
      "identify", "Find the best arm, and stop when it is known: how many samples that takes");
  c->add_option("--policy", o->policies,
                "One or more names, separated by commas; mgf-tt is made for it, others stop by the "
                "evidence of what they release")
      ->required();
  c->add_option("--epsilon", r.epsilon, "Privacy parameter; required by private policies");
  c->add_option("--delta", r.delta, "Second privacy parameter, for policies that have one");
  add_problem(*c, r.problem);
  c->add_option("--rewards", r.problem.rewards, "bernoulli, beta, point or normal");
  c->add_option("--error", r.error, "How often the recommendation may be wrong, in (0, 1)");
  c->add_option("--budget", r.budget,
                "Instead of --error: so many rounds, and how often it is wrong after them");
  c->add_option("--most", r.most,
                "Samples after which a run gives up (default: 2^53, when all runs end)");
  c->add_option("--top", r.top, "How many arms are to be found (default: 1)");
  c->add_option("--runs", r.runs, "Independent runs (default: 100)");
  c->add_option("--seed", r.seed, "Seed of the simulation");
  c->add_option("--threads", o->threads, kThreads);
  c->add_option("--param", o->params, "[POLICY.]name=value; tacit list shows the names")
      ->allow_extra_args(false);
  c->add_option("--noise", r.noise,
                "ideal (doubles, as in papers) or exact (integers, as in production)");
  c->add_option("--delay", r.delay, "Answers come late: N rounds, or geometric:N, N on average");
  c->add_flag("--plain", r.plain, "Decide every round by itself, skip nothing");
  c->add_flag("--json", o->json, "Print one JSON document");
  return [o] { identify(*o); };
}

Command add_list(CLI::App& app) {
  auto o = std::make_shared<ListOptions>();
  CLI::App* c = app.add_subcommand("list", "Show every policy with its guarantee");
  c->add_flag("--problems", o->problems, "Show the named problems instead");
  c->add_flag("--json", o->json, "Print one JSON document");
  return [o] { list(*o); };
}

Command add_merge(CLI::App& app) {
  auto o = std::make_shared<MergeOptions>();
  CLI::App* c = app.add_subcommand("merge", "Put the shards of an experiment together");
  c->add_option("folders", o->folders, "Folders of results")->required();
  c->add_option("-o,--output", o->output, "Folder of the whole")->required();
  return [o] { merge(*o); };
}

Command add_plot(CLI::App& app) {
  auto o = std::make_shared<PlotOptions>();
  CLI::App* c = app.add_subcommand("plot", "Draw the figures of an experiment");
  c->add_option("folder", o->folder, "A folder of results")->required();
  c->add_option("-o,--output", o->output, "FILE.svg, .pdf or .png; default: in the folder");
  c->add_option("--figure", o->figure, "One figure, by its name");
  c->add_option("--format", o->format, "svg (the default), pdf or png");
  c->add_option("--axes", o->axes, "linear, logx, logy or loglog instead of the figure's own");
  c->add_option("--y", o->y,
                "regret, regret/ln(t), return, samples or wrong instead of the figure's own");
  return [o] { plot(*o); };
}

Command add_reproduce(CLI::App& app) {
  auto o = std::make_shared<ReproduceOptions>();
  CLI::App* c =
      app.add_subcommand("reproduce", "A paper's figures: data, pictures, and what holds");
  c->add_option("names", o->names, "Names, or all");
  c->add_flag("--list", o->list, "Show the names");
  c->add_option("-o,--output", o->folder, "Folder for the results; default: reproduced");
  c->add_option("--movielens", o->movies, "Folder of the official files of MovieLens 1M");
  c->add_option("--threads", o->threads, kThreads);
  return [o] { reproduce(*o); };
}

Command add_run(CLI::App& app) {
  auto o = std::make_shared<RunOptions>();
  CLI::App* c = app.add_subcommand(
      "run", "Run an experiment file; the same command goes on where it was stopped");
  c->add_option("experiment", o->experiment, "A TOML file; see docs/experiments.md")->required();
  c->add_option("-o,--output", o->folder, "Folder of the results; default: results/NAME");
  c->add_option("--shard", o->shard, "i/n: the i-th of n parts, to be put together by tacit merge");
  c->add_option("--threads", o->threads, kThreads);
  return [o] { run(*o); };
}

/// What the words after `serve` ask for; nothing: to serve.
using Chosen = std::shared_ptr<Command>;

void choose(CLI::App* command, const Chosen& chosen, Command what) {
  command->callback([chosen, what = std::move(what)] { *chosen = what; });
}

void add_serve_demo(CLI::App& serve, const Chosen& chosen) {
  auto o = std::make_shared<ServeDemoOptions>();
  CLI::App* c =
      serve.add_subcommand("demo", "A shop with simulated visitors, to see what the service does");
  c->add_option("--listen", o->listen,
                "HOST:PORT; default: 127.0.0.1:8080, or a port that is free");
  c->add_option("--visitors", o->visitors, "How many come a second (default: 50)");
  c->add_option("--store", o->store,
                "FILE.db, which is kept; default: a temporary one, which is removed at the end");
  choose(c, chosen, [o] { serve_demo(*o); });
}

void add_serve_keys(CLI::App& serve, const Chosen& chosen) {
  CLI::App* c = serve.add_subcommand("key", "The keys that callers of the API show");
  c->require_subcommand(1);
  auto o = std::make_shared<ServeKeyOptions>();
  const auto add = [&](const char* name, const char* what, auto command) {
    CLI::App* added = c->add_subcommand(name, what);
    added->add_option("--store", o->store, "FILE.db; it may be served meanwhile")->required();
    choose(added, chosen, [o, command] { command(*o); });
    return added;
  };
  CLI::App* made = add("add", "Make a key and print it, this once", add_key);
  made->add_option("--role", o->role,
                   "app (asks and answers), client (answers and evaluates flags, from a browser), "
                   "viewer (reads) or operator (reads and changes; asks for nothing)")
      ->required();
  made->add_option("--note", o->note, "Whose it is");
  add("list", "Show all keys, without their secrets", list_keys);
  add("revoke", "Let a key open nothing any more", revoke_key)
      ->add_option("id", o->id, "Its id, as key list shows it")
      ->required();
}

void add_serve_store(CLI::App& serve, const Chosen& chosen) {
  auto o = std::make_shared<ServeStoreOptions>();
  CLI::App* rotate = serve.add_subcommand(
      "rotate", "Seal what is under way under a new key now, and erase the old one");
  rotate->add_option("--store", o->store, "FILE.db; it may be served meanwhile")->required();
  rotate->add_option("--keys", o->keys, "As for serve, where nobody serves the store");
  choose(rotate, chosen, [o] { rotate_keys(*o); });
  CLI::App* check = serve.add_subcommand("check", "Read a whole store, and say what it holds");
  check->add_option("store", o->store, "FILE.db")->required();
  choose(check, chosen, [o] { check_store(*o); });
}

void add_serve_copies(CLI::App& serve, const Chosen& chosen) {
  auto o = std::make_shared<ServeCopyOptions>();
  CLI::App* backup = serve.add_subcommand("backup", "Copy a store, without its keys, and check it");
  backup->add_option("copy", o->copy, "COPY.db, which is made")->required();
  backup->add_option("--store", o->store, "FILE.db; it may be served meanwhile")->required();
  backup->add_flag("--replace", o->replace, "Where COPY.db is a copy of this store: write over it");
  choose(backup, chosen, [o] { back_up_store(*o); });
  CLI::App* restore = serve.add_subcommand(
      "restore", "Put a copy in the place of a store that nobody serves, and say what that costs");
  restore->add_option("copy", o->copy, "COPY.db, which stays")->required();
  restore->add_option("--store", o->store, "FILE.db, which is replaced")->required();
  restore->add_option("--keys", o->keys, "As for serve; they stay as they are");
  choose(restore, chosen, [o] { restore_store(*o); });
}

Command add_serve(CLI::App& app) {
  auto o = std::make_shared<service::ConfigurationText>();
  CLI::App* c = app.add_subcommand(
      "serve", "Private decisions for an application, over HTTP; see docs/service.md");
  c->require_subcommand(0, 1);
  c->add_option("--store", o->store, "FILE.db, where everything is kept; made where there is none");
  c->add_option("--keys", o->keys,
                "File of the keys under which outcomes are sealed; default: keys/state.key beside "
                "the store, better somewhere else");
  c->add_option("--listen", o->listen, "HOST:PORT or unix:PATH; default: 127.0.0.1:8080");
  c->add_option("--config", o->config, "A TOML file with the same and more; options win over it");
  c->add_option("--tls-cert", o->tls_cert,
                "Certificates, PEM; with --tls-key, to be heard beyond this machine");
  c->add_option("--tls-key", o->tls_key, "The key of the certificate, PEM");
  c->add_flag("--behind-proxy", o->behind_proxy, "A proxy in front does TLS");
  c->add_option("--durability", o->durability,
                "strict (the default), or fast: a decision is answered before it is on the disk");
  c->add_flag("--accept-clock", o->accept_clock,
              "Start also when the clock is more than 7 days ahead of what the store has seen");
  c->add_option("--log", o->log, "A file instead of standard error");
  auto chosen = std::make_shared<Command>();
  add_serve_demo(*c, chosen);
  add_serve_keys(*c, chosen);
  add_serve_store(*c, chosen);
  add_serve_copies(*c, chosen);
  return [o, chosen] { *chosen ? (*chosen)() : serve(*o); };
}

Command add_simulate(CLI::App& app) {
  auto o = std::make_shared<SimulateOptions>();
  specs::RequestText& r = o->request;
  CLI::App* c = app.add_subcommand("simulate", "Run policies on a problem and show their regret");
  c->add_option("--policy", o->policies, "One or more names, separated by commas")->required();
  c->add_option("--epsilon", r.epsilon, "Privacy parameter; required by private policies");
  c->add_option("--delta", r.delta, "Second privacy parameter, for policies that have one");
  add_problem(*c, r.problem);
  c->add_option("--feedback", r.feedback,
                "bandit, full, semi or cascade; default: the policy's own");
  c->add_option("--rewards", r.problem.rewards, "bernoulli, beta, point or normal");
  c->add_option("--horizon", r.horizon, "Rounds, like 1000000 or 1e6")->required();
  c->add_option("--runs", r.runs, "Independent runs")->required();
  c->add_option("--seed", r.seed, "Seed of the simulation");
  c->add_option("--threads", o->threads, kThreads);
  c->add_option("--checkpoints", r.checkpoints, "log:N or linear:N points of the curve");
  c->add_option("--param", o->params, "[POLICY.]name=value; tacit list shows the names")
      ->allow_extra_args(false);
  c->add_option("--environment-epsilon", r.problem.environment_epsilon,
                "Play on means released once with secure noise: the histories may be shared");
  c->add_option("--against", r.against,
                "Regret on sets is against oracle (what the search for sets promises) or best");
  c->add_option(
      "--environment-regret", r.problem.environment_regret,
      "released (the default), or true: a release in every run, from the seed, and regret "
      "against the true means");
  c->add_option("--noise", r.noise,
                "ideal (doubles, as in papers) or exact (integers, as in production)");
  c->add_option("--delay", r.delay,
                "Answers come late: N rounds, or geometric:N[:WAIT], N on average");
  c->add_option(
      "--intervals", r.intervals,
      "Intervals of every arm's mean and of differences, each of which may ever miss with "
      "this probability: how wide they are, and how often they do");
  c->add_option("--bands", o->bands,
                "Draw the intervals over rounds into this file: .svg, .pdf or .png");
  c->add_option("--ledger", o->ledger,
                "Write the first run's releases to this CSV file: what, when, noise, cost");
  c->add_flag("--arms", o->arms, "Show how often every arm was played, by its name if it has one");
  c->add_flag("--plain", r.plain, "Decide every round by itself, skip nothing");
  c->add_flag("--json", o->json, "Print one JSON document");
  return [o] { simulate(*o); };
}

/// "--polcy: unknown; did you mean --policy?" for a word that no option of the chosen command matches.
std::string about_unknown_option(const CLI::App& command, const std::string& word) {
  std::vector<std::string> names;
  std::vector<std::string> longer;  // options that the word abbreviates
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
      if (names.back().starts_with(word)) longer.push_back(names.back());
    }
  }
  return fmt::format("{}: unknown; did you mean {}?", word,
                     nearest_name(word, longer.empty() ? names : longer));
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = &app;
  std::string words = app.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    words += " " + command->get_name();
  }
  const std::vector<std::string> rest = app.remaining(true);
  const std::vector<std::string> names = command_names(*command);
  if (!rest.empty()) {
    if (!names.empty() && !rest.front().starts_with("-")) {
      return fmt::format("{}: unknown; did you mean {}? The commands are {}", rest.front(),
                         nearest_name(rest.front(), names), fmt::join(names, ", "));
    }
    if (!rest.front().starts_with("-")) {
      return fmt::format("{}: unexpected; see {} --help", rest.front(), words);
    }
    return about_unknown_option(*command, rest.front());
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && !names.empty()) {
    return fmt::format("give a command: {}; see {} --help", fmt::join(names, ", "), words);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string text = error.what();
    return text.substr(0, text.find(':')) + ": needs exactly one value, given once";
  }
  return error.what();
}

}  // namespace

std::function<void()> parse_command_line(int argc, const char* const* argv) {
  CLI::App app("Private bandits: compare them, and see the guarantee that each run really has.",
               "tacit");
  app.set_version_flag("--version", fmt::format("tacit {}", kVersion));
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "Help for every command");
  const std::map<std::string, Command> commands{
      {"audit", add_audit(app)},      {"bounds", add_bounds(app)},
      {"export", add_export(app)},    {"identify", add_identify(app)},
      {"list", add_list(app)},        {"merge", add_merge(app)},
      {"plot", add_plot(app)},        {"reproduce", add_reproduce(app)},
      {"run", add_run(app)},          {"serve", add_serve(app)},
      {"simulate", add_simulate(app)}};
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    app.exit(asked);
    return {};
  } catch (const CLI::ParseError& error) {
    throw BadCommandLine(explain(app, error));
  }
  return commands.at(app.get_subcommands().front()->get_name());
}

}  // namespace tacit::cli
