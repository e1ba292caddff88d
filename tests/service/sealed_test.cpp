// What is sealed says nothing: the rows of a slot that nobody has answered, that one visitor has and that all have are the same rows, as long,
// and of bytes that cannot be told from coins; no nonce comes twice; nothing of it opens under a key that can be guessed or that is
// there for something else; and once keys were rotated nothing that was sealed before opens under anything that the key file has.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <sodium.h>

#include "model/store_in_memory.hpp"
#include "service/rig.hpp"
#include "statistics/goodness_of_fit.hpp"
#include "tacit/random/base64.hpp"
#include "tacit/service/account.hpp"

namespace tacit::service {
namespace {

using Bytes = std::vector<unsigned char>;
using KeyOfATest = std::array<unsigned char, privacy::SealingKey::kBytes>;

constexpr std::size_t kNonce = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t kTag = crypto_aead_xchacha20poly1305_ietf_ABYTES;

Bytes bytes_of(const std::string& sealed) { return *random::from_base64(sealed); }

enum class Who { kNobody, kOne, kAll };

/// An account of so many places, as these have answered it.
Account answered_by(Who who, Round places) {
  Account account(1, 0);
  for (Round place = 0; place < places; ++place) {
    account.open_place();
    if (who == Who::kAll || (who == Who::kOne && place == places / 2)) {
      account.add(place, secret(1));
    }
  }
  return account;
}

// ---- bytes

constexpr double kError = testing::kFamilyError;

/// Of every bit of texts of one length: that it is a coin, as it is and beside the same bit of the text before.
void expect_coins(const std::vector<Bytes>& texts, const std::string& what) {
  const std::size_t bits = 8 * texts[0].size();
  std::vector<std::int64_t> ones(bits);
  std::vector<std::int64_t> changes(bits);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ASSERT_EQ(8 * texts[i].size(), bits) << what;
    for (std::size_t bit = 0; bit < bits; ++bit) {
      const auto at = [&](const Bytes& text) { return (text[bit / 8] >> (bit % 8)) & 1; };
      ones[bit] += at(texts[i]);
      if (i > 0) changes[bit] += at(texts[i]) ^ at(texts[i - 1]);
    }
  }
  const double error = kError / static_cast<double>(20 * 4 * bits);  // of less than twenty tests
  const auto n = static_cast<std::int64_t>(texts.size());
  const double most = testing::most_successes(n, 0.5, error);
  for (std::size_t bit = 0; bit < bits; ++bit) {
    const std::string where = fmt::format("{}: bit {} of byte {}", what, bit % 8, bit / 8);
    ASSERT_LE(static_cast<double>(std::max(ones[bit], n - ones[bit])), most) << where;
    ASSERT_LE(static_cast<double>(std::max(changes[bit], n - changes[bit])), most) << where;
  }
}

TEST(Sealed, OfASlotLooksTheSameWhoeverHasAnswered) {
  const privacy::SealingKey key = privacy::SealingKey::fresh();
  constexpr int kTexts = 2000;
  for (const Who who : {Who::kNobody, Who::kOne, Who::kAll}) {
    const Account account = answered_by(who, Account::kPlacesOfABlock + 70);
    ASSERT_EQ(account.blocks(), 2);
    std::vector<Bytes> sums;
    std::vector<Bytes> first;
    std::vector<Bytes> second;
    for (int i = 0; i < kTexts; ++i) {
      sums.push_back(bytes_of(account.sealed_sums(key, "1/0/0/0/-1")));
      first.push_back(bytes_of(account.sealed_block(0, key, "1/0/0/0/0")));
      second.push_back(bytes_of(account.sealed_block(1, key, "1/0/0/0/1")));
    }
    const std::string name = fmt::format("world {}", static_cast<int>(who));
    expect_coins(sums, name + ", sums");
    expect_coins(first, name + ", first block");
    expect_coins(second, name + ", second block");
    EXPECT_EQ(first[0].size(), second[0].size());
  }
}

TEST(Sealed, BytesThatAreNoCoinsAreFound) {
  EXPECT_FATAL_FAILURE(
      {
        std::vector<Bytes> texts(2000, Bytes(1));
        for (std::size_t i = 0; i < texts.size(); ++i) texts[i][0] = static_cast<unsigned char>(i);
        texts[0].assign(1, 0);
        for (Bytes& text : texts) text[0] &= 0x7fU;
        expect_coins(texts, "without a highest bit");
      },
      "");
}

/// In a million texts no eight bytes of a nonce, at the same place, come twice, but with a probability of 8e-8.
TEST(Sealed, NoNonceComesTwiceInAMillion) {
  const privacy::SealingKey key = privacy::SealingKey::fresh();
  constexpr int kOfEach = 250'000;
  std::array<std::vector<std::uint64_t>, kNonce / 8> words;
  const auto note = [&](const std::string& sealed) {
    // The letters of a nonce: 24 bytes are 32 of them.
    const Bytes nonce = bytes_of(sealed.substr(0, kNonce / 3 * 4));
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, nonce.data() + 8 * i, sizeof word);
      words[i].push_back(word);
    }
  };
  const Account nobody = answered_by(Who::kNobody, 1);
  const Account all = answered_by(Who::kAll, 1);
  for (int i = 0; i < kOfEach; ++i) {
    note(nobody.sealed_sums(key, "1/0/0/0/-1"));
    note(all.sealed_sums(key, "1/0/0/0/-1"));
    note(nobody.sealed_sums(key, "1/0/1/0/-1"));
    privacy::SealingWriter empty;
    note(empty.seal(key, ""));
  }
  for (std::vector<std::uint64_t>& each : words) {
    std::sort(each.begin(), each.end());
    EXPECT_EQ(std::adjacent_find(each.begin(), each.end()), each.end());
    EXPECT_EQ(each.size(), 4U * kOfEach);
  }
}

