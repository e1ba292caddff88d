#include "tacit/service/api/quotas.hpp"

#include <fmt/format.h>

#include "tacit/service/problem.hpp"
#include "tacit/service/spec.hpp"

namespace tacit::service::api {
namespace {

constexpr int kTooMany = 429;

Rate within(double amount, Time time) {
  return {.per_second = amount / static_cast<double>(time) * kSecond, .burst = amount};
}

}  // namespace

Quotas::Quotas(const Settings& settings)
    : settings_(settings),
      of_answers_(within(settings.answer_bytes, settings.idempotency_for)),
      of_units_(within(settings.units_a_day, kDay)) {}

void Quotas::take_answer(std::string_view key, std::size_t bytes, Time now) {
  if (const int after = of_answers_.take(key, now, static_cast<double>(bytes))) {
    throw Problem(
        kTooMany, "Idempotency-Key",
        fmt::format("Idempotency-Key: the answers that are kept for this key would be more "
                    "than {} bytes within {}; ask without it, or again in {} s",
                    settings_.answer_bytes, text_of_duration(settings_.idempotency_for), after),
        after);
  }
  ++answers_;
  answer_bytes_ += bytes;
}

void Quotas::take_unit(std::string_view key, Time now) {
  if (const int after = of_units_.take(key, now)) {
    throw Problem(
        kTooMany, "",
        fmt::format("this key has named {} new units within a day, and no more are taken; "
                    "again in {} s",
                    settings_.units_a_day, after),
        after);
  }
  ++units_;
}

}  // namespace tacit::service::api
