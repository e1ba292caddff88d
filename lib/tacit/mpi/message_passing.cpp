#include "tacit/mpi/message_passing.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/lab/document.hpp"
#include "tacit/lab/runner.hpp"

namespace tacit::mpi {

namespace {

using lab::Json;

constexpr int kToFirst =
    1;  // a request for work, with the result of the last unit if there was one
constexpr int kFromFirst = 2;  // the number of a unit, or kNoMore
constexpr std::int64_t kNoMore = -1;

/// What a rank brings with its request. The unit's number is in all ranks that of work_units_of(plan).
struct Message {
  std::int64_t unit = kNoMore;
  lab::Benchmark benchmark;
  std::string failure;
  std::string block;  // bytes
};

std::string pack(const Message& m) {
  const Json head{{"unit", m.unit},
                  {"proven", m.benchmark.proven},
                  {"value", m.benchmark.value},
                  {"failure", m.failure}};
  const std::string text = lab::on_one_line(head);
  return fmt::format("{:8}{}{}", text.size(), text, m.block);
}

Message unpack(const std::string& bytes) {
  const std::size_t size = std::stoul(bytes.substr(0, 8));
  const Json head = Json::parse(bytes.substr(8, size));
  return {head.at("unit").get<std::int64_t>(),
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

lab::Progress MessagePassing::run(const lab::Plan& plan, lab::Results& results,
                                  const lab::RunOptions& options) {
  if (count_ == 1) return Ranks::run(plan, results, options);
  lab::Coordinator coordinator(plan, results, options);
  lab::Simulators simulators(plan);
  std::jthread own([&] { lab::work(coordinator, simulators); });
  const std::vector<lab::WorkUnit> units = lab::work_units_of(plan);
  const auto number_of = [&](const lab::WorkUnit& unit) {
    const auto found = std::find_if(units.begin(), units.end(), [&](const lab::WorkUnit& p) {
      return p.task == unit.task && p.block == unit.block;
    });
    return static_cast<std::int64_t>(found - units.begin());
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
      if (message.unit != kNoMore) {
        coordinator.finish(units.at(static_cast<std::size_t>(message.unit)),
                           lab::from_bytes(message.block), message.benchmark);
      }
    } catch (...) {
      coordinator.fail(std::current_exception());
    }
    const auto unit = coordinator.take();
    const std::int64_t answer = unit ? number_of(*unit) : kNoMore;
    MPI_Send(&answer, 1, MPI_INT64_T, status.MPI_SOURCE, kFromFirst, MPI_COMM_WORLD);
    if (!unit) --waiting_;
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

void MessagePassing::serve(const lab::Plan& plan) {
  lab::Simulators simulators(plan);
  const std::vector<lab::WorkUnit> units = lab::work_units_of(plan);
  Message message;
  for (;;) {
    const std::string bytes = pack(message);
    MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, 0, kToFirst, MPI_COMM_WORLD);
    std::int64_t number = kNoMore;
    MPI_Recv(&number, 1, MPI_INT64_T, 0, kFromFirst, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (number == kNoMore) return;
    message = {};
    try {
      const lab::WorkUnit& unit = units.at(static_cast<std::size_t>(number));
      message.block = lab::to_bytes(simulators.compute(unit));
      message.benchmark = simulators.benchmark(unit.task);
      message.unit = number;
    } catch (const std::exception& error) {
      message.failure = error.what();
    }
  }
}

}  // namespace tacit::mpi
