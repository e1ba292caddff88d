#include "tacit/service/http/connection.hpp"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <exception>
#include <optional>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "tacit/service/http/answer_text.hpp"
#include "tacit/service/http/request_reader.hpp"
#include "tacit/service/http/ticket.hpp"
#include "tacit/service/http/wake_up.hpp"
#include "tacit/service/http/worker.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service::http {
namespace {

/// Kept from one answer to the next.
constexpr std::size_t kUsualAnswer = 16 * 1024;

using TlsStream = asio::ssl::stream<Socket>;

template <class Stream>
class ConnectionOf final : public Connection {
 public:
  ConnectionOf(Worker& worker, Stream&& stream, std::string peer, bool turned_away)
      : worker_(worker),
        settings_(worker.settings()),
        stream_(std::move(stream)),
        turned_away_(turned_away),
        reader_(settings_.body_limit, settings_.header_limit, std::move(peer)) {}

  Awaitable<void> run() override {
    // No co_await stands in a condition, here and below: GCC 12 mislays the coroutine's variables then.
    bool more = co_await open();
    while (more) more = co_await serve_next();
    abandon();
  }

  void take(std::uint64_t turn, Answer&& answer) override {
    if (turn != turn_ || phase_ != Phase::kHandling || answer_) return;
    answer_ = std::move(answer);
    wake_.call();
  }

  void hear(const std::string& event) override {
    if (abandoned_) return;
    // One event is sent whatever its size: who has taken all before it is not behind.
    if (!backlog_.empty() && backlog_.size() + event.size() > settings_.stream_backlog) {
      abandon();
    } else {
      backlog_ += event;
      wake_.call();
    }
  }

  void look(Moment now) override {
    if (phase_ == Phase::kListening && is_gone()) return abandon();
    if (now < deadline_) return;
    switch (phase_) {
      case Phase::kReading:
        late_ = true;
        deadline_ = Moment::max();
        cancel();
        break;
      case Phase::kIdle: stop(); break;
      case Phase::kListening: hear(":\n\n"); break;
      case Phase::kFarewell:
        if (now >= give_up_ || !is_sending()) return leave();
        deadline_ = std::min(give_up_, now + settings_.farewell_time);
        break;
      default: leave();
    }
  }

  void stop() override {
    ended_ = true;
    // Not closed: a request may have been read a moment ago, and then it is answered.
    if (phase_ == Phase::kIdle && !has_come()) cancel();
    if (phase_ == Phase::kListening) wake_.call();
  }

  void abandon() override {
    abandoned_ = true;
    ErrorCode ignored;
    socket().close(ignored);
    wake_.call();
  }

 private:
  static constexpr bool kTls = std::is_same_v<Stream, TlsStream>;

  enum class Phase {
    kIdle,       // until a request begins
    kReading,    // until it is there
    kHandling,   // until it is answered, whenever that is
    kSending,    // until what must be sent is sent
    kListening,  // until the next event of a stream
    kFarewell,   // until the client has closed, too, or has had time to take what it was told last
  };

  Socket& socket() {
    if constexpr (kTls) {
      return stream_.next_layer();
    } else {
      return stream_;
    }
  }

  void cancel() {
    ErrorCode ignored;
    socket().cancel(ignored);
  }

  /// Whether the client has not taken all that the system was given for it.
  bool is_sending() {
    int bytes = 0;
    return ioctl(socket().native_handle(), SIOCOUTQ, &bytes) == 0 && bytes > 0;
  }

  void leave() {
    if (is_sending()) {
      // Else the system would keep trying to bring it to who does not take it.
      ErrorCode ignored;
      socket().set_option(asio::socket_base::linger(true, 0), ignored);
    }
    abandon();
  }

  void enter(Phase phase, Duration at_most) {
    phase_ = phase;
    deadline_ = SteadyTime::now() + at_most;
  }

  /// Something that was not looked at yet: it is under way as well.
  bool has_come() {
    ErrorCode error;
    return socket().available(error) > 0;
  }

  bool is_gone() {
    pollfd asked{.fd = socket().native_handle(), .events = POLLRDHUP, .revents = 0};
    return poll(&asked, 1, 0) > 0;
  }

