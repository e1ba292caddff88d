// Commands that a careful user would not type, made from what the program says that it has.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "broken_files.hpp"
#include "catalogue.hpp"
#include "cli/program.hpp"

namespace tacit::cli_test {

struct OddCommand {
  Arguments arguments;
  std::string epsilon = "";  // which no guarantee may exceed; "": the policy says nothing of it
  bool can_regret_less =
      false;               // than nothing: against the best fixed choice where outcomes have no law
  bool of_a_file = false;  // what it is refused for need not stand in the command
  std::string must_say = "";  // in the refusal, if it is refused
};

/// Every policy on every problem, at epsilons from 1e-300 to 1e300, over 1 to 300 rounds.
std::vector<OddCommand> policies_on_problems(const Catalogue& all);
/// Every parameter of every policy at both ends of its range, and beyond.
std::vector<OddCommand> policies_with_parameters(const Catalogue& all);
/// Identification by every policy, and audits of every policy.
std::vector<OddCommand> identifications_and_audits(const Catalogue& all);
/// What theory says at every end of everything.
std::vector<OddCommand> bounds_of_problems(const Catalogue& all);
/// Every option of every command with odd numbers.
std::vector<OddCommand> options_with_odd_numbers(const Catalogue& all,
                                                 const TemporaryFolder& folder);
/// Every file in every place that a file is read from.
std::vector<OddCommand> broken_files_in_places(const Catalogue& all, const TemporaryFolder& folder);
/// Every policy on small problems over 20,000 rounds, which shows whether it skips there.
std::vector<OddCommand> twenty_thousand_rounds(const Catalogue& all);
/// The same as far as rounds are counted, and not quite as far.
std::vector<OddCommand> as_far_as_rounds_are_counted(const OddCommand& near);

/// What is wrong with how a command was answered; "" where nothing is.
std::string complaint_about(const OddCommand& command, bool ended, const Result& result,
                            const Catalogue& all);

}  // namespace tacit::cli_test
