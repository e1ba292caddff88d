// Plays a story on a policy that is held, with noise that is as good as none, and holds what it does to what was promised. A
// rehearsal is played beside a twin whom nobody answers and who is told what the first one released: whatever both show is the same.
#pragma once

#include <cstdint>
#include <string>

#include "model/live_story.hpp"

namespace tacit::model {

/// What was not as promised, and in which step; "": nothing.
std::string complaint_of(const LiveStory& story);

/// The first story that fails of so many from this number on, made short, with its complaint; "": none does.
std::string first_live_story_that_fails(std::uint64_t from, std::uint64_t stories);

}  // namespace tacit::model
