#include "tacit/service/wiped_traces.hpp"

#include <cstddef>

#include <sodium.h>

namespace tacit::service {
namespace {

#if defined(__x86_64__)

__attribute__((target("avx"), noinline)) void wipe_lower() noexcept { __builtin_ia32_vzeroall(); }

// Writing the lowest part clears the rest.
__attribute__((target("avx512vl"), noinline)) void wipe_upper() noexcept {
  asm volatile(
      "vpxorq %%xmm16, %%xmm16, %%xmm16\n\tvpxorq %%xmm17, %%xmm17, %%xmm17\n\t"
      "vpxorq %%xmm18, %%xmm18, %%xmm18\n\tvpxorq %%xmm19, %%xmm19, %%xmm19\n\t"
      "vpxorq %%xmm20, %%xmm20, %%xmm20\n\tvpxorq %%xmm21, %%xmm21, %%xmm21\n\t"
      "vpxorq %%xmm22, %%xmm22, %%xmm22\n\tvpxorq %%xmm23, %%xmm23, %%xmm23\n\t"
      "vpxorq %%xmm24, %%xmm24, %%xmm24\n\tvpxorq %%xmm25, %%xmm25, %%xmm25\n\t"
      "vpxorq %%xmm26, %%xmm26, %%xmm26\n\tvpxorq %%xmm27, %%xmm27, %%xmm27\n\t"
      "vpxorq %%xmm28, %%xmm28, %%xmm28\n\tvpxorq %%xmm29, %%xmm29, %%xmm29\n\t"
      "vpxorq %%xmm30, %%xmm30, %%xmm30\n\tvpxorq %%xmm31, %%xmm31, %%xmm31"
      :
      :
      : "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31");
}

void wipe_registers() noexcept {
  if (__builtin_cpu_supports("avx")) wipe_lower();
  if (__builtin_cpu_supports("avx512vl")) wipe_upper();
}
#else
void wipe_registers() noexcept {}
#endif

}  // namespace

void wipe_traces() noexcept {
  // Registers first: what saves them is on the stack by then.
  wipe_registers();
  constexpr std::size_t kDepth = 16 * 1024;
  sodium_stackzero(kDepth);
}

}  // namespace tacit::service
