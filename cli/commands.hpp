// The subcommands. Each adds itself to the parser and returns what to do once it was chosen;
// nothing is printed before everything has succeeded, so a failure never leaves half a document.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace tacit::cli {

using Action = std::function<void()>;

Action add_audit_command(CLI::App& app);
Action add_bounds_command(CLI::App& app);
Action add_export_command(CLI::App& app);
Action add_list_command(CLI::App& app);
Action add_merge_command(CLI::App& app);
Action add_plot_command(CLI::App& app);
Action add_reproduce_command(CLI::App& app);
Action add_run_command(CLI::App& app);
Action add_simulate_command(CLI::App& app);

}  // namespace tacit::cli