// ---- a service's store

/// An engine whose store and keys can be looked at, and a slot of each kind under way.
struct World {
  explicit World(Who who) {
    engine =
        std::make_unique<Engine>(Engine::Parts{.store = store,
                                               .keys = keys,
                                               .releaser = releaser,
                                               .dice = [](Id) { return random::Dice::numbered(1); },
                                               .coins = [] { return random::Dice::numbered(2); }},
                                 now);
    store.begin();
    engine->create_population("people", 4, false, "test", now);
    engine->create_population("members", 4, true, "test", now);
    Json shop = small_spec();
    shop["holdout"] = 0.5;
    shop["epsilon"] = 1.0 / 320;
    const Id first = engine->create(spec_of(shop), "test", now);
    Json lists = small_spec("lists");
    lists["policy"] = "dpucb-mat";
    lists["actions"] = "top:2";
    lists["population"] = "members";
    lists.erase("epsilon");
    lists["user"] = {{"epsilon", 1}, {"cap", 4}};
    const Id second = engine->create(spec_of(lists), "test", now);
    std::vector<std::string> events;
    constexpr int kDecisions = 2 * Account::kPlacesOfABlock + 500;
    for (int i = 0; i < kDecisions; ++i) {
      events.push_back(
          engine->decide({.experiment = first, .unit = {}, .eligible = {}}, now).event);
    }
    for (int i = 0; i < 5; ++i) {
      const auto unit = engine->directory()->unit(fmt::format("unit {}", i));
      events.push_back(
          engine->decide({.experiment = second, .unit = unit, .eligible = {}}, now).event);
    }
    commit();
    store.begin();
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (who == Who::kNobody || (who == Who::kOne && i != 1)) continue;
      const Event event = *engine->directory()->tokens.read(events[i]);
      const std::vector<double> ones(event.places.size(), 1);
      engine->report(event, secret(ones), now);
    }
    commit();
  }
  void commit() {
    engine->write();
    store.commit();
    engine->publish();
  }
  /// By the row that it stands in.
  std::map<std::string, std::string> sealed() const {
    std::map<std::string, std::string> all;
    for (const auto& [of, row] : store.kept().sealed) {
      all[fmt::format("{}/0/{}/{}/{}", row.experiment, row.slot.arm, row.slot.phase, row.block)] =
          row.sealed;
    }
    return all;
  }

  Time now = 1'800'000'000'000;
  model::StoreInMemory store;
  KeysInMemory keys;
  SumsAsTheyAre releaser;
  std::unique_ptr<Engine> engine;
};

