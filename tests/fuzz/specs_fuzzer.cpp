// Experiments as operators write them: what is accepted is written and read back as the same, also once it may be served; what is
// refused is so in one line. The first byte chooses what is read: an experiment, or a duration.
#include <string>

#include <nlohmann/json.hpp>

#include "fuzz/property.hpp"
#include "tacit/service/api/operating.hpp"
#include "tacit/service/problem.hpp"
#include "tacit/service/serving_rules.hpp"
#include "tacit/service/spec.hpp"

namespace {

using namespace tacit;           // NOLINT: a program of its own
using namespace tacit::service;  // NOLINT
using fuzz::require;

void check_serving(const Spec& spec) {
  // What is made of a policy grows with its arms: the smallest of all sizes are enough.
  constexpr std::size_t kMostArms = 8;
  if (spec.arms.size() > kMostArms) return;
  const policies::Entry& entry = servable(spec);
  const privacy::Guarantee guarantee = guarantee_of(entry, setting_of(spec), spec);
  require(guarantee.is_private() && guarantee.epsilon > 0, "what is served protects");
  require(guarantee.arithmetic == privacy::Arithmetic::kExact, "with exact noise");
  require(guarantee.epsilon <= spec.epsilon * (1 + 1e-12) && guarantee.delta == 0,
          "no less than was asked for");
  fuzz::require_one_line(in_words(guarantee, spec));
}

void check_spec(std::string_view text) {
  try {
    const Json json = api::json_of_body({text.data(), text.size()});
    const Spec spec = spec_of(json);
    require(!spec.user_level() || spec.epsilon * *spec.cap <= spec.user_epsilon,
            "all of a unit's decisions cost no more than was said");
    require(spec.epsilon > 0, "no decision costs nothing");
    require(static_cast<std::size_t>(spec.control) < spec.arms.size(), "the control is an arm");
    const Json written = json_of(spec);
    require(json_of(spec_of(written)) == written, "what is written is read as the same", text);
    const std::string stored = written.dump();
    require(json_of(spec_of(Json::parse(stored))).dump() == stored,
            "also when it was stored in between", text);
    check_serving(spec);
  } catch (const Problem& problem) {
    require(problem.status() == 400 || problem.status() == 422, "it is the client's mistake");
    fuzz::require_one_line(problem.what());
  }
}

void check_duration(std::string_view text) {
  try {
    const Json written = Json(std::string(text));
    const Time time = duration_of("wait", written);
    require(time >= 0 && time <= 3650 * kDay, "a duration is one that can be waited for", text);
    require(duration_of("wait", text_of_duration(time)) == time, "it is read as it is written",
            text);
  } catch (const Problem& problem) {
    fuzz::require_one_line(problem.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Choices choices(fuzz::text_of(data, size));
  if (choices.byte() == 'd') {
    check_duration(choices.rest());
  } else {
    check_spec(choices.rest());
  }
  return 0;
}
