// Results as JSON: one object says what was played and under which guarantee, another what came out.
// `tacit simulate --json`, the results file and `tacit export` all speak it.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tacit/simulation/simulate.hpp"

namespace tacit::lab {

using Json = nlohmann::ordered_json;

/// On one line. Names of files need not be UTF-8; what is not is replaced.
std::string on_one_line(const Json& json);

/// JSON has no infinity and no NaN: null.
Json number(double x);

Json guarantee_json(const privacy::Guarantee& guarantee);

/// What is played: policy, epsilon, delta (null where the policy's parameters leave it no use), feedback,
/// actions (as given), problem, params, horizon, seed.
Json played(const simulation::Request& request, const std::string& actions,
            const privacy::Guarantee& guarantee);

/// The guarantee computed and the one published.
Json promised(const simulation::Request& request, const privacy::Guarantee& guarantee);

/// What regret is measured against.
struct Benchmark {
  double value = 0;
  bool proven = true;
};

/// Regret, return, pulls, curve, decisions. No times: the same runs give the same bytes.
Json measured(const simulation::Measured& measured, const std::vector<Round>& checkpoints,
              const Benchmark& benchmark);

/// "central 0.5", "local 1, delta 1e-06" or "none", of what guarantee_json or promised say.
std::string guarantee_text(const Json& guarantee);
inline std::string guarantee_text(const privacy::Guarantee& guarantee) {
  return guarantee_text(guarantee_json(guarantee));
}

}  // namespace tacit::lab
