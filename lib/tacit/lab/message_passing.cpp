#include "tacit/lab/message_passing.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "tacit/lab/runner.hpp"

#ifdef TACIT_HAS_MPI
#include <mpi.h>
#endif

namespace tacit::lab {

std::string MessagePassing::disagreement(const std::vector<std::string>& all) {
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank] == all[0]) continue;
    return fmt::format(
        "rank {} {}", rank,
        all[rank].empty() ? "failed" : "has another experiment, or other files behind it");
  }
  return "";
}

#ifndef TACIT_HAS_MPI

MessagePassing::MessagePassing() = default;
MessagePassing::~MessagePassing() = default;
std::vector<std::string> MessagePassing::agree(const std::string& digest) { return {digest}; }
Progress MessagePassing::run(const Plan& plan, Results& results, const RunOptions& options) {
  return lab::run(plan, results, options);
}
void MessagePassing::dismiss() {}
void MessagePassing::serve(const Plan&) {}

#else

namespace {

constexpr int kToFirst =
    1;  // a request for work, with the result of the last piece if there was one
constexpr int kFromFirst = 2;  // the number of a piece, or kNoMore
constexpr std::int64_t kNoMore = -1;

/// What a rank brings with its request. The piece's number is in all ranks that of pieces_of(plan).
struct Message {
  std::int64_t piece = kNoMore;
  Benchmark benchmark;
  std::string failure;
  std::string block;  // bytes
};

std::string pack(const Message& m) {
  const Json head{{"piece", m.piece},
                  {"proven", m.benchmark.proven},
                  {"value", m.benchmark.value},
                  {"failure", m.failure}};
  const std::string text = on_one_line(head);
  return fmt::format("{:8}{}{}", text.size(), text, m.block);
}

Message unpack(const std::string& bytes) {
  const std::size_t size = std::stoul(bytes.substr(0, 8));
  const Json head = Json::parse(bytes.substr(8, size));
  return {head.at("piece").get<std::int64_t>(),
          {head.at("value").get<double>(), head.at("proven").get<bool>()},
          head.at("failure").get<std::string>(),
          bytes.substr(8 + size)};
}

/// The message that a probe found.
std::string receive(const MPI_Status& status) {
  int size = 0;
  MPI_Get_count(&status, MPI_CHAR, &size);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  MPI_Recv(bytes.data(), size, MPI_CHAR, status.MPI_SOURCE, kToFirst, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return bytes;
}

}  // namespace

MessagePassing::MessagePassing() {
  // Alone, MPI would only cost time; and it may not be usable at all.
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr && std::getenv("PMI_SIZE") == nullptr) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
  waiting_ = count_ - 1;
  joined_ = true;
}

MessagePassing::~MessagePassing() {
  if (joined_) MPI_Finalize();
}

std::vector<std::string> MessagePassing::agree(const std::string& digest) {
  if (!joined_) return {digest};
  constexpr std::size_t kLength = 32;
  std::string mine = digest;
  mine.resize(kLength, '\0');
  std::string all(kLength * static_cast<std::size_t>(count_), '\0');
  MPI_Allgather(mine.data(), kLength, MPI_CHAR, all.data(), kLength, MPI_CHAR, MPI_COMM_WORLD);
  std::vector<std::string> digests;
  for (std::size_t at = 0; at < all.size(); at += kLength) {
    digests.emplace_back(all.substr(at, kLength).c_str());
  }
  return digests;
}

Progress MessagePassing::run(const Plan& plan, Results& results, const RunOptions& options) {
  if (count_ == 1) return lab::run(plan, results, options);
  Coordinator coordinator(plan, results, options);
  Simulators simulators(plan);
  std::jthread own([&] { work(coordinator, simulators); });
  const std::vector<Piece> pieces = pieces_of(plan);
  const auto number_of = [&](const Piece& piece) {
    const auto found = std::find_if(pieces.begin(), pieces.end(), [&](const Piece& p) {
      return p.task == piece.task && p.block == piece.block;
    });
    return static_cast<std::int64_t>(found - pieces.begin());
  };
  while (waiting_ > 0) {
    MPI_Status status;
    int arrived = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, kToFirst, MPI_COMM_WORLD, &arrived, &status);
    if (arrived == 0) {  // MPI's own wait would burn the core that the own thread computes on
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      continue;
    }
    const std::string bytes = receive(status);
    try {
      const Message message = unpack(bytes);
      if (!message.failure.empty()) {
        throw std::runtime_error(fmt::format("rank {}: {}", status.MPI_SOURCE, message.failure));
      }
      if (message.piece != kNoMore) {
        coordinator.finish(pieces.at(static_cast<std::size_t>(message.piece)),
                           from_bytes(message.block), message.benchmark);
      }
    } catch (...) {
      coordinator.fail(std::current_exception());
    }
    const auto piece = coordinator.take();
    const std::int64_t answer = piece ? number_of(*piece) : kNoMore;
    MPI_Send(&answer, 1, MPI_INT64_T, status.MPI_SOURCE, kFromFirst, MPI_COMM_WORLD);
    if (!piece) --waiting_;
  }
  own.join();
  coordinator.check();
  return coordinator.progress();
}

void MessagePassing::dismiss() {
  for (; waiting_ > 0; --waiting_) {
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, kToFirst, MPI_COMM_WORLD, &status);
    receive(status);
    MPI_Send(&kNoMore, 1, MPI_INT64_T, status.MPI_SOURCE, kFromFirst, MPI_COMM_WORLD);
  }
}

void MessagePassing::serve(const Plan& plan) {
  Simulators simulators(plan);
  const std::vector<Piece> pieces = pieces_of(plan);
  Message message;
  for (;;) {
    const std::string bytes = pack(message);
    MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, 0, kToFirst, MPI_COMM_WORLD);
    std::int64_t number = kNoMore;
    MPI_Recv(&number, 1, MPI_INT64_T, 0, kFromFirst, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (number == kNoMore) return;
    message = {};
    try {
      const Piece& piece = pieces.at(static_cast<std::size_t>(number));
      message.block = to_bytes(simulators.compute(piece));
      message.benchmark = simulators.benchmark(piece.task);
      message.piece = number;
    } catch (const std::exception& error) {
      message.failure = error.what();
    }
  }
}

#endif

}  // namespace tacit::lab
