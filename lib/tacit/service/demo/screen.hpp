// What the demonstration prints, for a terminal of 80 columns. All of it comes from the API of readers, but for the truth at the
// end, which the service never saw.
//
// Thread safety: none.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tacit/service/demo/shop.hpp"
#include "tacit/service/spec.hpp"

namespace tacit::service::demo {

struct Access {
  std::string url, app_key, viewer_key;
};

/// At most `width` columns a line, each line with `indent` in front.
std::string wrapped(const std::string& text, const std::string& indent, std::size_t width = 78);

/// What there is and how to ask it; `views` are of the offers, as GET /v1/experiments/{name} answers.
std::string welcome(const Access& access, int visitors, const std::vector<Json>& views);
/// The head of the table.
std::string heading(const Offer& button);
/// A line of it: what was released of each arm of the button by now.
std::string line(int seconds, long visitors, const Json& button);
/// Which of the list is liked most, as released.
std::string line_of_list(const Json& list);
std::string farewell(int seconds, long visitors, const std::vector<Offer>& offers,
                     const std::vector<Json>& views);

}  // namespace tacit::service::demo
