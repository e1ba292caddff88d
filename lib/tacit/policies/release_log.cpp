#include "tacit/policies/release_log.hpp"

#include "tacit/evidence/of_plan.hpp"

namespace tacit::policies {

std::optional<ReleaseLog> ReleaseLog::of(const curators::Plan& plan, feedback::Kind kind, int arms,
                                         int recorded) {
  const auto law = evidence::law_of(plan);
  if (!law) return {};
  const auto observed = kind == feedback::Kind::kFull || recorded > 1
                            ? evidence::Observed::kTogether
                            : evidence::Observed::kOneAtATime;
  return ReleaseLog(evidence::Readout(*law, arms, observed), kind);
}

void ReleaseLog::add(Arm arm, double released, double n, double noises) {
  readout_.add(arm, released, n, noises);
  told_.push_back(arm);
}

void ReleaseLog::deliver(Slot slot, Values values, Round n, int noises) {
  told_.clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Arm arm = kind_ == feedback::Kind::kFull ? static_cast<Arm>(i) : slot.arm;
    add(arm, values[i].value(), static_cast<double>(n), noises);
  }
}

void ReleaseLog::take(const Choice& choice, Values reports) {
  told_.clear();
  for (std::size_t i = 0; i < reports.size(); ++i) {
    switch (kind_) {
      case feedback::Kind::kBandit:
      case feedback::Kind::kCascade: add(choice.arm(), reports[i].value(), 1, 0); break;
      case feedback::Kind::kSemi: add(choice.slots()[i].arm, reports[i].value(), 1, 0); break;
      case feedback::Kind::kFull: add(static_cast<Arm>(i), reports[i].value(), 1, 0); break;
    }
  }
}

}  // namespace tacit::policies
