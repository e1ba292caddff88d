// The noise that the service adds has the law that is promised, whoever it is added for: what is released is held to what went in, as
// the engine releases it, whether an arm's slot, that of a list's, of all arms at once or of those held out; by phases, by the
// number of decisions, by starts.
//
// Evidence is an e-process for each kind of release: how much more likely the noise would be were it larger or smaller by some factor, or
// leant to one side, averaged. With the law that is promised it ever exceeds 1/error with probability at most `error` (Ville).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/store_in_memory.hpp"
#include "service/rig.hpp"
#include "statistics/goodness_of_fit.hpp"
#include "tacit/privacy/grid.hpp"

namespace tacit::service {
namespace {

/// A noise, as it was promised: whole steps, with P(k) proportional to exp(-|k| step / scale).
struct Noise {
  double steps;
  double scale;  // in steps
};

/// Which of two sums is said to be the larger one, each with noise: Laplace, or one-sided exponential.
struct Lead {
  bool leads;  // the first
  double by;   // in truth
  double scale;
  bool one_sided;

  double log_chance(double factor) const {
    const double x = std::abs(by) / (factor * scale);
    // That the difference of the noises makes up for x.
    const double other = std::exp(-x) * (one_sided ? 0.5 : (2 + x) / 4);
    return std::log((by > 0) == leads ? 1 - other : other);
  }
};

class Evidence {
 public:
  template <class LogChance>
  void add_by_factor(LogChance log_chance) {
    const double declared = log_chance(1.0);
    for (std::size_t i = 0; i < kFactors.size(); ++i) {
      logs_[i] += log_chance(kFactors[i]) - declared;
    }
    most_ = std::max(most_, log_mean());
    ++noises_;
  }
  void add(const Lead& lead) {
    add_by_factor([&](double factor) { return lead.log_chance(factor); });
  }
  void add(const Noise& noise) {
    const int sign = noise.steps > 0 ? 1 : noise.steps < 0 ? -1 : 0;
    for (std::size_t i = 0; i < kLeans.size(); ++i) {
      logs_[kFactors.size() + i] += std::log1p(kLeans[i] * sign);
    }
    add_by_factor([&](double factor) {
      const double scale = factor * noise.scale;
      return std::log(std::tanh(1 / (2 * scale))) - std::abs(noise.steps) / scale;
    });
  }
  /// ln of the largest that it ever was.
  double most() const noexcept { return most_; }
  int noises() const noexcept { return noises_; }
  std::string in_words() const {
    const auto best =
        static_cast<std::size_t>(std::max_element(logs_.begin(), logs_.end()) - logs_.begin());
    if (best >= kFactors.size()) return "the noise leans to one side";
    return fmt::format("the noise is rather {} times what is promised", kFactors.at(best));
  }

 private:
  static constexpr std::array kFactors{0.1, 0.25, 0.5, 0.7, 0.8, 0.9, 0.97, 1.1, 1.5, 3.0};
  static constexpr std::array kLeans{-0.9, -0.4, 0.4, 0.9};

  double log_mean() const {
    const double largest = *std::max_element(logs_.begin(), logs_.end());
    double sum = 0;
    for (const double x : logs_) sum += std::exp(x - largest);
    return largest + std::log(sum / static_cast<double>(logs_.size()));
  }

  std::array<double, kFactors.size() + kLeans.size()> logs_{};
  double most_ = 0;
  int noises_ = 0;
};

/// Every kind of release that there is, each with evidence of its own.
class Law {
 public:
  void add(const std::vector<std::string>& kinds, const Noise& noise) {
    for (const std::string& kind : kinds) by_kind_[kind].add(noise);
    on_the_grid_ = on_the_grid_ && noise.steps == std::round(noise.steps);
    // The same noise again, or what makes up for it: soon after, as where it is drawn once for two.
    for (const Noise& other : last_) {
      if (other.scale != noise.scale) continue;
      constexpr double kSigns = 2;
      same_ += std::abs(other.steps) == std::abs(noise.steps) ? 1 : 0;
      expected_ += kSigns / (4 * noise.scale);
      ++pairs_;
    }
    last_.push_back(noise);
    constexpr std::size_t kSoon = 64;
    if (last_.size() > kSoon) last_.pop_front();
  }
  void add(const std::string& kind, const Lead& lead) { by_kind_[kind].add(lead); }
  static constexpr std::size_t kKinds = 128;  // at most
  /// What is wrong with it; "": nothing.
  std::string complaint() const {
    const auto& [kind, evidence] = *std::max_element(
        by_kind_.begin(), by_kind_.end(),
        [](const auto& a, const auto& b) { return a.second.most() < b.second.most(); });
    if (evidence.most() > std::log(static_cast<double>(kKinds) / testing::kFamilyError)) {
      return kind + ": " + evidence.in_words();
    }
    const double most = testing::most_successes(pairs_, expected_ / static_cast<double>(pairs_),
                                                testing::kFamilyError);
    if (same_ > most) return fmt::format("{} pairs of noises are the same", same_);
    return on_the_grid_ ? "" : "a noise is no whole number of steps";
  }
  std::size_t kinds() const { return by_kind_.size(); }
  int noises(const std::string& kind) const {
    const auto found = by_kind_.find(kind);
    return found == by_kind_.end() ? 0 : found->second.noises();
  }

