// Small experiments on three arms, and folders for their results, for tests.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include "tacit/lab/plan.hpp"

namespace tacit::lab {

class Folder {
 public:
  Folder() {
    static int made = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("tacit_results_" + std::to_string(getpid()) + "_" + std::to_string(made++));
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline Plan plan(const std::string& policies, int runs, int seed = 1) {
  return make_plan(read_experiment(
      "title = \"three arms\"\nhorizon = 500\nruns = " + std::to_string(runs) +
          "\nseed = " + std::to_string(seed) +
          "\ncheckpoints = \"log:5\"\n[[problem]]\nmeans = [0.7, 0.5, 0.3]\n[[policy]]\nname = " +
          policies + "\nepsilon = [0.5, 1]\n",
      "f"));
}

inline constexpr const char* kTwo = "[\"ucb1\", \"anytime-lazy-ucb\"]";

}  // namespace tacit::lab
