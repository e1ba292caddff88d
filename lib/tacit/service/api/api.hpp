// The door of the service: finds the method that a request means, lets in who may, and answers who may not.
//
// Thread safety: handle() may be called from any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "tacit/service/api/buckets.hpp"
#include "tacit/service/api/cross_origin.hpp"
#include "tacit/service/api/quotas.hpp"
#include "tacit/service/api/request_counts.hpp"
#include "tacit/service/http/exchange.hpp"
#include "tacit/service/service.hpp"

namespace tacit::service::api {

class Api {
 public:
  struct Settings {
    // Of a key.
    Rate decide{.per_second = 100'000, .burst = 200'000};
    Rate report{.per_second = 100'000, .burst = 200'000};
    Rate read{.per_second = 1000, .burst = 2000};
    /// Of an address, with `client` keys, instead: who has one may ask for everything but reports. Those have no limit, or what others
    /// report could be seen by who is turned away.
    Rate client{.per_second = 100, .burst = 200};
    /// The address is what X-Forwarded-For says last: nobody but a proxy can knock.
    bool behind_proxy = false;
    Quotas::Settings quotas = {};
    /// Requests that were refused, by rule: status, route and key. Never a report.
    std::function<void(const Json&)> log = [](const Json&) {};
    /// Milliseconds that never fall, for rates; null: the machine's.
    std::function<Time()> now = nullptr;
    /// Bytes of bodies that are under way, of each: a public key's are not to keep out others'.
    std::size_t bodies = std::size_t{64} << 20U;
    std::size_t client_bodies = std::size_t{16} << 20U;
    /// What GET /v1/stream listens to (stream.hpp); null: it is not served.
    std::shared_ptr<http::Channel> stream = nullptr;
    /// Whose pages may ask what a `client` may.
    Origins origins = {};
  };

  Api(Service& service, Settings settings);
  explicit Api(Service& service);
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;
  ~Api();

  /// Who asks, for what, and how often are looked at here, and nothing of what is asked.
  http::Entry enter(const http::Request& header) const;
  http::Door door() const;
  /// Both at once, of a request that is whole.
  void handle(const http::Request& request, http::Respond respond) const;
  http::Handler handler() const;
  /// For answers that are given before a door is opened (http/settings.hpp).
  Fields refusal_fields(std::optional<std::string_view> origin) const;
  const RequestCounts& counts() const;

 private:
  struct Parts;
  std::shared_ptr<Parts> parts_;  // answers may leave after this has gone
};

}  // namespace tacit::service::api
