#include "tacit/service/demo/screen.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tacit::service::demo {
namespace {

std::string time_text(int seconds) { return fmt::format("{}:{:02}", seconds / 60, seconds % 60); }

std::string percent(double share) {
  return fmt::format("{} %", std::lround(100 * std::clamp(share, 0.0, 1.0)));
}

/// Arms of which something was released, the best first.
std::vector<Json> ranked(const Json& view) {
  std::vector<Json> arms;
  for (const Json& arm : view.at("arms")) {
    if (arm.at("mean").is_number()) arms.push_back(arm);
  }
  std::stable_sort(arms.begin(), arms.end(), [](const Json& left, const Json& right) {
    return left.at("mean").get<double>() > right.at("mean").get<double>();
  });
  return arms;
}

std::string interval(const Json& arm) {
  const Json& between = arm.at("interval");
  if (!between.is_array() || !between[0].is_number() || !between[1].is_number()) return "";
  return fmt::format("{} to {}", percent(between[0].get<double>()),
                     percent(between[1].get<double>()));
}

std::string truth(const Offer& offer, const Json& view) {
  double decisions = 0;
  for (const Json& arm : view.at("arms")) decisions += arm.at("decisions").get<double>();
  std::string text = fmt::format("\n  {:<16} {:>8}   {:<14} {:>8}   {:>6}\n", offer.experiment,
                                 "released", "95 % sure", "shown", "truth");
  for (std::size_t i = 0; i < offer.arms.size(); ++i) {
    const Json& arm = view.at("arms").at(i);
    const double share = arm.at("decisions").get<double>() / std::max(1.0, decisions);
    text += fmt::format("    {:<14} {:>8}   {:<14} {:>8}   {:>6}\n", offer.arms[i],
                        arm.at("mean").is_number() ? percent(arm.at("mean").get<double>()) : "-",
                        interval(arm), percent(share), percent(offer.rates[i]));
  }
  return text;
}

}  // namespace

std::string wrapped(const std::string& text, const std::string& indent, std::size_t width) {
  std::istringstream words(text);
  std::string all;
  std::string line = indent;
  for (std::string word; words >> word;) {
    if (line.size() > indent.size() && line.size() + 1 + word.size() > width) {
      all += line + "\n";
      line = indent;
    }
    if (line.size() > indent.size()) line += ' ';
    line += word;
  }
  return all + line + "\n";
}

std::string welcome(const Access& access, int visitors, const std::vector<Json>& views) {
  std::string text = fmt::format(
      "tacit serve demo: a shop, and visitors whose answers come late\n\n"
      "  service     {}\n"
      "  viewer key  {}\n"
      "  app key     {}\n\n",
      access.url, access.viewer_key, access.app_key);
  text += wrapped(
      fmt::format("{} visitors a second are shown a button and a list of products, both chosen by "
                  "the service. What each of them does is reported some seconds later, or never. "
                  "What the service learns, it learns under this guarantee:",
                  visitors),
      "");
  text += '\n';
  text += wrapped(views.front().at("guarantee").at("words").get<std::string>(), "  ");
  text += fmt::format(
      "\nAsk it yourself, in another terminal:\n\n"
      "  KEY={}\n"
      "  curl {}/v1/experiments/{}/decisions \\\n"
      "    -H \"X-API-Key: $KEY\" --json '{{}}'\n\n"
      "and within 5 s say what happened, with the event of the answer:\n\n"
      "  curl {}/v1/outcomes \\\n"
      "    -H \"X-API-Key: $KEY\" --json '{{\"event\": \"...\", \"value\": 1}}'\n\n",
      access.app_key, access.url, views.front().at("name").get<std::string>(), access.url);
  return text;
}

std::string heading(const Offer& button) {
  std::string text = wrapped(
      "What was learned, from releases with noise alone: how often each button is clicked, and of "
      "how many that is known. The first releases take some seconds, as answers do. Ctrl-C "
      "ends it.",
      "");
  text += fmt::format("\n{:>6} {:>9}", "time", "visitors");
  for (const std::string& arm : button.arms) text += fmt::format("  {:>13}", arm);
  return text + "\n";
}

std::string line(int seconds, long visitors, const Json& button) {
  std::string text = fmt::format("{:>6} {:>9}", time_text(seconds), visitors);
  for (const Json& arm : button.at("arms")) {
    const bool known = arm.at("mean").is_number();
    text += fmt::format("  {:>13}",
                        known ? fmt::format("{} of {}", percent(arm.at("mean").get<double>()),
                                            std::lround(arm.at("n").get<double>()))
                              : "-");
  }
  return text + "\n";
}

std::string line_of_list(const Json& list) {
  std::vector<std::string> names;
  for (const Json& arm : ranked(list)) {
    if (names.size() < 3) names.push_back(arm.at("name").get<std::string>());
  }
  if (names.empty()) return "";
  return fmt::format("{:>16}  products liked most: {}\n", "", fmt::join(names, ", "));
}

std::string farewell(int seconds, long visitors, const std::vector<Offer>& offers,
                     const std::vector<Json>& views) {
  long releases = 0;
  for (const Json& view : views) releases += view.at("version").get<long>();
  std::string text = "\n";
  text += wrapped(
      fmt::format("After {}: {} visitors, and {} releases, which are all that anybody saw of what "
                  "they did. The truth in the last column is the simulation's: the service never "
                  "knew it. Whoever never answers counts as no, so that releases lie a little "
                  "below.",
                  time_text(seconds), visitors, releases),
      "");
  for (std::size_t i = 0; i < offers.size(); ++i) text += truth(offers[i], views[i]);
  return text;
}

}  // namespace tacit::service::demo
