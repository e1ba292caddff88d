// Plays a story on a service in this process, with a store, a clock and coins that are given and without noise, and holds what it does
// to what was promised.
#pragma once

#include <functional>
#include <string>

#include "model/service_story.hpp"
#include "model/store_in_memory.hpp"
#include "tacit/service/releaser.hpp"

namespace tacit::model {

/// In the place of the store and the releaser, others that are not as they should be.
struct Twin {
  std::function<std::unique_ptr<StoreInMemory>()> store = [] {
    return std::make_unique<StoreInMemory>();
  };
  std::function<std::unique_ptr<service::Releaser>()> releaser = nullptr;  // null: sums as they are
  bool copies = true;  // of the store are made, and put back
};

/// What was not as promised, and in which step; "": nothing.
std::string complaint_of(const Story& story, const Twin& twin = {});

/// The first story that fails of so many from this number on, made short, with its complaint; "": none does.
std::string first_that_fails(std::uint64_t from, std::uint64_t stories, const Twin& twin = {});

}  // namespace tacit::model
