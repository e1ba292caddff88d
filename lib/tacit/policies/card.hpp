// What the catalogue shows of a policy without building it.
#pragma once

#include "tacit/feedback/feedback.hpp"
#include "tacit/privacy/guarantee.hpp"

namespace tacit::policies {

enum class Trust { kNone, kCentral, kLocal };

struct Card {
  const char* name;
  const char* title;
  const char* paper;
  feedback::Kind feedback;
  Trust trust;
  bool anytime;              // does not need the horizon
  privacy::Claim published;  // what the paper promises
  bool takes_delta = false;  // has a use for the second privacy parameter

  /// Whether a round is a set of arms or a ranked list, not a single arm.
  constexpr bool plays_sets() const {
    return feedback == feedback::Kind::kSemi || feedback == feedback::Kind::kCascade;
  }

  constexpr Card needing_the_horizon() const {
    Card card = *this;
    card.anytime = false;
    return card;
  }
  constexpr Card with_full_information() const {
    Card card = *this;
    card.feedback = feedback::Kind::kFull;
    return card;
  }
  constexpr Card with_semi_bandit_feedback() const {
    Card card = *this;
    card.feedback = feedback::Kind::kSemi;
    return card;
  }
  constexpr Card with_cascade_feedback() const {
    Card card = *this;
    card.feedback = feedback::Kind::kCascade;
    return card;
  }
  constexpr Card taking_delta() const {
    Card card = *this;
    card.takes_delta = true;
    return card;
  }
  constexpr Card promising(privacy::Claim claim) const {
    Card card = *this;
    card.published = claim;
    return card;
  }
};

/// The usual cases: anytime, bandit feedback, and a paper that promises epsilon (or, for a
/// baseline, nothing).
constexpr Card baseline(const char* name, const char* title, const char* paper) {
  return {name, title, paper, feedback::Kind::kBandit, Trust::kNone, true, {}};
}
constexpr Card central(const char* name, const char* title, const char* paper) {
  return {name,
          title,
          paper,
          feedback::Kind::kBandit,
          Trust::kCentral,
          true,
          {privacy::Notion::kCentral, 1}};
}
constexpr Card local(const char* name, const char* title, const char* paper) {
  return {name,
          title,
          paper,
          feedback::Kind::kBandit,
          Trust::kLocal,
          true,
          {privacy::Notion::kLocal, 1}};
}

}  // namespace tacit::policies
