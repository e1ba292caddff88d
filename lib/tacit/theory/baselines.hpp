// Upper bounds of policies for single arms that their papers give as an order, asymptotically, or for another schedule:
// derived here for what is played, at every T. Arms have outcomes in [0, 1]; Delta_a is the gap of arm a, of means mu_a, mu*.
#pragma once

#include <span>

#include "tacit/core/round.hpp"
#include "tacit/theory/number.hpp"

namespace tacit::theory {

/// ldp-ucb-bits is ucb1 on bits whose gaps are s Delta, s = (e^eps - 1)/(e^eps + 1): by Auer, Cesa-Bianchi & Fischer 2002,
/// Thm 1, sum of Delta_a min(T, 8 ln T/(s Delta_a)^2 + 1 + pi^2/3).
double response_ucb_upper(std::span<const double> means, double epsilon, Round horizon);

/// ldp-ucb-laplace: radius (sqrt 2 + sqrt 32/eps) sqrt(ln t/n) =: sqrt(c ln t/n), used from n > 4 ln(t+1) on. There the
/// mean of n Laplace(1) terms leaves sqrt(32 ln t/n) =: y <= sqrt 8 with exp(-n I(y)) <= t^-5.22 on one side (tails.hpp;
/// I(y)/y^2 falls with y), that of the outcomes its part with t^-4. So a is played at most max(4 ln(T+1), 4 c ln T/Delta^2)
/// + 1 times, and in rounds where one of two means strays for some n < t: 2 sum_t (t-1)(t^-4 + t^-5.22) < 0.32.
double laplace_ucb_upper(std::span<const double> means, double epsilon, Round horizon);

/// An index max{q : n kl(mean, q) <= f(t)}, ln t <= f(t) <= `level` for t <= T: kl-ucb (level ln T) and, on bits, kl-ucb-cf.
/// For any g, h > 0 with g + h < Delta_a,
///   - the best arm's index is below mu* - g in round t only if n kl(mean, mu* - g) > ln t for some n with mean < mu* - g. That
///     takes n > ln t/kl(0, mu* - g), and happens at one n with e^(-ln t - n v) at most, v = kl(mu* - g, mu*) (Chernoff, and kl(x, mu*)
///     >= kl(x, mu* - g) + v for x < mu* - g): together t^(-1-k)/(1 - e^-v), k = v/kl(0, mu* - g). That sums to a constant, without
///     any ln ln t in f: so kl-ucb is asymptotically optimal as it is played, with f(t) = ln t.
///   - else a is played while its mean is below mu_a + h, at most level/kl(mu_a + h, mu* - g) + 1 times, or is not, which
///     happens at most 1/(e^u - 1) times, u = kl(mu_a + h, mu_a).
/// The sum over arms of `cost` times the smallest such number of pulls, over a grid of g and h.
double kl_index_upper(std::span<const double> means, std::span<const double> costs, double level,
                      Round horizon);
/// kl-ucb: costs Delta_a, level ln T.
double kl_ucb_upper(std::span<const double> means, Round horizon);
/// kl-ucb-cf: means of the bits, costs Delta_a, level ln T + 3 ln ln T.
double kl_ucb_cf_upper(std::span<const double> means, double epsilon, Round horizon);

/// dp-se with beta = 1/T (Sajed & Sheffet 2019): epoch e with S arms has R = ceil(max(32 ln(8 S e^2/beta)/4^-e,
/// 8 ln(4 S e^2/beta)/(eps 2^-e)) + 1) pulls of each, so that h and c of its test are below 2^-e/8. But for a probability of
/// beta/(2 e^2) an epoch, all means are within h and all noises within c: then the best arm stays and arms with gaps of
/// 2^-e or more are dropped. So arm a is pulled in epochs 1, ..., e_a = ceil(log2(1/Delta_a)), of at most as many arms as have not
/// been dropped, and the sum over epochs of what fails is 0.83 beta T = 0.83 rounds.
double elimination_upper(std::span<const double> means, double epsilon, Round horizon);

/// adap-ucb and adap-klucb at a > 1 (Azize & Basu 2022): with n(D) the smallest power of two at which
/// sqrt(a ln T/(2n)) + a ln T/(eps n) < D/2, an arm is pulled 2 n(D) times until its last episode has n(D) rounds. Later
/// episodes of it begin in a round t at which its index or the best arm's strays, which at one length of an episode has
/// probability 3/2 t^-a each (Hoeffding, or Chernoff for kl, and Laplace; the kl index is below the other one). A round r is
/// in an episode that began at t >= r/2 + 1, and the radius grows with t: it is lost with probability at most
/// 3 (r/2 + 1)^-a (log2 r + 1). Adding up r = 3, 4, ... gives 1.7 rounds at a = 3.1.
double doubling_episodes_upper(std::span<const double> means, double epsilon, double a,
                               Round horizon);

/// dp-exp3 (Tossou & Dimitrakakis 2017) on any outcomes in [0, 1] that do not depend on what is played: EXP3 has regret
/// 2 sqrt((e-1) T K ln K) on gains in [0, 1] (Auer, Cesa-Bianchi, Freund & Schapire 2002, Cor. 3.2), here reports of range
/// 1 + 2 ln T/eps; clipping moves the mean of a report by at most 1/(2 eps T), of the best arm and of the played one: 1/eps.
double noisy_exp3_upper(std::span<const double> means, double epsilon, Round horizon);

/// hedge-decreasing, eta_t = 2 sqrt(ln K/t), with full information: sqrt(t ln K) after t rounds, whatever the outcomes (ln K/eta_t +
/// sum of eta/8); and action a is played in round t with probability at most exp(-n Delta_a^2/8) + exp(-sqrt(ln K/t) n Delta_a),
/// n = t - 1, where the first is that its sum is less than n Delta_a/2 behind (Hoeffding). The first for some rounds, the
/// second for the others, at the best of many changes: of order ln K/Delta_min, as Mourtada & Gaiffas 2019 prove.
double decreasing_hedge_upper(std::span<const double> means, Round horizon);

}  // namespace tacit::theory
