// tacit: the command line. Exit 0 for success, 2 for bad input, 1 for failure; errors are one line.
#include <cstdio>
#include <exception>
#include <string>

#include "command_line.hpp"
#include "standard_error.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/one_line.hpp"
#include "tacit/lab/results.hpp"

namespace {

constexpr int kFailure = 1;
constexpr int kBadInput = 2;
constexpr std::size_t kLongestMessage = 500;

void say(const std::string& text) {
  // One line whatever was typed or read.
  tacit::cli::to_standard_error("tacit: " + tacit::in_one_line(text, kLongestMessage) + "\n");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto command = tacit::cli::parse_command_line(argc, argv);
    if (command) command();
    if (std::fflush(stdout) != 0) {
      say("standard output cannot be written");
      return kFailure;
    }
  } catch (const tacit::cli::BadCommandLine& error) {
    say(error.what());
    return kBadInput;
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
