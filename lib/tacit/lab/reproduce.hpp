// The figures and tables of papers, each as data, picture and verdict.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tacit/lab/coordinator.hpp"
#include "tacit/lab/verdict.hpp"

namespace tacit::lab {

/// Something that can be reproduced, by name.
struct Item {
  std::string name;
  std::string title;
  std::string source;
  std::string file;  // of the experiment; empty: computed, not simulated
  bool needs_movies = false;
};

/// In the order of the papers' files.
const std::vector<Item>& items();

struct ReproduceOptions {
  std::filesystem::path folder;
  std::string movies;  // the folder of MovieLens 1M; empty: not given
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
  MakeRequest make;
  /// Before an experiment's runs begin, and as they go on.
  std::function<void(const Item&, const Plan&)> begin = [](const Item&, const Plan&) {};
  std::function<void(const Progress&)> report = [](const Progress&) {};
  std::function<void()> end = [] {};
};

/// A figure that was made: NAME.csv, NAME.svg, NAME.txt in the folder.
struct Reproduced {
  std::string name;
  std::string title;
  Verdict verdict;
};

/// The figures of an item: its own, and its twin at honest noise where the paper's was not. Throws
/// std::runtime_error when it was told to stop; the same call goes on from there.
std::vector<Reproduced> reproduce(const Item& item, const ReproduceOptions& options);

/// One self-contained page with the pictures and verdicts of all items that the folder has, to be sent to a
/// colleague.
std::string index_page(const std::filesystem::path& folder);

}  // namespace tacit::lab
