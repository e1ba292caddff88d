// What threads that talk to clients know of the service: names, keys, and how to read a token. Never changed once it is made; a
// new one takes its place.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tacit/service/keys.hpp"
#include "tacit/service/store.hpp"
#include "tacit/service/token.hpp"

namespace tacit::service {

/// A unit's name, hashed under a key before anything else is done with it.
using UnitHash = std::array<unsigned char, 32>;
/// Of such a name, in bytes.
inline constexpr std::size_t kLongestUnit = 1024;

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>{}(text);
  }
};
template <class T>
using ByText = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

struct ExperimentCard {
  Id id = 0;
  std::string name;
  std::vector<std::string> arms;    // names
  std::vector<std::string> values;  // JSON
  ByText<Arm> arm_named;
  bool local = false;    // reports come from users' devices
  bool cascade = false;  // lists of which the first item's outcome is asked for: a stop says it too
  bool all_arms = false;  // an outcome of every arm answers a decision
  bool sets = false;      // several arms are shown
  int shown = 1;          // at most so many
  ExperimentState state = ExperimentState::kRunning;
  std::int64_t generation = 0;
};

struct Directory {
  ByText<std::shared_ptr<const ExperimentCard>> by_name;
  std::unordered_map<Id, std::shared_ptr<const ExperimentCard>> by_id;
  ByText<ApiKeyRow> keys;  // those that are not revoked, by id
  TokenKeys tokens;
  KeyBytes ingress;

  UnitHash unit(std::string_view name) const;
  /// What shows that an application has named this unit (ofrep.hpp): 22 letters that only the ingress key can make.
  std::string signature(const UnitHash& unit) const;
};

class Experiment;
ExperimentCard card_of(const Experiment& experiment);

}  // namespace tacit::service