  Awaitable<bool> open() {
    if (turned_away_) {
      const Refusal refusal{
          503, fmt::format("all {} connections of this server are taken", settings_.connections)};
      if (!kTls) co_await refuse(refusal);
      co_return false;
    }
    if constexpr (kTls) {
      ErrorCode error;
      enter(Phase::kSending, settings_.request_time);
      co_await stream_.async_handshake(asio::ssl::stream_base::server, into(error));
      if (error) co_return false;
    }
    co_return true;
  }

  /// Whether there may be another.
  Awaitable<bool> serve_next() {
    if (reader_.empty()) {
      if (ended_ && !has_come()) co_return false;
      enter(Phase::kIdle, settings_.idle_time);
      const bool begun = co_await read(reader_.room());
      if (!begun) co_return false;
    }
    enter(Phase::kReading, settings_.request_time);
    bool is_whole = true;
    for (;;) {
      const RequestReader::Step step = reader_.advance();
      if (step == RequestReader::Step::kWhole) break;
      if (step == RequestReader::Step::kHeader) {
        open_door();
        if (entry_.bodies) {
          reader_.allow_body(entry_.bodies);
          continue;
        }
        is_whole = reader_.advance() == RequestReader::Step::kWhole;
        break;
      }
      const std::span<char> room =
          step == RequestReader::Step::kMore ? reader_.room() : std::span<char>();
      if (room.empty()) {
        const Refusal refusal = reader_.refusal();
        co_await refuse(refusal);
        co_return false;
      }
      // A line of its own behind the last body is no request that has begun.
      if (reader_.empty()) {
        if (ended_ && !has_come()) co_return false;
        enter(Phase::kIdle, settings_.idle_time);
      }
      if (reader_.must_say_continue()) {
        ErrorCode error;
        constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
        co_await asio::async_write(stream_, asio::buffer(kContinue), into(error));
        if (error) co_return false;
      }
      const bool more = co_await read(room);
      if (phase_ == Phase::kIdle) enter(Phase::kReading, settings_.request_time);
      if (late_ && !abandoned_) {
        const double seconds = static_cast<double>(settings_.request_time.count()) / 1000;
        const Refusal refusal{408,
                              fmt::format("the request took longer than {} s to come", seconds)};
        co_await refuse(refusal);
        co_return false;
      }
      if (!more) co_return false;
    }

    Form form{.head = reader_.is_head(),
              .old = reader_.is_old(),
              .keep_alive = is_whole && reader_.keep_alive(),
              .tls = kTls,
              .date = {}};
    const bool client_closes = is_whole && !form.keep_alive;
    ask();
    while (!answer_ && !abandoned_) co_await wake_.wait();
    under_way_ = {};
    if (abandoned_) co_return false;

    if (ended_) form.keep_alive = false;
    if (answer_->stream && !form.head) {
      co_await stream(form);
      co_return false;
    }
    write_answer(form);
    answer_.reset();
    const bool sent = co_await send();
    if (!sent) co_return false;
    if (!form.keep_alive && !client_closes) co_await say_farewell();
    if (kTls && client_closes) co_await say_farewell();
    co_return form.keep_alive;
  }

  Awaitable<bool> read(std::span<char> room) {
    ErrorCode error;
    const std::size_t size =
        co_await stream_.async_read_some(asio::buffer(room.data(), room.size()), into(error));
    reader_.add(size);
    co_return !error;
  }

  void open_door() {
    try {
      entry_ = worker_.door()(reader_.request());
    } catch (...) {
      entry_ = {.handler = nullptr,
                .bodies = nullptr};  // which is answered as what cannot be served
    }
  }

  /// Gives the request to its handler, and forgets it.
  void ask() {
    ++turn_;
    phase_ = Phase::kHandling;
    deadline_ = Moment::max();
    bool failed = false;
    {
      const Ticket::Asking asking(*this);
      try {
        auto ticket = std::make_shared<Ticket>(worker_.mailbox(), *this, turn_);
        entry_.handler(reader_.request(), [ticket = std::move(ticket)](Answer&& answer) {
          ticket->answer(std::move(answer));
        });
      } catch (...) {
        failed = true;
      }
    }
    entry_ = {};
    under_way_ = reader_.finish();
    if (failed) answer_ = answer_of(Problem(500, "", "the request could not be served"));
  }

