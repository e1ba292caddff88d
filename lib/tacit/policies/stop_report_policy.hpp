// The shell of ranked lists on private reports of where users stopped: show the K items with the
// largest indices, the one shown least often first (the order of a list does not change its reward,
// and early positions are less blurred). Cost per decision: one index an item, every round.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/core/stop.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/stop_index.hpp"
#include "tacit/policies/decision.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/ledger.hpp"
#include "tacit/privacy/stop_response.hpp"

namespace tacit::policies {

class StopReportPolicy {
 public:
  using Feedback = feedback::Cascade;
  using Input = Stop;

  StopReportPolicy(const std::shared_ptr<const actions::ActionSet>& actions, double epsilon,
                   privacy::Arithmetic arithmetic, const privacy::Releases& releases)
      : size_(actions->size()),
        oracle_(actions->oracle()),
        response_(epsilon, actions->size(), arithmetic),
        index_(response_),
        releases_(releases),
        devices_(releases.key().stream(random::Purpose::kRounding)),
        scores_(static_cast<std::size_t>(actions->arms())),
        states_(scores_.size()) {}

  SetDecision decide(Round t) {
    const double log_t = std::log(static_cast<double>(t));
    const double level = log_t > 1 ? log_t + 3 * std::log(log_t) : log_t;
    for (std::size_t i = 0; i < states_.size(); ++i) scores_[i] = index_.upper(states_[i], level);
    oracle_->set_scores(scores_);
    const actions::ChosenSet choice = oracle_->choose(t, releases_.key());
    list_.assign(choice.arms.begin(), choice.arms.end());
    std::stable_sort(list_.begin(), list_.end(),
                     [this](Arm a, Arm b) { return shown(a) < shown(b); });
    return {list_, list_, t};
  }

  void learn(const SetDecision& decision, const privacy::Secret<Stop>& stop) {
    const auto report = response_.report(stop, devices_);
    for (const double click : report.value()) releases_.show(privacy::kAllArms, click);
    releases_.note_report(response_, Feedback::sensitivity(size_));
    double examined = 1;
    for (std::size_t k = 0; k < decision.action.size(); ++k) {
      const double click = report.value()[k];
      index_.add(states_[static_cast<std::size_t>(decision.action[k])], static_cast<int>(k), click,
                 examined);
      examined -= click;
    }
  }

  privacy::Guarantee guarantee() const {
    constexpr int kReportsOfARound = 1;
    return privacy::compose(privacy::Notion::kLocal, Feedback::moves(size_), kReportsOfARound,
                            response_.loss(Feedback::sensitivity(size_)));
  }

 private:
  double shown(Arm item) const noexcept { return states_[static_cast<std::size_t>(item)].shown; }

  int size_;
  std::unique_ptr<actions::Oracle> oracle_;
  privacy::StopResponse response_;
  indices::StopIndex index_;
  privacy::Releases releases_;
  random::SimulationStream devices_;
  std::vector<double> scores_;
  std::vector<indices::StopIndex::State> states_;
  std::vector<Arm> list_;
};

}  // namespace tacit::policies
