// What a method of the API is to the door that leads to it (api.hpp): where it is, who may call it, and what it does.
//
// A route may throw Problem as long as it has not handed `respond` on. It is called in a thread of the server and must not block:
// what needs the engine goes through Service::submit. The request is valid until it returns, also for what the call refers to.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/service/api/quotas.hpp"
#include "tacit/service/api/request_counts.hpp"
#include "tacit/service/directory.hpp"
#include "tacit/service/http/exchange.hpp"
#include "tacit/service/problem.hpp"
#include "tacit/service/service.hpp"

namespace tacit::service::api {

/// Who may call: several, or'ed.
enum class Role : unsigned {
  kAnybody = 0,  // without a key
  kApp = 1,
  kClient = 2,
  kViewer = 4,
  kOperator = 8,
};
constexpr Role operator|(Role a, Role b) noexcept {
  return static_cast<Role>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
/// An operator may do what a viewer may.
inline constexpr Role kViewers = Role::kViewer | Role::kOperator;

struct Call {
  const http::Request& request;
  std::vector<std::string> parameters;  // what stands for each {name}, decoded
  std::string_view key;                 // the id of the caller's; "": anybody
  std::shared_ptr<const Directory> directory;
  Role role = Role::kOperator;  // of the key

  /// Throws Problem (404) with the nearest name. To a client's key an archived one is none.
  const ExperimentCard& experiment(std::size_t parameter = 0) const;
  /// The name that may have been meant, to who may not read not that of an archived one; "": there is none.
  std::string nearest_experiment(std::size_t parameter = 0) const;
};

using Route = std::function<void(const Call&, http::Respond)>;

struct RouteRow {
  std::string_view method;
  std::string_view path;  // with {name} for one step of it
  Role role;              // who may
  Lane
      bucket;  // the requests of a key are counted by lane; those of kReport are never logged nor counted
  Route route;
};

/// Decisions, activations, outcomes and reports.
std::vector<RouteRow> application_routes(Service& service, std::shared_ptr<Quotas> quotas);
/// Whether it lives, and whether it should be asked now.
std::vector<RouteRow> health_routes(Service& service);
std::vector<RouteRow> operating_routes(Service& service);
std::vector<RouteRow> reading_routes(Service& service);
std::vector<RouteRow> ofrep_routes(Service& service, std::shared_ptr<Quotas> quotas);
std::vector<RouteRow> metrics_routes(Service& service, const RequestCounts& counts,
                                     std::shared_ptr<const Quotas> quotas);

}  // namespace tacit::service::api
