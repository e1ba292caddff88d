// One history of a store: decisions, outcomes, releases, rotations and crashes; at some time a copy; more of the same; the copy put
// back, by `tacit serve restore`, which may be killed on the way, or by the commands of docs/service.md; and more of the same. The clock
// is the test's, and the sums of the service under test come out as they are, so that afterwards it can be told of each released sum
// whose outcomes it has to be.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "service/under_test.hpp"
#include "tacit/service/demo/client.hpp"
#include "tacit/service/folder_test.hpp"
#include "tacit/service/keys.hpp"
#include "tacit/service/store.hpp"

namespace tacit::service {

class RestoreHistory {
 public:
  explicit RestoreHistory(std::uint64_t seed);

  /// Fails the test for whatever is not as it must be.
  void play();
  /// What became of it, for whoever wants to know that all kinds were there.
  const std::map<std::string, int>& seen() const noexcept { return seen_; }

 private:
  /// What is known of a decision: when it was asked for and answered, by the number of the request.
  struct Made {
    std::string experiment;
    std::string event;
    double outcome = 0;
    Time deadline = 0;
    bool after = false;                              // the copy was put back
    std::vector<std::pair<int, bool>> reports = {};  // each when, and whether it was acknowledged
  };
  /// How a released sum comes about.
  struct Sum {
    double least = 0;
    double most = 0;
  };

  // restore_history.cpp: the application and the operator
  int any(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  void start(bool may_die);
  void bury();
  void kill();
  void stop();
  void go_on(Time by);
  demo::Reply post(const std::unique_ptr<demo::Client>& as, const std::string& path,
                   const nlohmann::json& json);
  void decide(const std::string& experiment, const std::string& unit);
  void report(Made& made);
  void live(int requests);
  void fill_log();
  void end_life();
  void back_up();
  void put_back();
  bool restore_by_tool();
  void restore_by_hand();
  void release_all();

  // restore_history_truth.cpp: what must be so afterwards
  Snapshot read(const std::string& store) const;
  void note_what_is_there();
  void compare_with_copy();
  void check();
  void check_releases(const Snapshot& now);
  void check_budgets(const Snapshot& now) const;
  Sum sum_of(const ReleaseRow& row, const Snapshot& now, const TokenKeys& tokens) const;

  std::string file(const std::string& name) const { return folder_.file(name); }

  std::mt19937_64 random_;
  std::uint64_t seed_;
  Folder folder_;
  Folder aside_;
  std::string app_key_;
  std::string operator_key_;
  Time clock_ = 0;
  std::unique_ptr<UnderTest> service_;
  std::unique_ptr<demo::Client> app_;
  std::unique_ptr<demo::Client> operator_;
  std::vector<Made> made_;
  std::map<std::string, double> spent_;  // of populations, as was acknowledged
  int request_ = 0;
  int units_ = 0;
  int extras_ = 0;
  int copy_begun_ = 0;  // before which request
  int copy_ended_ = 0;
  int put_back_ = 0;
  bool after_ = false;
  bool may_die_ = false;
  std::optional<Snapshot> copy_;
  std::optional<Snapshot> old_;
  std::uint64_t told_ = 0;  // releases that were shown to anybody, when the copy was put back
  std::map<std::string, int> seen_;
};

}  // namespace tacit::service
