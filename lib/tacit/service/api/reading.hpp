// What a reader may ask, without the routes' doors (routes.hpp has those): the public state of experiments, in pages, with ETags.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "tacit/service/api/routes.hpp"
#include "tacit/service/spec.hpp"

namespace tacit::service::api {

/// What is told; in the engine's thread.
using Told = std::function<Json(Engine&, Time)>;

/// 200 with what is told and its ETag, or 304 to who has that already. Its text is made elsewhere than in the engine's thread.
void tell(Service& service, const Call& call, Told told, http::Respond respond);

using QueryKeys = std::vector<std::string_view>;
/// Refuses (422) a key that is none of these, or that is there twice.
void check_query(std::string_view query, const QueryKeys& known);

/// A whole number of the query, or `otherwise` where it is not given. Throws Problem (422) for what is not from low to high.
std::int64_t number_in_query(std::string_view query, std::string_view name, std::int64_t low,
                             std::int64_t high, std::int64_t otherwise);

}  // namespace tacit::service::api
