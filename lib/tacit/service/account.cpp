#include "tacit/service/account.hpp"

#include <algorithm>

namespace tacit::service {
namespace {

using privacy::Secret;
using privacy::SecretBits;

SecretBits nobody() { return SecretBits(Account::kPlacesOfABlock); }

}  // namespace

Round Account::open_place() {
  const Round place = places_++;
  if (place % kPlacesOfABlock == 0) {
    answered_.push_back(nobody());
    changed_.insert(place / kPlacesOfABlock);
  }
  return place;
}

void Account::set_places(Round places) {
  places_ = places;
  answered_.assign(static_cast<std::size_t>((places + kPlacesOfABlock - 1) / kPlacesOfABlock),
                   nobody());
}

void Account::add(Round place, std::span<const Secret<Sum>> outcomes) {
  if (place < 0 || place >= places_ || outcomes.size() != sums_.size()) return;
  const Round block = place / kPlacesOfABlock;
  // One bit for all entries: asked for once.
  const Secret<Sum> counts = answered_[static_cast<std::size_t>(block)].once(
      place % kPlacesOfABlock, Secret<Sum>(Sum::of_ones(1)));
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    Secret<Sum> above = outcomes[i];
    above += Secret<Sum>(Sum() - Sum(missing_));
    sums_.add_at(i, SecretBits::times(counts, above));
  }
  changed_.insert(block);  // whether it did or not: who writes must not tell
}

void Account::touch(Round place) {
  if (blocks() > 0 && place >= 0) changed_.insert(std::min(place / kPlacesOfABlock, blocks() - 1));
}

privacy::SecretVector<Sum> Account::total() const {
  privacy::SecretVector<Sum> all(sums_.size());
  all += sums_;
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    all.add_at(i, Secret<Sum>(Sum::repeated(missing_, places_)));
  }
  return all;
}

std::string Account::sealed_sums(const privacy::SealingKey& key,
                                 std::string_view belongs_to) const {
  privacy::SealingWriter writer;
  writer(sums_);
  return writer.seal(key, belongs_to);
}

std::string Account::sealed_block(Round block, const privacy::SealingKey& key,
                                  std::string_view belongs_to) const {
  privacy::SealingWriter writer;
  writer(answered_[static_cast<std::size_t>(block)]);
  return writer.seal(key, belongs_to);
}

void Account::open_sums(std::string_view sealed, const privacy::SealingKey& key,
                        std::string_view belongs_to) {
  privacy::SealingReader reader(sealed, key, belongs_to);
  reader(sums_);
}

void Account::open_block(Round block, std::string_view sealed, const privacy::SealingKey& key,
                         std::string_view belongs_to) {
  privacy::SealingReader reader(sealed, key, belongs_to);
  reader(answered_.at(static_cast<std::size_t>(block)));
}

}  // namespace tacit::service
