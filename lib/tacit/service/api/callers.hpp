// Who calls, by the key that a request's header has.
#pragma once

#include <string>
#include <string_view>

#include "tacit/service/api/routes.hpp"

namespace tacit::service::api {

Role role_named(std::string_view name);
/// "app or client".
std::string names_of(Role roles);
bool may(Role role, Role who);

/// In Authorization or X-API-Key. Null: nobody's.
const ApiKeyRow* find_key(const Directory& directory, const http::Request& header);
/// 401, to whom no key was found for.
Answer unauthorized(const http::Request& header);

/// Of the machine that asks, as far as it is known: as `behind_proxy` has added it, or the other end of the connection. "": that is a
/// process of this machine, or nobody has said it.
std::string_view address_of(const http::Request& header, bool behind_proxy);

/// As HTTP compares names: in any case.
bool same_letters(std::string_view a, std::string_view b);

}  // namespace tacit::service::api