TEST(Sealed, InAStoreTheSameRowsAreThereWhoeverHasAnswered) {
  const auto shape = [](const World& world) {
    std::vector<std::tuple<std::string, std::size_t, std::int64_t>> rows;
    for (const auto& [of, row] : world.store.kept().sealed) {
      rows.emplace_back(
          fmt::format("{}/{}/{}/{}", row.experiment, row.slot.arm, row.slot.phase, row.block),
          row.sealed.size(), row.key);
    }
    std::vector<std::tuple<Id, Slot, Round, Time>> slots;
    for (const auto& [of, row] : world.store.kept().slots) {
      slots.emplace_back(row.experiment, row.slot, row.n, row.ripe);
    }
    return std::tuple(rows, slots);
  };
  const World nobody(Who::kNobody);
  const auto rows = shape(nobody);
  EXPECT_GT(std::get<0>(rows).size(), 20U);
  EXPECT_EQ(rows, shape(World(Who::kOne)));
  EXPECT_EQ(rows, shape(World(Who::kAll)));
}

/// Whether it opens as what belongs there; or, whatever it is bound to, gives what nobody's answers would be: nearly nothing but zeros.
bool opens(const Bytes& sealed, const std::string& belongs_to, const unsigned char* key) {
  Bytes plain(sealed.size() - kNonce - kTag);
  for (const std::string& bound : {belongs_to, std::string()}) {
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(
            plain.data(), nullptr, nullptr, sealed.data() + kNonce, sealed.size() - kNonce,
            reinterpret_cast<const unsigned char*>(bound.data()), bound.size(), sealed.data(),
            key) == 0) {
      return true;
    }
  }
  crypto_stream_xchacha20_xor_ic(plain.data(), sealed.data() + kNonce, plain.size(), sealed.data(),
                                 1, key);
  const auto zeros = std::count(plain.begin(), plain.end(), 0);
  return 2 * zeros > static_cast<std::ptrdiff_t>(plain.size());
}

KeyOfATest key_from(const void* bytes, std::size_t size) {
  KeyOfATest key{};
  std::memcpy(key.data(), bytes, std::min(size, key.size()));
  return key;
}

/// Keys that whoever has the store can guess.
std::vector<KeyOfATest> guessed(const World& world, const Bytes& sealed,
                                const std::string& belongs_to) {
  std::vector<KeyOfATest> keys;
  for (int byte = 0; byte < 256; ++byte) {
    keys.emplace_back().fill(static_cast<unsigned char>(byte));
  }
  KeyOfATest counting{};
  for (std::size_t i = 0; i < counting.size(); ++i) counting[i] = static_cast<unsigned char>(i);
  keys.push_back(counting);
  std::vector<std::string> texts{belongs_to, "tacit", "tacs", "key", "state.key", ""};
  const Tag number = world.store.kept().number;
  texts.emplace_back(reinterpret_cast<const char*>(number.data()), number.size());
  texts.emplace_back(reinterpret_cast<const char*>(sealed.data()), kNonce);
  for (std::int64_t i = 1; i < 10; ++i) {
    texts.emplace_back(reinterpret_cast<const char*>(&i), sizeof i);
    texts.push_back(fmt::format("{}", i));
  }
  for (const std::string& text : texts) {
    keys.push_back(key_from(text.data(), text.size()));
    std::string again = text;
    while (!text.empty() && again.size() < keys[0].size()) again += text;
    keys.push_back(key_from(again.data(), again.size()));
    KeyOfATest hash{};
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    crypto_generichash(hash.data(), hash.size(), bytes, text.size(), nullptr, 0);
    keys.push_back(hash);
    crypto_hash_sha256(hash.data(), bytes, text.size());
    keys.push_back(hash);
  }
  return keys;
}

