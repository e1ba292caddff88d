#include "tacit/audit/law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "tacit/indices/laplace_sum.hpp"
#include "tacit/privacy/stop_response.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::audit {
namespace {

/// How much larger the noise may be than declared.
constexpr std::array kFactors{0.125, 0.25, 0.5, 0.7, 1.4, 2.0, 4.0, 8.0};
using PerFactor = std::array<double, kFactors.size()>;

/// What one release says: the logarithm of how much more likely it would be with other noise.
struct Evidence {
  PerFactor log_ratios{};
  std::optional<double> noise;  // what was added, where something was
  double scale = 1;
};

double log_laplace_sum(const indices::LaplaceSum& sum, double x) {
  return std::log(sum.hazard(std::abs(x))) + sum.log_tail(std::abs(x));
}

/// Of a sum of Laplace noises of this scale.
Evidence of_laplace(const indices::LaplaceSum& law, double noise, double scale) {
  Evidence evidence{.noise = noise, .scale = scale};
  for (std::size_t i = 0; i < kFactors.size(); ++i) {
    evidence.log_ratios[i] = log_laplace_sum(law, noise / (scale * kFactors[i])) -
                             log_laplace_sum(law, noise / scale) - std::log(kFactors[i]);
  }
  return evidence;
}

Evidence of_normal(double noise, double deviation) {
  const double z = noise / deviation;
  Evidence evidence{.noise = noise, .scale = deviation};
  for (std::size_t i = 0; i < kFactors.size(); ++i) {
    const double c = kFactors[i];
    evidence.log_ratios[i] = z * z / 2 * (1 - 1 / (c * c)) - std::log(c);
  }
  return evidence;
}

/// Of something that has this chance when epsilon is this.
template <class LogChance>
Evidence of_choice(double epsilon, LogChance log_chance) {
  Evidence evidence;
  for (std::size_t i = 0; i < kFactors.size(); ++i) {
    evidence.log_ratios[i] = log_chance(epsilon / kFactors[i]) - log_chance(epsilon);
  }
  return evidence;
}

/// ln P(a response is the truth), or that it is not.
double log_response(double epsilon, bool truthful) {
  return -std::log1p(std::exp(truthful ? -epsilon : epsilon));
}

/// ln P(the first of two arms leads), whose sum is larger by `lead`, or that it does not.
double log_lead(const curators::NoisyLeaderPlan& plan, double inverse_scale, double lead,
                bool first) {
  const double d = std::abs(lead) * inverse_scale;
  // The difference of two exponential noises is Laplace noise; of two Laplace noises, a sum of two.
  const double upset = plan.one_sided ? std::exp(-d) / 2 : std::exp(-d) * (2 + d) / 4;
  return std::log(first == (lead >= 0) ? 1 - upset : upset);
}

double log_stop(const privacy::StopResponse& response, int truth, const std::vector<bool>& said) {
  double sum = 0;
  if (response.kind() == privacy::StopResponse::Kind::kEncoding) {
    for (std::size_t k = 0; k < said.size(); ++k) {
      const double chance = static_cast<int>(k) == truth ? response.p() : response.q();
      sum += std::log(said[k] ? chance : 1 - chance);
    }
    return sum;
  }
  const auto at = std::find(said.begin(), said.end(), true) - said.begin();
  return std::log(at == truth ? response.p() : response.q());
}

/// What the plan declares of a run's releases, one after the other.
class Declared {
 public:
  Declared(const curators::Plan& plan, int arms)
      : plan_(plan), so_far_(arms, 0.0), count_(arms, 0) {}

  /// A new run.
  void begin() {
    so_far_ = PerArm<double>(so_far_.arms(), 0.0);
    count_ = PerArm<Round>(count_.arms(), 0);
  }
  /// Whether noises of different releases are independent.
  bool independent() const {
    return !std::holds_alternative<curators::CounterPlan>(plan_) &&
           !std::holds_alternative<curators::TreePlan>(plan_);
  }
  /// One for each value; none where nothing is declared of it alone.
  std::vector<Evidence> of(const Told& told) {
    return std::visit([&](const auto& plan) { return evidence(plan, told); }, plan_);
  }

