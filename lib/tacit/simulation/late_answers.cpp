#include "tacit/simulation/late_answers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tacit/random/distributions.hpp"

namespace tacit::simulation {

void LateAnswers::choose(const policies::Situation& situation, policies::Choice& choice) {
  answer_later();
  now_ = situation.t;
  deliver_what_is_due(now_);
  learner_.choose(situation, choice);
  if (delay_.geometric) {
    choice.until = now_;
  } else if (!slots_due_.empty()) {
    choice.until = std::min(choice.until, slots_due_.front().at - 1);
  }
}

void LateAnswers::assign(Slot slot, Round n) {
  const Round full = learner_.assign(slot, n);
  if (full == 0) return;
  const Round last = now_ + n - 1;
  if (delay_.geometric) {
    filled_.push_back({slot, full, last});
  } else {
    slots_due_.push_back({slot, full, last + delay_.rounds + 1});
  }
}

void LateAnswers::add(Slot slot, Secrets sums) {
  if (delay_.geometric) {
    answer_.slots.push_back(slot);
    answer_.sums.push_back(std::move(sums));
  } else {
    channel_.add(slot, sums);
  }
}

void LateAnswers::report(const policies::Choice& choice, policies::Values reports) {
  const Round late = delay_.geometric ? draw_delay() : delay_.rounds;
  if (delay_.wait && late > *delay_.wait) return;  // lost
  reports_due_.emplace(now_ + 1 + late, DueReport{choice, {reports.begin(), reports.end()}});
}

void LateAnswers::deliver_what_is_due(Round t) {
  for (auto next = answers_due_.begin(); next != answers_due_.end() && next->first <= t;
       next = answers_due_.erase(next)) {
    const DueAnswer& answer = next->second;
    for (std::size_t i = 0; i < answer.slots.size(); ++i) {
      channel_.add(answer.slots[i], answer.sums[i]);
    }
  }
  while (!slots_due_.empty() && slots_due_.front().at <= t) {
    const DueSlot due = slots_due_.front();
    slots_due_.pop_front();
    const curators::ReleasedSlot released = channel_.release(due.slot, due.n);
    learner_.deliver(due.slot, released.values, due.n, released.noises);
  }
  for (auto next = reports_due_.begin(); next != reports_due_.end() && next->first <= t;
       next = reports_due_.erase(next)) {
    learner_.take(next->second.choice, next->second.reports);
  }
}

/// The user of the round that is over answers some time: all slots at once. What is full comes back with its last
/// answer.
void LateAnswers::answer_later() {
  if (answer_.slots.empty()) return;
  const Round arrives = now_ + 1 + draw_delay();
  for (const Slot& slot : answer_.slots) {
    Round& last_answer = last_answers_[slot];
    last_answer = std::max(last_answer, arrives);
  }
  for (DueSlot due : filled_) {
    due.at = delay_.wait ? due.at + *delay_.wait + 1 : last_answers_[due.slot];
    last_answers_.erase(due.slot);
    // Of an arm in order.
    Round& before = last_due_[due.slot.arm];
    before = std::max(before, due.at);
    due.at = before;
    slots_due_.insert(
        std::upper_bound(slots_due_.begin(), slots_due_.end(), due,
                         [](const DueSlot& a, const DueSlot& b) { return a.at < b.at; }),
        due);
  }
  filled_.clear();
  answers_due_.emplace(arrives, std::exchange(answer_, {}));
}

Round LateAnswers::draw_delay() {
  // P(more than d) = q^(d+1) with mean q/(1-q) = N.
  const auto mean = static_cast<double>(delay_.rounds);
  if (mean == 0) return 0;
  const double log_q = std::log(mean / (mean + 1));
  return static_cast<Round>(std::floor(std::log(random::uniform_open(delays_)) / log_q));
}

}  // namespace tacit::simulation
