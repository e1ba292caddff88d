#include "tacit/audit/declared.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>

#include "tacit/audit/logarithms.hpp"
#include "tacit/privacy/stop_response.hpp"

namespace tacit::audit {
namespace {

int sign_of(double noise) { return noise > 0 ? 1 : noise < 0 ? -1 : 0; }

PerFactor laplace(double noise, double scale) {
  PerFactor logs{};
  for (std::size_t i = 0; i < kFactors.size(); ++i) {
    const double b = scale * kFactors[i];
    logs[i] = -std::abs(noise) / b - std::log(2 * b);
  }
  return logs;
}

PerFactor normal(double noise, double deviation) {
  PerFactor logs{};
  for (std::size_t i = 0; i < kFactors.size(); ++i) {
    const double s = deviation * kFactors[i];
    logs[i] = -noise * noise / (2 * s * s) - std::log(s);
  }
  return logs;
}

/// Of something that has this chance when epsilon is so much.
template <class LogChance>
PerFactor choice(double epsilon, LogChance log_chance) {
  PerFactor logs{};
  for (std::size_t i = 0; i < kFactors.size(); ++i) logs[i] = log_chance(epsilon / kFactors[i]);
  return logs;
}

/// ln P(the first of two arms leads), whose sum is larger by `lead`, or that it does not.
double log_lead(bool one_sided, double inverse_scale, double lead, bool first) {
  const double d = std::abs(lead) * inverse_scale;
  // The difference of two exponential noises is Laplace noise; of two Laplace noises, a sum of two.
  const double upset = one_sided ? std::exp(-d) / 2 : std::exp(-d) * (2 + d) / 4;
  return first == (lead >= 0) ? std::log1p(-upset) : std::log(upset);
}

double log_stop(const privacy::StopResponse& response, int truth, const std::vector<double>& said) {
  if (response.kind() == privacy::StopResponse::Kind::kEncoding) {
    double sum = 0;
    for (std::size_t k = 0; k < said.size(); ++k) {
      const double chance = static_cast<int>(k) == truth ? response.p() : response.q();
      sum += std::log(said[k] > 0 ? chance : 1 - chance);
    }
    return sum;
  }
  const auto at =
      std::find_if(said.begin(), said.end(), [](double click) { return click > 0; }) - said.begin();
  return std::log(at == truth ? response.p() : response.q());
}

/// A counter's released sums: one arm's noises by the number of outcomes.
struct Running {
  std::map<Round, std::pair<double, std::size_t>> noises;  // with the answer that it came in
  double sum = 0;
  Round n = 0;
};

std::map<Arm, Running> running_noises(const std::vector<Told>& run,
                                      const std::vector<Told>& truths) {
  std::map<Arm, Running> of_arms;
  for (std::size_t i = 0; i < run.size(); ++i) {
    Running& arm = of_arms[run[i].slot.arm];
    arm.sum += truths[i].truth[0];
    arm.n += run[i].n;
    arm.noises[arm.n] = {run[i].values[0] - arm.sum, i};
  }
  return of_arms;
}

/// A piece for every block whose noise is the difference of two running sums: of n, and of before(n); scale(n) is its.
template <class Before, class Scale>
std::vector<Piece> differences(const std::map<Arm, Running>& of_arms, Before before_of,
                               Scale scale_of) {
  std::vector<Piece> pieces;
  for (const auto& [arm, running] : of_arms) {
    for (const auto& [n, noise] : running.noises) {
      const Round before = before_of(n);
      const auto other = running.noises.find(before);
      if (before != 0 && other == running.noises.end()) continue;
      const double rest = before == 0 ? 0 : other->second.first;
      const std::size_t at =
          before == 0 ? noise.second : std::max(noise.second, other->second.second);
      pieces.push_back({at, laplace(noise.first - rest, scale_of(n)), sign_of(noise.first - rest)});
    }
  }
  return pieces;
}

/// Of trees.
std::vector<Piece> blocks(const std::map<Arm, Running>& of_arms, double scale, int arity,
                          bool is_signed) {
  return differences(
      of_arms, [&](Round n) { return without_a_block(n, arity, is_signed); },
      [&](Round) { return scale; });
}

std::vector<Piece> hybrid(const std::map<Arm, Running>& of_arms, double scale) {
  return differences(
      of_arms, [](Round n) { return privacy::hybrid_parts(n).before; },
      [&](Round n) { return scale * privacy::hybrid_parts(n).scale(); });
}

/// Of correlated Gaussian noise: n-th = sum_k c_k z_(n-k), c_k = C(2k, k)/4^k, undone from the first on.
std::vector<Piece> toeplitz(const std::map<Arm, Running>& of_arms, double sigma) {
  std::vector<Piece> pieces;
  for (const auto& [arm, running] : of_arms) {
    std::vector<double> z;
    for (const auto& [n, noise] : running.noises) {
      double rest = noise.first;
      double c = 1;
      for (std::size_t k = 1; k <= z.size(); ++k) {
        c *= (2 * static_cast<double>(k) - 1) / (2 * static_cast<double>(k));
        rest -= c * z[z.size() - k];
      }
      z.push_back(rest);
      pieces.push_back({noise.second, normal(rest, sigma), sign_of(rest)});
    }
  }
  return pieces;
}

class Pieces {
 public:
  Pieces(const std::vector<Told>& run, const std::vector<Told>& truths)
      : run_(run), truths_(truths) {}

