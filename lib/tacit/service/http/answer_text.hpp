// An answer as it goes over the wire, head and body in one piece so that it is sent in one go.
//
// Its Date is a whole second of the service's own clock: the one by which it ticks, so that it tells nothing that the time of the
// answer does not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tacit/service/answer.hpp"

namespace tacit::service::http {

/// Of the connection that it goes to.
struct Form {
  bool head = false;       // asked by HEAD: all but the body
  bool old = false;        // HTTP/1.0
  bool keep_alive = true;  // it goes on afterwards
  bool tls = false;
  std::string_view date = {};  // "": there is none
};

/// "Sun, 06 Nov 1994 08:49:37 GMT": RFC 9110, 5.6.7.
std::string text_of_date(std::int64_t seconds_since_1970);

/// Appends to `text`. Throws std::logic_error when a header would end its line.
void append_answer(std::string& text, const Answer& answer, Form form);

}  // namespace tacit::service::http