TEST(Sealed, OpensUnderItsOwnKeyAndUnderNoneThatCanBeNamed) {
  for (const Who who : {Who::kNobody, Who::kAll}) {
    World world(who);
    const KeyRing ring = world.keys.read();
    for (const auto& [belongs_to, text] : world.sealed()) {
      const Bytes sealed = bytes_of(text);
      ASSERT_TRUE(opens(sealed, belongs_to, ring.sealing().data())) << belongs_to;
      std::vector<KeyOfATest> others = guessed(world, sealed, belongs_to);
      for (const auto& [id, key] : ring.tokens) others.push_back(key);
      for (const auto& [of, key] : ring.units) others.push_back(key);
      others.push_back(ring.ingress);
      for (const KeyOfATest& key : others) {
        ASSERT_FALSE(opens(sealed, belongs_to, key.data())) << belongs_to;
      }
    }
  }
}

/// Under its own key, as what belongs there.
bool opens_as(const std::string& sealed, const std::string& belongs_to, const KeyRing& ring) {
  try {
    privacy::SealingReader(sealed, ring.sealing(), belongs_to);
    return true;
  } catch (const InvalidParameter&) {
    return false;
  }
}

TEST(Sealed, OpensAsWhatItBelongsToAlone) {
  World world(Who::kOne);
  const KeyRing ring = world.keys.read();
  const auto sealed = world.sealed();
  for (const auto& [belongs_to, text] : sealed) {
    for (const auto& [other, other_text] : sealed) {
      ASSERT_EQ(opens_as(text, other, ring), belongs_to == other) << belongs_to << " as " << other;
    }
  }
}

TEST(Sealed, OfAnotherGenerationDoesNotOpen) {
  World world(Who::kNobody);
  const auto before = world.store.kept();
  // Something is released, and then the store is put back: what was under way is of another generation.
  world.store.begin();
  world.now += kHour;
  world.engine->tick(world.now);
  world.commit();
  world.store.put_back(before);
  Engine engine({.store = world.store,
                 .keys = world.keys,
                 .releaser = world.releaser,
                 .dice = [](Id) { return random::Dice::numbered(1); },
                 .coins = nullptr},
                world.now);
  world.store.begin();
  engine.decide({.experiment = 1, .unit = {}, .eligible = {}}, world.now);
  engine.write();
  world.store.commit();
  const KeyRing ring = world.keys.read();
  int looked_at = 0;
  for (const auto& [of, row] : world.store.kept().sealed) {
    const auto named = [&, &r = row](int generation) {
      return fmt::format("{}/{}/{}/{}/{}", r.experiment, generation, r.slot.arm, r.slot.phase,
                         r.block);
    };
    EXPECT_TRUE(opens_as(row.sealed, named(1), ring));
    EXPECT_FALSE(opens_as(row.sealed, named(0), ring));
    ++looked_at;
  }
  EXPECT_GT(looked_at, 0);
}

TEST(Sealed, BeforeARotationOpensUnderNothingThatIsLeft) {
  World world(Who::kNobody);
  const Folder folder;
  const std::string path = folder.file("state.key");
  KeyFile file(path, true);
  const auto opened_by_the_file = [&](const std::map<std::string, std::string>& rows) {
    file.write(world.keys.read());
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    int opened = 0;
    for (const auto& [belongs_to, text] : rows) {
      const Bytes sealed = bytes_of(text);
      bool any = false;
      for (std::size_t at = 0; at + privacy::SealingKey::kBytes <= bytes.size() && !any; ++at) {
        const KeyOfATest key = key_from(bytes.data() + at, privacy::SealingKey::kBytes);
        any = opens(sealed, belongs_to, key.data());
      }
      opened += any ? 1 : 0;
    }
    return opened;
  };
  auto before = world.sealed();
  // One of each kind is enough.
  while (before.size() > 4) before.erase(std::next(before.begin()));
  EXPECT_EQ(opened_by_the_file(before), static_cast<int>(before.size())) << "as it must be";
  world.engine->rotate(world.now);
  EXPECT_EQ(opened_by_the_file(before), 0);
  const auto after = world.sealed();
  for (const auto& [belongs_to, text] : before) {
    ASSERT_TRUE(after.contains(belongs_to));
    EXPECT_NE(after.at(belongs_to), text) << "it was sealed again";
  }
}

}  // namespace
}  // namespace tacit::service
