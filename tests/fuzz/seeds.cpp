// Runs a fuzzer's checks without a fuzzer: over every file of a folder, over what is left of each when it is cut off, and with each
// of its bytes changed in some ways.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

std::size_t runs = 0;

void run(const Input& input) {
  // As long as the input is, so that reading beyond its end is noticed where sanitizers look.
  const Input exact(input.begin(), input.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
  ++runs;
}

void run_all_of(const Input& input) {
  run(input);
  // Long seeds at some places alone: the whole takes a second, not a minute.
  constexpr std::size_t kPlaces = 400;
  const std::size_t step = std::max<std::size_t>(1, input.size() / kPlaces);
  constexpr std::array<std::uint8_t, 6> kOthers{0, '"', '9', '}', 0x80, 0xff};
  for (std::size_t at = 0; at < input.size(); at += step) {
    run(Input(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(at)));
    Input changed = input;
    for (const std::uint8_t other : kOthers) {
      changed[at] = other;
      run(changed);
    }
  }
}

}  // namespace

int main(int count, char** words) {
  std::size_t files = 0;
  for (int i = 1; i < count; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(words[i])) {
      std::ifstream file(entry.path(), std::ios::binary);
      run_all_of(Input(std::istreambuf_iterator<char>(file), {}));
      ++files;
    }
  }
  std::printf("%zu seeds, %zu inputs\n", files, runs);
  return files > 0 ? 0 : 1;
}
