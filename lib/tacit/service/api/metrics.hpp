// /metrics for Prometheus: what the view may tell (views.hpp), as numbers. Nothing here moves because a report came.
#pragma once

#include <string>

#include "tacit/service/api/quotas.hpp"
#include "tacit/service/api/request_counts.hpp"
#include "tacit/service/engine.hpp"

namespace tacit::service::api {

/// In the text format, version 0.0.4. `engine` is null while the store is away. `now`: whether a period is paid for depends on it.
std::string metrics_of(const Engine* engine, const RequestCounts& counts, const Quotas& quotas,
                       Time now);

}  // namespace tacit::service::api
