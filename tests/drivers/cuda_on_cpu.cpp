// SPDX-License-Identifier: MIT
// The kernels as a library for a CPU, and the launch of one.
#include "cuda_on_cpu.h"

#include KERNELS

alignas(16) Lanes shared[on_cpu::kMostShared / sizeof(Lanes)];

namespace {

using Kernel = void (*)(const Problem*, int, int, int, int);
Kernel kernel;
const Problem* problem;
int given[4];

void run_thread() { kernel(problem, given[0], given[1], given[2], given[3]); }

}  // namespace

extern "C" std::int64_t problem_size() { return sizeof(Problem); }

// order: 0 threads in order, 1 backwards, else at random from this seed. Returns 0, or 1 where threads wait for ever.
extern "C" int launch(Kernel which, const unsigned* grid, const unsigned* size, unsigned shared_bytes, const Problem* of, const int* numbers,
                      unsigned order) {
  using on_cpu::block;
  kernel = which;
  problem = of;
  std::copy_n(numbers, 4, given);
  gridDim = {grid[0], grid[1], 1};
  blockDim = {size[0], size[1], 1};
  block.run = run_thread;
  std::mt19937 random(order);
  block.order.resize(static_cast<std::size_t>(block.size()));
#if defined(__SANITIZE_ADDRESS__)
  ASAN_POISON_MEMORY_REGION(reinterpret_cast<char*>(shared) + shared_bytes, sizeof shared - shared_bytes);
#endif
  for (unsigned y = 0; y < grid[1] && block.error.empty(); ++y)
    for (unsigned x = 0; x < grid[0] && block.error.empty(); ++x) {
      blockIdx = {order == 1 ? grid[0] - 1 - x : x, y, 0};
      std::iota(block.order.begin(), block.order.end(), 0);
      if (order == 1) std::reverse(block.order.begin(), block.order.end());
      if (order > 1) std::shuffle(block.order.begin(), block.order.end(), random);
      std::memset(shared, 0xff, shared_bytes);  // not numbers
      on_cpu::run_block(random);
    }
#if defined(__SANITIZE_ADDRESS__)
  ASAN_UNPOISON_MEMORY_REGION(shared, sizeof shared);
#endif
  return block.error.empty() ? 0 : 1;
}