 private:
  std::map<std::string, Evidence> by_kind_;
  std::deque<Noise> last_;
  double expected_ = 0;
  std::int64_t pairs_ = 0;
  int same_ = 0;
  bool on_the_grid_ = true;
};

/// Remembers what went into each.
class Remembering final : public Releaser {
 public:
  explicit Remembering(Releaser& releaser) : releaser_(releaser) {}
  curators::ReleasedSlot release(Id experiment, const curators::Plan& plan, int arms, Slot slot,
                                 Round n, const privacy::SecretVector<Sum>& total) override {
    std::vector<double>& truth = truths_[{experiment, slot}];
    for (std::size_t i = 0; i < total.size(); ++i) {
      truth.push_back(privacy::Exact::release(total[i]).value());
    }
    return releaser_.release(experiment, plan, arms, slot, n, total);
  }
  std::vector<double> truth(const ReleaseRow& row) {
    return truths_.extract({row.experiment, row.slot}).mapped();
  }

 private:
  Releaser& releaser_;
  std::map<std::pair<Id, Slot>, std::vector<double>> truths_;
};

/// A service with experiments of every kind, whose slots are closed by their age, so that there are many of them.
class Visited {
 public:
  explicit Visited(Releaser& releaser) : releaser_(releaser) {
    start();
    operate([&] {
      engine_->create_population("people", 1000, false, "test", now_);
      engine_->create_population("members", 1e5, true, "test", now_);
      Json single = spec("single", "anytime-lazy-ucb", 6);
      single["holdout"] = 0.3;
      create(single, 1);
      create(spec("lists", "dpucb-mat", 4), 2);
      create(spec("all", "ftnl", 3), 3);
      Json user = spec("users", "mgf-imed", 2);
      user.erase("epsilon");
      user["population"] = "members";
      user["user"] = {{"epsilon", 65536}, {"cap", 65536}};
      user["default"] = 0.25;
      create(user, 1);
      create(spec("wide", "anytime-lazy-ucb", 20), 1);
      create(spec("leads-rnm", "rnm-ftnl", 2), 1);
      create(spec("leads-pf", "pf-ftnl", 2), 1);
    });
  }

  /// A second with visitors.
  void second(int second) {
    operate([&] {
      for (const auto& [id, sums] : sums_) {
        const bool many = second % 50 == 0;
        if (engine_->at(id).arms() > 10 && second % 5 != 0) continue;
        if (leads(id)) {
          visit(id, 1, 3);
          continue;
        }
        visit(id, 2, many ? 300 : 2);
        if (engine_->at(id).shown() > 1) continue;
        for (Arm arm = 0; arm < engine_->at(id).arms(); ++arm) visit(id, 1, 1, arm);
      }
    });
    now_ += kSecond;
    store_.begin();
    engine_->tick(now_);
    engine_->write();
    store_.commit();
    for (const ReleaseRow& row : engine_->publish()) note(row);
  }
  void restart() {
    engine_.reset();
    start();
  }
  /// One that is stopped while its slots are filling.
  void stop_one(int number) {
    operate([&] {
      Json brief = spec("", "anytime-lazy-ucb", 10);
      brief["name"] = fmt::format("stopped{}", number);
      brief.erase("phase_max_age");
      const Id id = engine_->create(spec_of(brief), "test", now_);
      // The second phase of each is not full.
      for (Arm arm = 0; arm < engine_->at(id).arms(); ++arm) visit(id, 1, 2, arm);
      engine_->stop(id, "", "test", now_);
      stopped_.insert(id);
    });
  }
  const Law& law() const noexcept { return law_; }