  void write_answer(Form form) {
    form.date = worker_.date();
    try {
      append_answer(out_, *answer_, form);
    } catch (const std::exception&) {
      out_.clear();
      append_answer(out_, answer_of(Problem(500, "", "the answer could not be written")), form);
    }
  }

  /// All that stands in out_.
  Awaitable<bool> send() {
    std::size_t sent = 0;
    if constexpr (!kTls) {
      // Nearly always there is room for it, and the scheduler need not be asked.
      ErrorCode error;
      sent = stream_.write_some(asio::buffer(out_), error);
      if (error && error != asio::error::would_block) co_return false;
    }
    ErrorCode error;
    if (sent < out_.size()) {
      enter(Phase::kSending, settings_.write_time);
      co_await asio::async_write(stream_, asio::buffer(out_) + sent, into(error));
    }
    out_.clear();
    if (out_.capacity() > kUsualAnswer) out_.shrink_to_fit();
    co_return !error;
  }

  Awaitable<void> refuse(const Refusal& refusal) {
    Answer answer =
        answer_of(Problem(refusal.status, "", refusal.detail, refusal.status == 503 ? 1 : 0));
    answer.headers = settings_.refusal_fields(reader_.origin());
    reader_.wipe();
    append_answer(
        out_, answer,
        {.head = false, .old = false, .keep_alive = false, .tls = kTls, .date = worker_.date()});
    const bool sent = co_await send();
    if (sent) co_await say_farewell();
  }

  /// Lets the client read what it was told last: the system takes that back from it when we close while it still sends.
  Awaitable<void> say_farewell() {
    reader_.wipe();
    enter(Phase::kFarewell, settings_.farewell_time);
    give_up_ = SteadyTime::now() + settings_.write_time;
    ErrorCode error;
    if constexpr (kTls) co_await stream_.async_shutdown(into(error));
    socket().shutdown(Socket::shutdown_send, error);
    for (;;) {
      const std::span<char> room = reader_.room();
      const std::size_t size =
          co_await socket().async_read_some(asio::buffer(room.data(), room.size()), into(error));
      reader_.add(size);
      reader_.wipe();
      if (error) co_return;
    }
  }

  Awaitable<void> stream(Form form) {
    const std::shared_ptr<const void> seat = std::move(answer_->seat);
    answer_->type = "text/event-stream";
    form.keep_alive = false;
    const Channel::Subscription subscription(
        answer_->stream, [mailbox = worker_.mailbox(), self = weak_from_this()](
                             const Channel::Event& event) { mailbox->post(self, event); });
    if (answer_->opening) answer_->body += answer_->opening();
    write_answer(form);
    answer_.reset();
    do {
      const bool sent = co_await send();
      if (!sent) co_return;
      if (backlog_.empty() && !ended_) {
        enter(Phase::kListening, settings_.heartbeat);
        co_await wake_.wait();
      }
      std::swap(out_, backlog_);
    } while (!abandoned_ && !(ended_ && out_.empty()));
    if (!abandoned_) co_await say_farewell();
  }

  Worker& worker_;
  const Settings& settings_;
  Stream stream_;
  const bool turned_away_;
  RequestReader reader_;
  Entry entry_;              // of the request that is read
  TakenOfBudget under_way_;  // of the one that is answered: what was made of its body is as large
  std::string out_;
  std::string backlog_;  // of a stream: what happened while something was sent
  std::optional<Answer> answer_;
  WakeUp wake_;
  std::uint64_t turn_ = 0;
  Phase phase_ = Phase::kIdle;
  Moment deadline_ = Moment::max();
  Moment give_up_ = Moment::max();  // of a farewell
  bool late_ = false;
  bool ended_ = false;
  bool abandoned_ = false;
};

}  // namespace

std::shared_ptr<Connection> make_connection(Worker& worker, Socket&& socket, std::string peer,
                                            asio::ssl::context* tls, bool turned_away) {
  if (tls == nullptr) {
    return std::make_shared<ConnectionOf<Socket>>(worker, std::move(socket), std::move(peer),
                                                  turned_away);
  }
  return std::make_shared<ConnectionOf<TlsStream>>(worker, TlsStream(std::move(socket), *tls),
                                                   std::move(peer), turned_away);
}

}  // namespace tacit::service::http