  std::vector<Piece> operator()(const curators::PhasePlan& p) const { return added(p.scale); }
  std::vector<Piece> operator()(const curators::NoisySumsPlan& p) const { return added(p.scale); }
  std::vector<Piece> operator()(const curators::LaplaceReportPlan& p) const {
    return added(p.scale);
  }
  std::vector<Piece> operator()(const curators::GaussianReportPlan& p) const {
    return signed_each([&](double noise) { return normal(noise, p.sigma); });
  }
  std::vector<Piece> operator()(const curators::ResponsePlan& p) const {
    return each([&](double value, double truth) {
      return choice(p.epsilon, [&](double e) { return log_chance(value == truth ? e : -e); });
    });
  }
  std::vector<Piece> operator()(const curators::IntervalPlan& p) const {
    std::vector<Piece> pieces;
    for (const auto& [arm, running] : running_noises(run_, truths_)) {
      for (const auto& [n, noise] : running.noises)
        pieces.push_back({noise.second, laplace(noise.first, p.scale(n)), sign_of(noise.first)});
    }
    return pieces;
  }
  std::vector<Piece> operator()(const curators::TreePlan& p) const {
    return blocks(running_noises(run_, truths_), p.scale, 2, false);
  }
  std::vector<Piece> operator()(const curators::CounterPlan& p) const {
    const auto noises = running_noises(run_, truths_);
    switch (p.shape.kind()) {
      case privacy::Counter::kTree: return blocks(noises, p.term_scale(), p.shape.arity(), false);
      case privacy::Counter::kSigned: return blocks(noises, p.term_scale(), p.shape.arity(), true);
      case privacy::Counter::kToeplitz: return toeplitz(noises, p.term_scale());
      case privacy::Counter::kHybrid: return hybrid(noises, p.term_scale());
      case privacy::Counter::kRefined: break;
    }
    // Of a block that is known once alone: others weigh the noises of many.
    std::vector<Piece> first;
    for (const auto& [arm, running] : noises) {
      const auto& [noise, at] = running.noises.begin()->second;
      first.push_back({at, laplace(noise, p.term_scale()), sign_of(noise)});
    }
    return first;
  }
  std::vector<Piece> operator()(const curators::NoisyLeaderPlan& p) const {
    return one([&](const Told& told, const std::vector<double>& truth) {
      return choice(1 / p.scale, [&](double inverse_scale) {
        return log_lead(p.one_sided, inverse_scale, truth[0] - truth[1], told.values[0] == 0);
      });
    });
  }
  std::vector<Piece> operator()(const curators::StopReportPlan& p) const {
    const auto kind = privacy::StopResponse(p.epsilon, p.positions).kind();
    return one([&](const Told& told, const std::vector<double>& truth) {
      return choice(p.epsilon, [&](double e) {
        return log_stop(privacy::StopResponse(e, p.positions, kind), static_cast<int>(truth[0]),
                        told.values);
      });
    });
  }
  /// Nothing is claimed of the others.
  template <class Plan>
  std::vector<Piece> operator()(const Plan&) const {
    return {};
  }