 private:
  template <class Make>
  static std::vector<Evidence> each(const Told& told, Make make) {
    std::vector<Evidence> all;
    for (std::size_t j = 0; j < told.values.size(); ++j)
      all.push_back(make(told.values[j], told.truth[j]));
    return all;
  }
  /// Of a sum of so many Laplace noises of this scale.
  Evidence of_terms(double noise, double scale, int terms) {
    return of_laplace(laws_.try_emplace(terms, terms).first->second, noise, scale);
  }
  std::vector<Evidence> laplace(const Told& told, double scale) {
    return each(told,
                [&](double value, double truth) { return of_terms(value - truth, scale, 1); });
  }
  /// All that went in so far, of its arm, and how many choices.
  std::pair<double, Round> running(const Told& told) {
    so_far_[told.slot.arm] += told.truth[0];
    count_[told.slot.arm] += told.n;
    return {so_far_[told.slot.arm], count_[told.slot.arm]};
  }

  std::vector<Evidence> evidence(const curators::PhasePlan& p, const Told& told) {
    return laplace(told, p.scale);
  }
  std::vector<Evidence> evidence(const curators::NoisySumsPlan& p, const Told& told) {
    return laplace(told, p.scale);
  }
  std::vector<Evidence> evidence(const curators::LaplaceReportPlan& p, const Told& told) {
    return laplace(told, p.scale);
  }
  std::vector<Evidence> evidence(const curators::GaussianReportPlan& p, const Told& told) {
    return each(told,
                [&](double value, double truth) { return of_normal(value - truth, p.sigma); });
  }
  std::vector<Evidence> evidence(const curators::IntervalPlan& p, const Told& told) {
    const auto [sum, n] = running(told);
    return {of_terms(told.values[0] - sum, p.scale(n), 1)};
  }
  std::vector<Evidence> evidence(const curators::TreePlan& p, const Told& told) {
    const auto [sum, n] = running(told);
    return {of_terms(told.values[0] - sum, p.scale, privacy::tree_terms(n, 2))};
  }
  std::vector<Evidence> evidence(const curators::CounterPlan& p, const Told& told) {
    const auto [sum, n] = running(told);
    const double noise = told.values[0] - sum;
    const double scale = p.term_scale();
    switch (p.shape.kind()) {
      case privacy::Counter::kTree:
        return {of_terms(noise, scale, privacy::tree_terms(n, p.shape.arity()))};
      case privacy::Counter::kSigned:
        return {of_terms(noise, scale, privacy::signed_terms(n, p.shape.arity()))};
      case privacy::Counter::kToeplitz:
        return {of_normal(noise, scale / p.shape.term_scale() * std::sqrt(p.shape.variance(n)))};
      case privacy::Counter::kRefined: break;
    }
    // Of a block that is known once alone: others weigh many noises.
    if (n == 1) return {of_terms(noise, scale, 1)};
    Evidence unknown;
    unknown.noise = noise;
    unknown.scale = scale;
    return {unknown};
  }
  std::vector<Evidence> evidence(const curators::ResponsePlan& p, const Told& told) {
    return each(told, [&](double value, double truth) {
      return of_choice(p.epsilon, [&](double e) { return log_response(e, value == truth); });
    });
  }
  std::vector<Evidence> evidence(const curators::NoisyLeaderPlan& p, const Told& told) {
    const double lead = told.truth[0] - told.truth[1];
    return {of_choice(1 / p.scale, [&](double inverse_scale) {
      return log_lead(p, inverse_scale, lead, told.values[0] == 0);
    })};
  }
  std::vector<Evidence> evidence(const curators::StopReportPlan& p, const Told& told) {
    const auto kind = privacy::StopResponse(p.epsilon, p.positions).kind();
    std::vector<bool> said;
    for (const double value : told.values) said.push_back(value > 0.5);
    const auto truth = static_cast<int>(told.truth[0]);
    return {of_choice(p.epsilon, [&](double e) {
      return log_stop(privacy::StopResponse(e, p.positions, kind), truth, said);
    })};
  }
  /// Nothing is claimed of the others.
  template <class Plan>
  std::vector<Evidence> evidence(const Plan&, const Told&) {
    return {};
  }

  curators::Plan plan_;
  std::map<int, indices::LaplaceSum> laws_;  // by the number of terms
  PerArm<double> so_far_;
  PerArm<Round> count_;
};

/// The e-process of one place, or of all.
class Process {
 public:
  void add(const PerFactor& log_ratios) {
    for (std::size_t i = 0; i < kFactors.size(); ++i) logs_[i] += log_ratios[i];
  }
  double log_value() const {
    const double largest = *std::max_element(logs_.begin(), logs_.end());
    double sum = 0;
    for (const double log : logs_) sum += std::exp(log - largest);
    return largest + std::log(sum / static_cast<double>(logs_.size()));
  }
  double likeliest_factor() const {
    return kFactors[static_cast<std::size_t>(std::max_element(logs_.begin(), logs_.end()) -
                                             logs_.begin())];
  }

