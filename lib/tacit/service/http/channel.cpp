#include "tacit/service/http/channel.hpp"

#include <utility>

#include <fmt/format.h>

namespace tacit::service::http {

Channel::Subscription::Subscription(std::shared_ptr<Channel> channel, Ear ear)
    : channel_(std::move(channel)) {
  const std::lock_guard lock(channel_->mutex_);
  number_ = channel_->next_++;
  channel_->ears_.emplace(number_, std::move(ear));
}

Channel::Subscription::~Subscription() {
  const std::lock_guard lock(channel_->mutex_);
  channel_->ears_.erase(number_);
}

void Channel::publish(std::string_view name, std::string_view data) {
  const auto event = std::make_shared<const std::string>(event_text(name, data));
  const std::lock_guard lock(mutex_);
  for (const auto& [number, ear] : ears_) ear(event);
}

std::size_t Channel::listeners() const {
  const std::lock_guard lock(mutex_);
  return ears_.size();
}

std::string event_text(std::string_view name, std::string_view data) {
  std::string text = fmt::format("event: {}\n", name);
  for (;;) {
    const std::size_t end = data.find('\n');
    text += fmt::format("data: {}\n", data.substr(0, end));
    if (end == std::string_view::npos) break;
    data.remove_prefix(end + 1);
  }
  text += '\n';
  return text;
}

}  // namespace tacit::service::http
