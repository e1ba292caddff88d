// What one command plays: a request for every policy that it names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacit/specs/requests.hpp"

namespace tacit::cli {

/// `policies` are separated by commas; `params` are [POLICY.]name=value. Every mistake is found before the first run.
std::vector<specs::ReadRequest> read_jobs(const specs::RequestText& text,
                                          const std::string& policies,
                                          const std::vector<std::string>& params,
                                          const std::optional<std::string>& threads);

}  // namespace tacit::cli