 private:
  PerFactor logs_{};
};

/// Noises of one run that cancel: two, or three. Written down with their places and signs.
class Cancelling {
 public:
  /// The first that has cancelled in so many runs.
  std::optional<std::string> add(const std::vector<Evidence>& run, int often) {
    std::vector<std::pair<int, double>> noises;
    double scale = 0;
    for (std::size_t i = 0; i < run.size(); ++i) {
      if (!run[i].noise) continue;
      noises.emplace_back(static_cast<int>(i) + 1, *run[i].noise);
      scale = std::max(scale, run[i].scale);
    }
    const double nothing = 1e-9 * scale;
    for (std::size_t a = 0; a < noises.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        for (const int sign : {-1, 1}) {
          const double two = noises[a].second + sign * noises[b].second;
          if (std::abs(two) < nothing &&
              ++seen_[{noises[a].first, sign * noises[b].first, 0}] >= often)
            return fmt::format("the noises of releases {} and {} are the same", noises[b].first,
                               noises[a].first);
          for (std::size_t c = 0; c < b; ++c) {
            for (const int other : {-1, 1}) {
              const double three = two + other * noises[c].second;
              if (std::abs(three) < nothing &&
                  ++seen_[{noises[a].first, sign * noises[b].first, other * noises[c].first}] >=
                      often)
                return fmt::format("the noises of releases {}, {} and {} cancel", noises[c].first,
                                   noises[b].first, noises[a].first);
            }
          }
        }
      }
    }
    return std::nullopt;
  }

 private:
  std::map<std::array<int, 3>, int> seen_;
};

/// Outcomes of all sizes of a lead.
Rows random_rows(Round rounds, int arms, std::uint64_t run) {
  auto stream = random::SimulationKey(run, "law", "table", 0).stream(random::Purpose::kOutcomes);
  Rows rows;
  for (Round t = 0; t < rounds; ++t) {
    Rows::value_type row;
    for (int arm = 0; arm < arms; ++arm)
      row.push_back(random::bernoulli(stream, arm == 0 ? 0.75 : 0.25) ? 1 : 0);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

LawResult law_audit(const Play& asked, int most_samples, double error) {
  constexpr std::size_t kPlaces = 12;
  LawResult result;
  Play play = asked;
  const curators::Plan plan = play.plan();
  Declared declared(plan, play.setting.arms);
  std::array<Process, kPlaces> of_places;
  Process of_all;
  Cancelling cancelling;
  const int often = play.arithmetic == privacy::Arithmetic::kIdealised ? 2 : 8;
  const double log_places = std::log(2 * static_cast<double>(kPlaces) / error);
  const double log_all = std::log(2 / error);
  result.evidence = -std::numeric_limits<double>::infinity();
  for (int run = 0; run < most_samples; ++run) {
    play.seed = asked.seed + static_cast<std::uint64_t>(run);
    const Watched watched =
        watch(play, random_rows(play.setting.horizon, play.setting.arms, play.seed));
    ++result.samples;
    declared.begin();
    std::vector<Evidence> first;
    for (const Told& told : watched.told) {
      for (const Evidence& evidence : declared.of(told)) {
        ++result.released;
        if (declared.independent()) of_all.add(evidence.log_ratios);
        if (first.size() < kPlaces) first.push_back(evidence);
      }
    }
    const auto weigh = [&](const Process& process, double needed, const std::string& what) {
      const double over = process.log_value() - needed;
      result.evidence = std::max(result.evidence, over + std::log(1 / error));
      if (over >= 0 && result.complaint.empty())
        result.complaint = fmt::format("{}: the noise is rather {} times what is declared", what,
                                       process.likeliest_factor());
    };
    if (const auto found = cancelling.add(first, often)) result.complaint = *found;
    for (std::size_t i = 0; i < first.size(); ++i) {
      of_places[i].add(first[i].log_ratios);
      weigh(of_places[i], log_places, fmt::format("release {}", i + 1));
    }
    weigh(of_all, log_all, "all releases");
    if (!result.complaint.empty()) return result;
  }
  return result;
}

}  // namespace tacit::audit
