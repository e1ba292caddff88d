// An answer as it goes over the wire, head and body in one piece so that it is sent in one go.
//
// There is no Date: the answers of two runs are compared byte for byte, and a clock of its own would tell how long the
// service took.
#pragma once

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
};

/// Appends to `text`. Throws std::logic_error when a header would end its line.
void append_answer(std::string& text, const Answer& answer, Form form);

}  // namespace tacit::service::http
