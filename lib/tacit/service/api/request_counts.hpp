// How many requests there were, by route and status: what /metrics may tell. Those of the report lane are not in it, and neither
// are requests to paths that nobody serves: a report that was sent to a wrong one is still a report.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

namespace tacit::service::api {

/// Thread safety: all of it, but for add().
class RequestCounts {
 public:
  struct Row {
    std::string_view method;
    std::string_view path;  // with {name}
    int status = 0;
    std::uint64_t requests = 0;
  };

  /// Returns the number of the route. All routes are added before anything is counted; the texts must outlive this.
  std::size_t add(std::string_view method, std::string_view path);
  void count(std::size_t route, int status) noexcept;
  /// Those that there were, in the order of routes and statuses.
  std::vector<Row> rows() const;

 private:
  static constexpr int kFirst = 200;
  static constexpr int kLast = 599;
  struct Counted {
    std::string_view method;
    std::string_view path;
    std::array<std::atomic<std::uint64_t>, kLast - kFirst + 1> by_status{};
  };
  std::deque<Counted> routes_;  // its elements stay where they are
};

}  // namespace tacit::service::api
