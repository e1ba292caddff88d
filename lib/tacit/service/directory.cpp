#include "tacit/service/directory.hpp"

#include <sodium.h>

#include "tacit/random/base64.hpp"
#include "tacit/service/experiment.hpp"

namespace tacit::service {

UnitHash Directory::unit(std::string_view name) const {
  UnitHash hash{};
  crypto_generichash(hash.data(), hash.size(),
                     reinterpret_cast<const unsigned char*>(name.data()),  // NOLINT: its bytes
                     name.size(), ingress.data(), ingress.size());
  return hash;
}

std::string Directory::signature(const UnitHash& unit) const {
  Tag tag{};
  constexpr std::string_view kWhat = "a unit that an application has named";
  crypto_generichash_state state;
  crypto_generichash_init(&state, ingress.data(), ingress.size(), tag.size());
  crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(kWhat.data()),  // NOLINT
                            kWhat.size());
  crypto_generichash_update(&state, unit.data(), unit.size());
  crypto_generichash_final(&state, tag.data(), tag.size());
  return random::to_base64(tag);
}

ExperimentCard card_of(const Experiment& experiment) {
  ExperimentCard card;
  card.id = experiment.row().id;
  card.name = experiment.row().name;
  const auto& arms = experiment.spec().arms;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    card.arms.push_back(arms[i].name);
    card.values.push_back(arms[i].value);
    card.arm_named.emplace(arms[i].name, static_cast<Arm>(i));
  }
  card.local = experiment.local();
  card.cascade = experiment.card().feedback == feedback::Kind::kCascade;
  card.all_arms = experiment.all_arms();
  card.sets = experiment.card().plays_sets();
  card.shown = experiment.shown();
  card.state = experiment.row().state;
  card.generation = experiment.row().generation;
  return card;
}

}  // namespace tacit::service