 private:
  static Json spec(const char* name, const char* policy, int arms) {
    Json names = Json::array();
    for (int arm = 0; arm < arms; ++arm) names.push_back(fmt::format("arm{}", arm));
    Json spec{{"name", name},  {"population", "people"}, {"policy", policy},        {"epsilon", 1},
              {"arms", names}, {"wait", "1s"},           {"phase_max_age", "500ms"}};
    if (std::string_view(policy) == "dpucb-mat") spec["actions"] = "top:2";
    return spec;
  }
  /// Of which only who leads is released.
  bool leads(Id id) const { return engine_->at(id).spec().name.starts_with("leads"); }
  void create(const Json& json, int sums) {
    sums_[engine_->create(spec_of(json), "test", now_)] = sums;
  }
  void start() {
    engine_ = std::make_unique<Engine>(
        Engine::Parts{
            .store = store_,
            .keys = keys_,
            .releaser = releaser_,
            .dice = [](Id id) { return random::Dice::numbered(static_cast<std::uint64_t>(id)); },
            .coins = [this] { return random::Dice::numbered(100 + starts_); }},
        now_);
    ++starts_;
  }
  template <class Do>
  void operate(Do what) {
    store_.begin();
    what();
    engine_->write();
    store_.commit();
    engine_->publish();
  }
  void visit(Id id, int answers, int visitors, Arm only = kAllArms) {
    for (int i = 0; i < visitors; ++i) {
      DecideRequest request{.experiment = id, .unit = std::nullopt, .eligible = {}};
      if (only != kAllArms) request.eligible.push_back(only);
      if (engine_->at(id).spec().user_level()) {
        request.unit = engine_->directory()->unit(fmt::format("unit {}", i));
      }
      const Event event = *engine_->directory()->tokens.read(engine_->decide(request, now_).event);
      if (i % answers != 0) continue;
      const auto outcomes = engine_->at(id).all_arms() ? engine_->at(id).arms()
                                                       : static_cast<int>(event.places.size());
      std::vector<double> ones(static_cast<std::size_t>(outcomes), 1);
      if (leads(id)) ones[1] = 0;
      engine_->report(event, secret(ones), now_);
    }
  }

  void note(const ReleaseRow& row) {
    const std::vector<double> truth = releaser_.truth(row);
    const bool is_stopped = stopped_.contains(row.experiment);
    const double epsilon = engine_->at(row.experiment).guarantee().epsilon;
    const std::string& name = engine_->at(row.experiment).spec().name;
    if (leads(row.experiment)) {
      law_.add(name, {.leads = row.values.at(0) == 0,
                      .by = truth.at(0) - truth.at(1),
                      .scale = 2 / epsilon,
                      .one_sided = name == "leads-pf"});
      return;
    }
    ASSERT_EQ(truth.size(), row.values.size());
    const int sums = row.slot.arm == kAllArms ? static_cast<int>(truth.size())
                     : is_stopped             ? 1
                                              : sums_.at(row.experiment);
    const privacy::Grid grid = privacy::Grid::for_scale(sums / epsilon);
    const std::vector<std::string> kinds{
        "all",
        is_stopped ? "of what is stopped" : "of " + name,
        row.slot.arm == kHoldout   ? "of those held out"
        : row.slot.arm == kAllArms ? "of all arms"
                                   : fmt::format("of arm {}", row.slot.arm),
        fmt::format("phases from {} on",
                    std::bit_floor(static_cast<std::uint64_t>(row.slot.phase))),
        fmt::format("of {} decisions and more", std::bit_floor(static_cast<std::uint64_t>(row.n))),
        fmt::format("releases from {} on", std::bit_floor(static_cast<std::uint64_t>(row.version))),
        starts_ > 1 ? "after a restart" : "before a restart"};
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const double steps = (row.values[i] - truth[i]) / grid.step();
      law_.add(kinds, {steps, static_cast<double>(grid.scale)});
    }
  }

