#include "tacit/service/directory.hpp"

#include <sodium.h>

#include "tacit/service/experiment.hpp"

namespace tacit::service {

UnitHash Directory::unit(std::string_view name) const {
  UnitHash hash{};
  crypto_generichash(hash.data(), hash.size(),
                     reinterpret_cast<const unsigned char*>(name.data()),  // NOLINT: its bytes
                     name.size(), ingress.data(), ingress.size());
  return hash;
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
