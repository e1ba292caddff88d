// What a plan declares of the noise in a run, given what went in: the chance of what came out, were the noise as declared,
// or larger or smaller by some factor.
//
// Of one run it makes independent pieces. Phases, epochs and reports are that by themselves. Of a counter's running sums
// the noise of one block is the difference of two of them: of n and of n with its lowest digit one nearer to 0 (of a
// hybrid counter: of n and of what its newest release comes after). Of correlated Gaussian noise it is what the Toeplitz matrix is undone to.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "tacit/audit/watched.hpp"
#include "tacit/curators/plans.hpp"

namespace tacit::audit {

/// Whether what comes out is the sum of all that went in so far, of its arm.
bool runs_on(const curators::Plan& plan);
/// Whether what comes out is what went in with noise added.
bool adds_noise(const curators::Plan& plan);

/// n with its lowest digit that is not 0 one nearer to it. Signed digits go up to half the arity on either side.
Round without_a_block(Round n, int arity, bool is_signed);

/// Of the noise: how much larger it is than declared. The first is as declared.
inline constexpr std::array kFactors{1.0, 0.125, 0.25, 0.5, 0.7, 1.4, 2.0, 4.0, 8.0};
using PerFactor = std::array<double, kFactors.size()>;

/// One piece of a run: ln of its chance, or density, with noise of every factor.
struct Piece {
  std::size_t told;  // in which answer of the run it came out first
  PerFactor log_chances{};
  int sign = 0;  // of a noise that is as likely above 0 as below; 0: of no such
};

/// What was added to a value, in units of its scale: the k-th of its arm, or of all arms.
struct Noise {
  Arm arm;
  std::size_t k;
  double value;
};

class Declared {
 public:
  explicit Declared(const curators::Plan& plan) : plan_(plan) {}

  /// Of what came out in a run, were these the truths that went in: those of the run itself, or of another that was
  /// told the same.
  std::vector<Piece> pieces(const std::vector<Told>& run, const std::vector<Told>& truths) const;
  /// What was added to every value, where something was, as it came out.
  std::vector<Noise> noises(const std::vector<Told>& run) const;
  /// Whether the noise of an answer may come out in two of them, and the second be waited for because of the first: as
  /// in signed trees. Then what is looked at must not be what the learner was told.
  bool looks_ahead() const;
  /// Of one term of the noise on a sum of n outcomes, the largest; it never falls with n.
  double scale(Round n) const;

 private:
  curators::Plan plan_;
};

}  // namespace tacit::audit
