#include "tacit/lab/blocks.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "tacit/simulation/cpu_time.hpp"

namespace tacit::lab {
namespace {

constexpr std::int64_t kSingles = 64;

std::int64_t length_from(std::int64_t first) {
  if (first < kSingles) return 1;
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(first))) / 32;
}

template <class T>
void put(std::string& bytes, const T* values, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  template <class T>
  void take(T* values, std::size_t count) {
    if (count > (bytes_.size() - at_) / sizeof(T)) throw std::runtime_error("a block is cut short");
    std::memcpy(values, bytes_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
  }
  std::vector<double> take_vector() {
    std::uint64_t size = 0;
    take(&size, 1);
    if (size > bytes_.size() / sizeof(double)) throw std::runtime_error("a block is cut short");
    std::vector<double> values(size);
    take(values.data(), size);
    return values;
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

void put_vector(std::string& bytes, const std::vector<double>& values) {
  const std::uint64_t size = values.size();
  put(bytes, &size, 1);
  put(bytes, values.data(), size);
}

}  // namespace

std::vector<Block> blocks_of(std::int64_t runs) {
  std::vector<Block> blocks;
  for (std::int64_t first = 0; first < runs; first += blocks.back().runs) {
    blocks.push_back({first, std::min(length_from(first), runs - first)});
  }
  return blocks;
}

BlockResult compute(const simulation::Simulator& simulator, const Block& block) {
  const double start = simulation::thread_cpu_seconds();
  BlockResult result;
  result.block = block;
  for (std::int64_t i = block.first; i < block.first + block.runs; ++i) {
    const simulation::Run run = simulator.run(static_cast<std::uint64_t>(i));
    result.regrets.insert(result.regrets.end(), run.regrets.begin(), run.regrets.end());
    result.pulls.resize(run.pulls.size());
    for (std::size_t a = 0; a < run.pulls.size(); ++a) {
      result.pulls[a] += static_cast<double>(run.pulls[a]);
    }
    result.decisions += run.decisions;
  }
  result.cpu_seconds = simulation::thread_cpu_seconds() - start;
  return result;
}

std::string to_bytes(const BlockResult& result) {
  std::string bytes;
  put(bytes, &result.block.first, 1);
  put(bytes, &result.block.runs, 1);
  put(bytes, &result.decisions, 1);
  put(bytes, &result.cpu_seconds, 1);
  put_vector(bytes, result.regrets);
  put_vector(bytes, result.pulls);
  return bytes;
}

BlockResult from_bytes(const std::string& bytes) {
  Reader reader(bytes);
  BlockResult result;
  reader.take(&result.block.first, 1);
  reader.take(&result.block.runs, 1);
  reader.take(&result.decisions, 1);
  reader.take(&result.cpu_seconds, 1);
  result.regrets = reader.take_vector();
  result.pulls = reader.take_vector();
  return result;
}

}  // namespace tacit::lab
