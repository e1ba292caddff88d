#include "tacit/service/api/stream.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/service/api/reading.hpp"
#include "tacit/service/api/views.hpp"

namespace tacit::service::api {
namespace {

/// Without its version: that is told by releases.
std::string state_of(const ExperimentCard& card) {
  Json json{{"experiment", card.name}, {"state", name_of(card.state)}, {"arms", card.arms}};
  return json.dump();
}

/// In the order of their ids.
std::map<Id, std::string> states_of(const Directory& directory) {
  std::map<Id, std::string> states;
  for (const auto& [id, card] : directory.by_id) states.emplace(id, state_of(*card));
  return states;
}

}  // namespace

void Stream::listen_to(Service::Settings& settings) {
  settings.on_release = [this, before = std::move(settings.on_release)](
                            const Engine& engine, const std::vector<ReleaseRow>& releases) {
    before(engine, releases);
    released(engine, releases);
  };
  settings.on_change = [this, before = std::move(settings.on_change)](const Directory& directory) {
    before(directory);
    changed(directory);
  };
}

void Stream::released(const Engine& engine, const std::vector<ReleaseRow>& releases) {
  for (const ReleaseRow& row : releases) {
    const Experiment& experiment = engine.at(row.experiment);
    Json json{{"experiment", experiment.row().name}};
    json.update(json_of(experiment, row));
    channel_->publish("release", json.dump());
  }
}

void Stream::changed(const Directory& directory) {
  std::map<Id, std::string> states = states_of(directory);
  for (const auto& [id, state] : states) {
    const auto told = told_.find(id);
    if (told == told_.end() || told->second != state) channel_->publish("state", state);
  }
  told_ = std::move(states);
}

std::shared_ptr<const void> StreamSeats::take(const std::shared_ptr<StreamSeats>& seats,
                                              std::string_view key) {
  const std::lock_guard lock(seats->mutex_);
  const auto of_key = seats->of_keys_.find(key);
  if (of_key != seats->of_keys_.end() && of_key->second >= kOfAKey) {
    throw Problem(429, "",
                  fmt::format("this key has {} streams open, which is as many as it may", kOfAKey),
                  1);
  }
  if (seats->all_ >= kAll) {
    throw Problem(503, "", fmt::format("all {} streams of this server are taken", kAll), 1);
  }
  ++seats->all_;
  ++seats->of_keys_[std::string(key)];
  return {seats.get(), [seats, key = std::string(key)](const void*) {
            const std::lock_guard last(seats->mutex_);
            --seats->all_;
            const auto mine = seats->of_keys_.find(key);
            if (--mine->second == 0) seats->of_keys_.erase(mine);
          }};
}

std::vector<RouteRow> stream_routes(Service& service, std::shared_ptr<http::Channel> channel) {
  const auto opening = [&service] {
    std::string text;
    for (const auto& [id, state] : states_of(*service.directory())) {
      text += http::event_text("state", state);
    }
    return text;
  };
  const auto route = [channel = std::move(channel), opening,
                      seats = std::make_shared<StreamSeats>()](const Call& call,
                                                               http::Respond respond) {
    check_query(call.request.query(), {});
    Answer answer;
    answer.seat = StreamSeats::take(seats, call.key);
    answer.type = "text/event-stream";
    answer.stream = channel;
    answer.opening = opening;
    respond(std::move(answer));
  };
  return {{"GET", "/v1/stream", kViewers, Lane::kRead, route}};
}

}  // namespace tacit::service::api
