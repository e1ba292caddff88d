// Randomness for simulations: reproducible, fast, and never good enough for a real user's privacy.
//
// Counter-based Philox 4x64-10 (Random123). A number is a function of (seed, policy, problem, run,
// purpose, position), so a result does not depend on threads, order, sharding or machine.
//
// Thread safety: a SimulationKey is a value and may be shared; a stream belongs to one thread.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include <Random123/philox.h>

namespace tacit::random {

/// What a stream is used for. Streams of different purposes never share a number.
enum class Purpose : std::uint64_t {
  kOutcomes = 1,     // the problem's draws
  kNoise = 2,        // a mechanism's noise, keyed by (arm, release)
  kTies = 3,         // dice: tie breaking, keyed by the round, never by data
  kDecisions = 4,    // dice: a randomised learner's own choices (posterior samples, hedging)
  kRounding = 5,     // a user's device: randomised rounding and randomised response
  kEnvironment = 6,  // the noise of an environment-private problem
  kDelays = 7,       // how late users answer
};

using Block = std::array<std::uint64_t, 4>;

/// One application of the Philox bijection.
inline Block philox(const Block& counter, std::array<std::uint64_t, 2> key) {
  const r123::Philox4x64::ctr_type in = {{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x64::key_type k = {{key[0], key[1]}};
  const auto out = r123::Philox4x64{}(in, k);
  return {out[0], out[1], out[2], out[3]};
}

/// FNV-1a, to turn a name into a word of the key. Fixed for ever: golden traces depend on it.
constexpr std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return hash;
}

/// A generator at one named position: KeyedDraw(key, purpose, a, b) always yields the same numbers.
class KeyedDraw {
 public:
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  KeyedDraw(std::array<std::uint64_t, 2> key, Purpose purpose, std::uint64_t a, std::uint64_t b)
      : key_(key), counter_{a, b, 0, static_cast<std::uint64_t>(purpose)} {}

  result_type operator()() {
    if (next_ == kWords) fill();
    return block_[next_++];
  }

  /// Makes the next numbers now, if there are none: for who has several generators, whose multiplications overlap then.
  void make_ready() {
    if (next_ == kWords) fill();
  }

 private:
  static constexpr unsigned kWords = 4;

  void fill() {
    block_ = philox(counter_, key_);
    ++counter_[2];
    next_ = 0;
  }

  std::array<std::uint64_t, 2> key_;
  Block counter_;
  Block block_;  // NOLINT: written before it is read
  unsigned next_ = kWords;
};

/// A sequential generator for draws without a name of their own. Fills several blocks at once, so
/// that their multiplications overlap.
class SimulationStream {
 public:
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  SimulationStream(std::array<std::uint64_t, 2> key, Purpose purpose)
      : key_(key), purpose_(static_cast<std::uint64_t>(purpose)) {}

  result_type operator()() {
    if (next_ == kBuffer) [[unlikely]]
      refill();
    return buffer_[next_++];
  }

  /// How many words were drawn so far, and a stream that goes on after as many.
  std::uint64_t used() const noexcept { return 4 * position_ - (kBuffer - next_); }
  void skip_to(std::uint64_t used) noexcept {
    position_ = used / kBuffer * kBlocks;
    next_ = kBuffer;
    const auto inside = static_cast<unsigned>(used % kBuffer);
    if (inside == 0) return;
    refill();
    next_ = inside;
  }

 private:
  static constexpr unsigned kBlocks = 8;
  static constexpr unsigned kBuffer = 4 * kBlocks;

  /// Apart, so that what draws a word stays small enough to be inlined.
  [[gnu::noinline]] void refill() {
    for (unsigned b = 0; b < kBlocks; ++b) {
      const Block block = philox({position_ + b, 0, ~std::uint64_t{0}, purpose_}, key_);
      for (unsigned i = 0; i < 4; ++i) buffer_[4 * b + i] = block[i];
    }
    position_ += kBlocks;
    next_ = 0;
  }

  std::array<std::uint64_t, 2> key_;
  std::uint64_t purpose_;
  std::uint64_t position_ = 0;
  unsigned next_ = kBuffer;
  std::array<std::uint64_t, kBuffer> buffer_{};
};

/// The key of one run of one policy on one problem.
class SimulationKey {
 public:
  SimulationKey(std::uint64_t seed, std::string_view policy, std::string_view problem,
                std::uint64_t run) {
    constexpr std::uint64_t kProject = fingerprint("tacit");
    const Block derived =
        philox({fingerprint(policy), fingerprint(problem), run, 0}, {seed, kProject});
    key_ = {derived[0], derived[1]};
  }

  SimulationStream stream(Purpose purpose) const { return {key_, purpose}; }
  KeyedDraw at(Purpose purpose, std::uint64_t a, std::uint64_t b = 0) const {
    return {key_, purpose, a, b};
  }

 private:
  std::array<std::uint64_t, 2> key_{};
};

/// What an idealised mechanism accepts: simulated randomness, and nothing that production uses.
template <class G>
concept SimulatedRandomness = std::same_as<std::remove_cvref_t<G>, SimulationStream> ||
    std::same_as<std::remove_cvref_t<G>, KeyedDraw>;

}  // namespace tacit::random
