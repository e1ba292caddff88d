// Boost.Asio as this folder uses it: coroutines and sockets on io_context itself. The executor that Boost takes by default hides
// its type and costs a virtual call and a reference count at every turn.
#pragma once

#include <utility>  // Boost 1.74's coroutines forget it

#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>

namespace tacit::service::http {

namespace asio = boost::asio;

using ErrorCode = boost::system::error_code;
using Executor = asio::io_context::executor_type;
template <class T>
using Awaitable = asio::awaitable<T, Executor>;
using Await = asio::use_awaitable_t<Executor>;
/// TCP and Unix sockets alike.
using Socket = asio::basic_stream_socket<asio::generic::stream_protocol, Executor>;
using SteadyTime = std::chrono::steady_clock;
using Moment = SteadyTime::time_point;
using Timer = asio::basic_waitable_timer<SteadyTime, asio::wait_traits<SteadyTime>, Executor>;

/// To co_await an operation whose failure is a value.
inline auto into(ErrorCode& error) { return asio::redirect_error(Await{}, error); }

}  // namespace tacit::service::http