 private:
  template <class Chances>
  std::vector<Piece> one(Chances chances) const {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < run_.size(); ++i)
      pieces.push_back({i, chances(run_[i], truths_[i].truth)});
    return pieces;
  }
  template <class Chances>
  std::vector<Piece> each(Chances chances) const {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < run_.size(); ++i) {
      for (std::size_t j = 0; j < run_[i].values.size(); ++j)
        pieces.push_back({i, chances(run_[i].values[j], truths_[i].truth[j])});
    }
    return pieces;
  }
  template <class Chances>
  std::vector<Piece> signed_each(Chances chances) const {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < run_.size(); ++i) {
      for (std::size_t j = 0; j < run_[i].values.size(); ++j) {
        const double noise = run_[i].values[j] - truths_[i].truth[j];
        pieces.push_back({i, chances(noise), sign_of(noise)});
      }
    }
    return pieces;
  }
  std::vector<Piece> added(double scale) const {
    return signed_each([&](double noise) { return laplace(noise, scale); });
  }

  const std::vector<Told>& run_;
  const std::vector<Told>& truths_;
};

template <class... Plans>
bool is_one_of(const curators::Plan& plan) {
  return (std::holds_alternative<Plans>(plan) || ...);
}

}  // namespace

Round without_a_block(Round n, int arity, bool is_signed) {
  Round size = 1;
  while (n / size % arity == 0) size *= arity;
  const Round digit = n / size % arity;
  return is_signed && digit > (arity - 1) / 2 ? n + size : n - size;
}

bool runs_on(const curators::Plan& plan) {
  return is_one_of<curators::CounterPlan, curators::TreePlan, curators::IntervalPlan>(plan);
}

bool adds_noise(const curators::Plan& plan) {
  return runs_on(plan) ||
         is_one_of<curators::PhasePlan, curators::NoisySumsPlan, curators::LaplaceReportPlan,
                   curators::GaussianReportPlan>(plan);
}

std::vector<Piece> Declared::pieces(const std::vector<Told>& run,
                                    const std::vector<Told>& truths) const {
  return std::visit(Pieces(run, truths), plan_);
}

std::vector<Noise> Declared::noises(const std::vector<Told>& run) const {
  std::vector<Noise> noises;
  if (!adds_noise(plan_)) return noises;
  struct OfAnArm {
    double sum = 0;
    Round n = 0;
    std::size_t values = 0;
  };
  std::map<Arm, OfAnArm> of_arms;
  for (const Told& told : run) {
    OfAnArm& arm = of_arms[told.slot.arm];
    for (std::size_t j = 0; j < told.values.size(); ++j) {
      arm.sum = (runs_on(plan_) ? arm.sum : 0) + told.truth[j];
      arm.n = (runs_on(plan_) ? arm.n : 0) + told.n;
      noises.push_back({told.slot.arm, arm.values++, (told.values[j] - arm.sum) / scale(arm.n)});
    }
  }
  return noises;
}

bool Declared::looks_ahead() const {
  const auto* counter = std::get_if<curators::CounterPlan>(&plan_);
  return counter != nullptr && counter->shape.kind() == privacy::Counter::kSigned;
}

double Declared::scale(Round n) const {
  return std::visit(
      [n]<class P>(const P& p) {
        if constexpr (std::is_same_v<P, curators::CounterPlan>) {
          const bool grows = p.shape.kind() == privacy::Counter::kHybrid;
          return p.term_scale() * (grows ? std::max(1, privacy::hybrid_parts(n).levels) : 1);
        } else if constexpr (std::is_same_v<P, curators::IntervalPlan>) {
          return p.scale(n);
        } else if constexpr (std::is_same_v<P, curators::GaussianReportPlan>) {
          return p.sigma;
        } else if constexpr (requires { p.scale; }) {
          return p.scale;
        } else {
          return 1.0;
        }
      },
      plan_);
}

}  // namespace tacit::audit
