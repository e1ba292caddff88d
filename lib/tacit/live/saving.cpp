// What a held policy saves: public state in the clear, and under a key what is secret, bound to it.
#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/live/inside.hpp"

namespace tacit::live {
namespace {

constexpr std::string_view kFormat = "tacit live state 1\n";
constexpr std::string_view kSealedLine = "\nsealed ";

/// What must agree between the setup of a policy that was saved and of the one that takes it up.
std::string fingerprint(const Setup& setup) {
  std::string parameters;
  for (const auto& [name, value] : setup.parameters)
    parameters += fmt::format(" {}={}", name, value);
  const auto number = [](const auto& value) { return value ? fmt::format("{}", *value) : "none"; };
  return fmt::format("{} arms {} epsilon {} delta {} horizon {} actions {} wait {} missing {}{}",
                     setup.policy, setup.arms, number(setup.epsilon), number(setup.delta),
                     number(setup.horizon), setup.actions ? setup.actions->name() : "single",
                     setup.wait, setup.missing, parameters);
}

}  // namespace

std::string Policy::Inside::public_state() const {
  StateWriter writer;
  writer(choices, releases, recorded, id, dice_number);
  writer(due.size());
  for (const Due& d : due) writer(d.slot.arm, d.slot.phase, d.n, d.last);
  writer(answered, ledger, reporter ? reporter->used() : std::uint64_t{0});
  StateWriter of_learner;
  learner->save(of_learner);
  return fmt::format("{}{}\n{}\n{}", kFormat, fingerprint(setup), writer.text(), of_learner.text());
}

std::string Policy::Inside::saved(const privacy::SealingKey& key) const {
  const std::string in_the_clear = public_state();
  privacy::SealingWriter sealed;
  sealed(ticket_key);
  if (curator) curator->save(sealed);
  return fmt::format("{}{}{}\n", in_the_clear, kSealedLine, sealed.seal(key, in_the_clear));
}

void Policy::Inside::load(std::string_view state, const privacy::SealingKey& key,
                          std::uint64_t mark) {
  due.clear();
  const auto refuse = [](const std::string& what) {
    throw InvalidParameter("restore", "state", "", what);
  };
  const std::size_t sealed_at = state.rfind(kSealedLine);
  if (!state.starts_with(kFormat) || sealed_at == std::string_view::npos ||
      !state.ends_with('\n')) {
    refuse("is not what a live policy saved");
  }
  const std::string_view in_the_clear = state.substr(0, sealed_at);
  std::string_view rest = in_the_clear.substr(kFormat.size());
  const std::string_view saved_as = rest.substr(0, rest.find('\n'));
  if (saved_as != fingerprint(setup)) {
    refuse(fmt::format("was saved of another setup: {}; this one is {}", saved_as,
                       fingerprint(setup)));
  }
  rest.remove_prefix(saved_as.size() + 1);
  const std::size_t end = rest.find('\n');
  std::string_view sealed_text = state.substr(sealed_at + kSealedLine.size());
  sealed_text.remove_suffix(1);
  privacy::SealingReader sealed(sealed_text, key, in_the_clear);  // refuses what was changed
  StateReader reader(rest.substr(0, end));
  reader(choices, releases, recorded, id, dice_number);
  if (releases < mark) {
    refuse(fmt::format("is older than the last release ({} of {}): it would release a sum again",
                       releases, mark));
  }
  read_due(reader);
  std::uint64_t used = 0;
  reader(answered, ledger, used);
  if (reporter) reporter->skip_to(used);
  sealed(ticket_key);
  if (curator) curator->load(sealed);
  if (source) {
    learner = entry.learner(setting, setup.parameters, random::Dice::numbered(dice_number));
  }  // else its dice are those of the rehearsal
  StateReader of_learner(rest.substr(end + 1));
  learner->load(of_learner);
}

void Policy::Inside::read_due(StateReader& reader) {
  std::size_t count = 0;
  reader(count);
  for (; count > 0; --count) {
    Due d{};
    reader(d.slot.arm, d.slot.phase, d.n, d.last);
    due.push_back(d);
  }
}

}  // namespace tacit::live
