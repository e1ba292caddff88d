// A service in a folder of its own with four experiments, visitors, and as many lives as it takes. What every test of kills and
// faults begins and ends with.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "service/kill_visitors.hpp"
#include "service/under_test.hpp"
#include "tacit/service/keeping/store_in_a_folder_test.hpp"

namespace tacit::service {

class Trial {
 public:
  /// Files lie in `folder`, which may be a disk of its own; what is told of them, elsewhere.
  explicit Trial(std::string folder, Durability durability = Durability::kStrict);

  using Words = std::vector<std::string>;
  using Variables = std::vector<std::pair<std::string, std::string>>;

  /// One life. False: it ended before it was ready.
  bool start(const Words& words = {}, const Variables& variables = {});
  UnderTest& service() { return *service_; }
  Visitors& visitors() noexcept { return visitors_; }
  const Counts& counts() const noexcept { return visitors_.counts(); }
  /// Its visitors come.
  void open_doors() { visitors_.begin(service_->address(), app_key_); }
  /// After it was killed, or will be now.
  void close_doors();
  /// Until so many more outcomes were acknowledged.
  bool await_outcomes(std::uint64_t more, std::chrono::milliseconds patience);
  /// What it answers to an operator.
  demo::Reply get(const std::string& path);
  demo::Reply post(const std::string& path, const std::string& json);

  /// Sends what is owed, stops all experiments, waits until everything is released, stops, and looks at the books. `variables`: of
  /// the life for it, where none is under way. `least_exact`: of slots whose sum must be one number.
  void finish(std::size_t least_exact, const Variables& variables = {});
  /// What the service has said to people: the end of it.
  std::string said() const;
  bool has_said(const std::string& part) const;
  std::string file(const std::string& name) const { return folder_ + "/" + name; }

 private:
  void compare_with_api();
  std::string all_said() const;

  std::string folder_;
  Durability durability_;
  Folder aside_;
  std::string app_key_;
  std::string operator_key_;
  Visitors visitors_;
  std::unique_ptr<UnderTest> service_;
  std::vector<std::string> releases_;  // as the API has told them
};

}  // namespace tacit::service
