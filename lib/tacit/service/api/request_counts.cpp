#include "tacit/service/api/request_counts.hpp"

#include <algorithm>

namespace tacit::service::api {

std::size_t RequestCounts::add(std::string_view method, std::string_view path) {
  Counted& counted = routes_.emplace_back();
  counted.method = method;
  counted.path = path;
  return routes_.size() - 1;
}

void RequestCounts::count(std::size_t route, int status) noexcept {
  const auto entry = static_cast<std::size_t>(std::clamp(status, kFirst, kLast) - kFirst);
  routes_[route].by_status[entry].fetch_add(1, std::memory_order_relaxed);
}

std::vector<RequestCounts::Row> RequestCounts::rows() const {
  std::vector<Row> rows;
  for (const Counted& route : routes_) {
    for (std::size_t i = 0; i < route.by_status.size(); ++i) {
      const std::uint64_t requests = route.by_status[i].load(std::memory_order_relaxed);
      if (requests == 0) continue;
      rows.push_back({route.method, route.path, kFirst + static_cast<int>(i), requests});
    }
  }
  return rows;
}

}  // namespace tacit::service::api