  Time now_ = 1'800'000'000'000;
  model::StoreInMemory store_;
  KeysInMemory keys_;
  Remembering releaser_;
  std::unique_ptr<Engine> engine_;
  std::set<Id> stopped_;
  std::map<Id, int> sums_;  // of an experiment: in how many one decision is
  unsigned starts_ = 0;
  Law law_;
};

constexpr int kSeconds = 1000;

std::string complaint_of(Releaser& releaser, int seconds = kSeconds) {
  Visited service(releaser);
  for (int second = 0; second < seconds; ++second) {
    service.second(second);
    if (second % 20 == 0) service.stop_one(second);
    if (second == seconds / 2) service.restart();
  }
  EXPECT_GE(service.law().noises("all"), 12 * seconds);
  EXPECT_LT(service.law().kinds(), Law::kKinds);
  return service.law().complaint();
}

TEST(NoiseOfTheService, HasTheLawThatIsPromised) {
  SecureReleaser releaser;
  EXPECT_EQ(complaint_of(releaser), "");
}

/// Less of it, or more, where the slot says so.
class OtherNoise final : public Releaser {
 public:
  using Factor = double (*)(Slot, Round);
  explicit OtherNoise(Factor factor) : factor_(factor) {}
  curators::ReleasedSlot release(Id experiment, const curators::Plan& plan, int arms, Slot slot,
                                 Round n, const privacy::SecretVector<Sum>& total) override {
    curators::Plan other = plan;
    if (auto* phases = std::get_if<curators::PhasePlan>(&other)) phases->scale *= factor_(slot, n);
    if (auto* epochs = std::get_if<curators::NoisySumsPlan>(&other))
      epochs->scale *= factor_(slot, n);
    return secure_.release(experiment, other, arms, slot, n, total);
  }

 private:
  SecureReleaser secure_;
  Factor factor_;
};

TEST(NoiseOfTheService, IsFoundToBeTenPercentTooSmall) {
  OtherNoise less([](Slot, Round) { return 0.9; });
  EXPECT_EQ(complaint_of(less), "all: the noise is rather 0.9 times what is promised");
}

TEST(NoiseOfTheService, IsFoundToBeATenthForThoseHeldOut) {
  OtherNoise less([](Slot slot, Round) { return slot.arm == kHoldout ? 0.1 : 1; });
  EXPECT_EQ(complaint_of(less, kSeconds / 10),
            "of those held out: the noise is rather 0.1 times what is promised");
}

TEST(NoiseOfTheService, IsFoundToBeHalfInLatePhasesAndLongOnes) {
  OtherNoise late([](Slot slot, Round) { return slot.phase > 500 ? 0.5 : 1; });
  EXPECT_NE(complaint_of(late).find("times what is promised"), std::string::npos);
  OtherNoise large([](Slot, Round n) { return n > 64 ? 0.25 : 1; });
  EXPECT_NE(complaint_of(large).find("times what is promised"), std::string::npos);
}

class HalfTheNoiseOfLeaders final : public Releaser {
 public:
  curators::ReleasedSlot release(Id experiment, const curators::Plan& plan, int arms, Slot slot,
                                 Round n, const privacy::SecretVector<Sum>& total) override {
    curators::Plan other = plan;
    if (auto* leader = std::get_if<curators::NoisyLeaderPlan>(&other)) leader->scale /= 2;
    return secure_.release(experiment, other, arms, slot, n, total);
  }

 private:
  SecureReleaser secure_;
};

TEST(NoiseOfTheService, IsFoundToBeHalfOnWhoLeads) {
  HalfTheNoiseOfLeaders less;
  EXPECT_TRUE(complaint_of(less).starts_with("leads"));
}

/// Of two sums of a decision the second has the noise of the first.
class TheSameNoise final : public Releaser {
 public:
  curators::ReleasedSlot release(Id experiment, const curators::Plan& plan, int arms, Slot slot,
                                 Round n, const privacy::SecretVector<Sum>& total) override {
    curators::ReleasedSlot released = secure_.release(experiment, plan, arms, slot, n, total);
    const double truth = privacy::Exact::release(total[0]).value();
    if (slot.arm == 0) kept_ = released.values[0].value() - truth;
    if (slot.arm == 1) released.values[0] = privacy::Published::again(truth + kept_);
    return released;
  }

 private:
  SecureReleaser secure_;
  double kept_ = 0;
};

TEST(NoiseOfTheService, IsFoundToBeTheSameForTwoArms) {
  TheSameNoise shared;
  EXPECT_NE(complaint_of(shared, kSeconds / 10).find("are the same"), std::string::npos);
}

}  // namespace
}  // namespace tacit::service
