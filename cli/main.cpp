// tacit: the command line. Exit 0 for success, 2 for bad input, 1 for failure; errors are one line.
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/lab/results.hpp"

namespace {

constexpr int kFailure = 1;
constexpr int kBadInput = 2;
constexpr std::size_t kLongestMessage = 500;

void say(const std::string& text) {
  // One line whatever was typed or read: control characters would break it.
  std::string line = text.substr(0, kLongestMessage);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  fmt::print(stderr, "tacit: {}\n", line);
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
                     tacit::nearest_name(word, longer.empty() ? names : longer));
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
  for (const CLI::App* sub : app.get_subcommands()) command = sub;
  const std::vector<std::string> rest = app.remaining(true);
  if (!rest.empty()) {
    if (command == &app && !rest.front().starts_with("-")) {
      const std::vector<std::string> names = command_names(app);
      return fmt::format("{}: unknown; did you mean {}? The commands are {}", rest.front(),
                         tacit::nearest_name(rest.front(), names), fmt::join(names, ", "));
    }
    if (!rest.front().starts_with("-")) {
      return fmt::format("{}: unexpected; see tacit {} --help", rest.front(), command->get_name());
    }
    return about_unknown_option(*command, rest.front());
  }
  if (command == &app) {
    return fmt::format("give a command: {}; see tacit --help", fmt::join(command_names(app), ", "));
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string text = error.what();
    return text.substr(0, text.find(':')) + ": needs exactly one value, given once";
  }
  return error.what();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Private bandits: compare them, and see the guarantee that each run really has.",
               "tacit");
  app.set_version_flag("--version", "tacit " TACIT_VERSION);
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "Help for every command");
  const std::map<std::string, tacit::cli::Action> commands{
      {"audit", tacit::cli::add_audit_command(app)},
      {"bounds", tacit::cli::add_bounds_command(app)},
      {"export", tacit::cli::add_export_command(app)},
      {"list", tacit::cli::add_list_command(app)},
      {"merge", tacit::cli::add_merge_command(app)},
      {"plot", tacit::cli::add_plot_command(app)},
      {"reproduce", tacit::cli::add_reproduce_command(app)},
      {"run", tacit::cli::add_run_command(app)},
      {"simulate", tacit::cli::add_simulate_command(app)}};

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    say(explain(app, error));
    return kBadInput;
  }

  try {
    commands.at(app.get_subcommands().front()->get_name())();
    if (std::fflush(stdout) != 0) {
      say("standard output cannot be written");
      return kFailure;
    }
  } catch (const tacit::InvalidParameter& error) {
    say(error.what());
    return kBadInput;
  } catch (const tacit::lab::UnusableResults& error) {
    say(error.what());
    return kBadInput;
  } catch (const std::exception& error) {
    say(error.what());
    return kFailure;
  }
  return 0;
}
