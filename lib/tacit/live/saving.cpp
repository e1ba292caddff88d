// What a held policy saves: public state in the clear, and under a key what is secret, bound to it.
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/live/inside.hpp"

namespace tacit::live {
namespace {

constexpr std::string_view kKind = "tacit live state ";
constexpr std::string_view kVersion = "3";
constexpr std::string_view kSealedLine = "\nsealed ";

using Fields = std::vector<std::pair<std::string, std::string>>;

/// What must agree between the setup of a policy that was saved and of the one that takes it up.
Fields fields_of(const Setup& setup, const policies::Entry& entry) {
  const auto number = [](const auto& value) { return value ? fmt::format("{}", *value) : "none"; };
  Fields fields{{"policy", setup.policy},
                {"arms", fmt::format("{}", setup.arms)},
                {"epsilon", number(setup.epsilon)},
                {"delta", number(setup.delta)},
                {"horizon", number(setup.horizon)},
                {"actions", setup.actions ? setup.actions->name() : "single"},
                {"wait", fmt::format("{}", setup.wait)},
                {"missing", fmt::format("{}", setup.missing)}};
  for (const policies::ParameterInfo& parameter : entry.parameters(setup.parameters)) {
    fields.emplace_back(parameter.name, parameter.value);
  }
  return fields;
}

std::string text_of(const Fields& fields) {
  StateWriter writer;
  for (const auto& [name, value] : fields) writer(name, value);
  return writer.text();
}

/// The first field in which they differ, in words; "" when none does.
std::string where_they_differ(std::string_view saved, const Fields& now) {
  StateReader reader(saved);
  for (const auto& [name, value] : now) {
    std::string saved_name;
    std::string saved_value;
    if (!reader.at_end()) reader(saved_name);
    if (!reader.at_end()) reader(saved_value);
    if (saved_name != name) return fmt::format("without {}; this one has {}", name, value);
    if (saved_value != value)
      return fmt::format("with {} {}; this one has {}", name, saved_value, value);
  }
  return reader.at_end() ? "" : "with more parameters";
}

[[noreturn]] void refuse(const std::string& why) {
  throw InvalidParameter("restore", "state", Withheld{}, why);
}

}  // namespace

std::string Policy::Inside::public_state() const {
  StateWriter writer;
  writer(number, releases, choices, recorded, dice_number);
  writer(ids.size());
  for (const auto& [first, id] : ids) writer(first, id);
  writer(due.size());
  for (const Due& d : due) writer(d.slot.arm, d.slot.phase, d.n, d.last);
  writer(answered, ledger, reporter ? reporter->used() : std::uint64_t{0});
  if (log) writer(*log);
  StateWriter of_learner;
  learner->save(of_learner);
  return fmt::format("{}{}\n{}\n{}\n{}", kKind, kVersion, text_of(fields_of(setup, entry)),
                     writer.text(), of_learner.text());
}

std::string Policy::Inside::saved(const privacy::SealingKey& key) const {
  const std::string in_the_clear = public_state();
  privacy::SealingWriter sealed;
  sealed(ticket_key);
  if (curator) curator->save(sealed);
  return fmt::format("{}{}{}\n", in_the_clear, kSealedLine, sealed.seal(key, in_the_clear));
}

void Policy::Inside::load(std::string_view state, const privacy::SealingKey& key,
                          std::uint64_t made) {
  if (!state.starts_with(kKind)) refuse("is not what a live policy saved");
  const std::size_t sealed_at = state.rfind(kSealedLine);
  if (sealed_at == std::string_view::npos || !state.ends_with('\n')) refuse("is cut off");
  const std::string_view in_the_clear = state.substr(0, sealed_at);
  std::string_view rest = in_the_clear;
  const auto line = [&] {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) refuse("is cut off");
    const std::string_view found = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return found;
  };
  const std::string_view version = line().substr(kKind.size());
  if (version != kVersion) {
    refuse(fmt::format("is of format {}, and this is a program for format {}",
                       version.substr(0, 20), kVersion));
  }
  const std::string_view saved_as = line();
  const std::string_view of_policy = line();
  std::string_view sealed_text = state.substr(sealed_at + kSealedLine.size());
  sealed_text.remove_suffix(1);
  privacy::SealingReader sealed(sealed_text, key, in_the_clear);  // refuses what was changed
  const std::string other = where_they_differ(saved_as, fields_of(setup, entry));
  if (!other.empty()) refuse("was saved of another setup: " + other);
  StateReader reader(of_policy);
  std::uint64_t whose = 0;
  std::uint64_t known = 0;
  reader(whose, known);
  if (known < made) {
    refuse(fmt::format("is older than the last release ({} of {}): it would release a sum again",
                       known, made));
  }
  number = whose;
  releases = known;
  reader(choices, recorded, dice_number);
  read_ids(reader);
  read_due(reader);
  std::uint64_t used = 0;
  reader(answered, ledger, used);
  if (reporter) reporter->skip_to(used);
  if (log) reader(*log);
  sealed(ticket_key);
  if (curator) curator->load(sealed);
  if (source) {
    learner = entry.learner(setting, setup.parameters, random::Dice::numbered(dice_number));
  }  // else its dice are those of the rehearsal
  StateReader of_learner(rest);
  learner->load(of_learner);
  if (source) ids[choices + 1] = fresh_number();
}

void Policy::Inside::read_ids(StateReader& reader) {
  std::size_t count = 0;
  reader(count);
  ids.clear();
  for (; count > 0; --count) {
    Round first = 0;
    std::uint64_t id = 0;
    reader(first, id);
    ids[first] = id;
  }
}

void Policy::Inside::read_due(StateReader& reader) {
  std::size_t count = 0;
  reader(count);
  due.clear();
  for (; count > 0; --count) {
    Due d{};
    reader(d.slot.arm, d.slot.phase, d.n, d.last);
    due.push_back(d);
  }
}

}  // namespace tacit::live
